//! Indices that count the elements of a part of a buffer: those of a graph inside a graph.
//!
//! The elements of a part lie side by side; footprints are the buffer's.

use graph_ir::model::{Access, Footprint, Range, Shape, Strided, View};

/// Whether a footprint has every element whose index is within these bounds, both of which belong to it, along each dimension.
///
/// Of a whole buffer, a footprint that leaves it is refused by CG0205.
pub(super) fn covers(access: &Access, whole: &Shape, reached: &[(i128, i128)]) -> bool {
    let Some(view) = &access.view else { return boxed(access.footprint.ranges(), 0, reached) };
    let Some(sizes) = numbers(&view.shape) else { return false };
    let within = |(size, (low, high)): (&i128, &(i128, i128))| 0 <= *low && high < size;
    if sizes.len() != reached.len() || !sizes.iter().zip(reached).all(within) {
        return false;
    }
    match rows(view, &sizes, whole) {
        Some(first) => boxed(access.footprint.ranges(), first, reached),
        None => lined(view, &sizes, &access.footprint, whole, reached),
    }
}

/// All elements of a part, or of the buffer where they are no box of it.
pub(super) fn all(view: &View, whole: &Shape) -> Footprint {
    let part = || {
        let (first, sizes) = (i128::from(view.first), numbers(&view.shape)?);
        let (row, elements) = (count(&numbers(whole)?[1..])?, count(&sizes)?);
        let (start, rows) = (first.checked_div(row)?, elements.checked_div(row)?);
        let outer = Range::known(start.try_into().ok()?, (start + rows).try_into().ok()?);
        let inner = whole.sizes().iter().skip(1).map(|size| Range::whole(*size));
        let ranges: Vec<Range> = std::iter::once(outer).chain(inner).collect();
        (start * row == first && rows * row == elements).then(|| Footprint::new(&ranges))
    };
    part().unwrap_or_else(|| Footprint::whole(*whole))
}

/// The index of the only element of a footprint.
pub(super) fn element(view: &View, whole: &Shape, footprint: &Footprint) -> Option<Vec<u64>> {
    let piece = Strided::of(footprint, whole).filter(|piece| piece.elements() == 1)?;
    let mut rest = piece.first.checked_sub(view.first)?;
    let mut indices = Vec::new();
    for size in view.shape.sizes().iter().rev() {
        let size = size.known()?;
        indices.push(rest.checked_rem(size)?);
        rest /= size;
    }
    indices.reverse();
    (rest == 0).then_some(indices)
}

/// How many elements have these dimensions.
fn count(sizes: &[i128]) -> Option<i128> {
    sizes.iter().try_fold(1_i128, |count, size| count.checked_mul(*size))
}

fn numbers(shape: &Shape) -> Option<Vec<i128>> {
    shape.sizes().iter().map(|size| size.known().map(i128::from)).collect()
}

/// The first row, if the part is whole rows of the buffer as they are.
fn rows(view: &View, sizes: &[i128], whole: &Shape) -> Option<i128> {
    let whole = numbers(whole)?;
    let row = count(&sizes[1..])?;
    let first = i128::from(view.first);
    let aligned = whole.len() == sizes.len() && whole[1..] == sizes[1..] && first.checked_rem(row)? == 0;
    aligned.then(|| first / row)
}

/// Dimension by dimension.
fn boxed(ranges: &[Range], first: i128, reached: &[(i128, i128)]) -> bool {
    let inside = |(dimension, (range, (low, high))): (usize, (&Range, &(i128, i128)))| {
        let shift = if dimension == 0 { first } else { 0 };
        let numbers = range.numbers().map(|(start, end)| (i128::from(start), i128::from(end)));
        numbers.is_some_and(|(start, end)| start <= low + shift && high + shift < end)
    };
    ranges.len() == reached.len() && ranges.iter().zip(reached).enumerate().all(inside)
}

/// From the first element that may be meant to the last, where the footprint is one piece.
fn lined(view: &View, sizes: &[i128], footprint: &Footprint, whole: &Shape, reached: &[(i128, i128)]) -> bool {
    let Some(piece) = Strided::of(footprint, whole).filter(Strided::is_contiguous) else { return false };
    let number = |at: fn(&(i128, i128)) -> i128| {
        let sum = sizes.iter().zip(reached).fold(0, |sum, (size, reached)| sum * size + at(reached));
        i128::from(view.first) + sum
    };
    let (start, end) = (i128::from(piece.first), i128::from(piece.first) + i128::from(piece.elements()));
    start <= number(|reached| reached.0) && number(|reached| reached.1) < end
}

#[cfg(test)]
mod tests {
    use graph_ir::model::{BufferId, Extent, Mode, Place};

    use super::*;

    fn shape(sizes: &[u64]) -> Shape {
        Shape::new(&sizes.iter().map(|size| Extent::Known(*size)).collect::<Vec<_>>())
    }

    fn access(ranges: &[(u64, u64)]) -> Access {
        let ranges: Vec<Range> = ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect();
        let footprint = Footprint::new(&ranges);
        Access { buffer: BufferId(0), mode: Mode::Read, footprint, ranged: true, place: Place(0), view: None }
    }

    /// Every box of indices of every part of a small buffer, against all its elements.
    fn compare(whole: &[u64], parts: &[(u64, &[u64])], footprints: &[&[(u64, u64)]]) {
        let size = |dimension: usize| whole.get(dimension).copied().unwrap_or(1);
        let elements = |ranges: &[(u64, u64)]| {
            let range = |dimension: usize| ranges.get(dimension).copied().unwrap_or((0, 1));
            let (outer, inner) = (range(0), range(1));
            let row = move |i: u64| (inner.0..inner.1).map(move |j| i * size(1) + j);
            (outer.0..outer.1).flat_map(row).collect::<Vec<u64>>()
        };
        for (first, sizes) in parts {
            let view = View { first: *first, shape: shape(sizes) };
            let columns = sizes.get(1).copied().unwrap_or(1);
            for footprint in footprints {
                let touched = elements(footprint);
                for (low, high, left, right) in boxes(sizes[0] + 1, columns) {
                    let mut reached = vec![(i128::from(low), i128::from(high))];
                    reached.extend((sizes.len() > 1).then_some((i128::from(left), i128::from(right))));
                    let row = |i: u64| (left..=right).map(move |j| first + i * columns + j);
                    let meant: Vec<u64> = (low..=high).flat_map(row).collect();
                    let inside = high < sizes[0] && meant.iter().all(|element| touched.contains(element));
                    let part = Access { view: Some(view), ..access(footprint) };
                    let found = covers(&part, &shape(whole), &reached);
                    assert!(!found || inside, "{view:?} {footprint:?} {reached:?}");
                    assert!(found || !inside || sizes.len() != whole.len(), "{view:?} {footprint:?} {reached:?}");
                }
            }
        }
    }

    fn boxes(rows: u64, columns: u64) -> Vec<(u64, u64, u64, u64)> {
        let pairs = |count: u64| (0..count).flat_map(move |low| (low..count).map(move |high| (low, high)));
        pairs(rows).flat_map(|(low, high)| pairs(columns).map(move |(left, right)| (low, high, left, right))).collect()
    }

    #[test]
    fn a_piece_of_a_line_counts_from_its_own_first_element() {
        compare(&[12], &[(0, &[12]), (4, &[4]), (8, &[4])], &[&[(0, 12)], &[(4, 8)], &[(5, 7)]]);
    }

    #[test]
    fn a_line_as_a_matrix_and_a_matrix_as_a_line() {
        compare(&[12], &[(0, &[3, 4]), (4, &[2, 4]), (6, &[3, 2])], &[&[(0, 12)], &[(4, 12)], &[(6, 8)]]);
        compare(&[4, 3], &[(0, &[12]), (3, &[6])], &[&[(0, 4), (0, 3)], &[(1, 3), (0, 3)], &[(0, 4), (1, 2)]]);
    }

    #[test]
    fn rows_of_a_matrix() {
        compare(&[4, 3], &[(0, &[4, 3]), (3, &[2, 3]), (6, &[2, 3])], &[&[(1, 3), (0, 3)], &[(2, 4), (1, 2)]]);
    }

    #[test]
    fn an_element_is_found_again() {
        let found = |first, sizes: &[u64], at: &[(u64, u64)], whole: &[u64]| {
            element(&View { first, shape: shape(sizes) }, &shape(whole), &access(at).footprint)
        };
        assert_eq!(found(4, &[4], &[(6, 7)], &[12]), Some(vec![2]));
        assert_eq!(found(4, &[2, 3], &[(8, 9)], &[12]), Some(vec![1, 1]));
        assert_eq!(found(3, &[2, 3], &[(2, 3), (1, 2)], &[4, 3]), Some(vec![1, 1]));
        assert_eq!(found(4, &[4], &[(3, 4)], &[12]), None);
        assert_eq!(found(4, &[4], &[(8, 9)], &[12]), None);
    }

    #[test]
    fn all_of_a_part_is_a_box_if_it_is_whole_rows() {
        let found = |first, sizes: &[u64], whole: &[u64]| {
            let all = all(&View { first, shape: shape(sizes) }, &shape(whole));
            all.ranges().iter().map(|range| range.numbers().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(found(4, &[4], &[12]), [(4, 8)]);
        assert_eq!(found(4, &[2, 3], &[12]), [(4, 10)]);
        assert_eq!(found(3, &[6], &[4, 3]), [(1, 3), (0, 3)]);
        assert_eq!(found(1, &[3], &[4, 3]), [(0, 4), (0, 3)]);
    }
}
