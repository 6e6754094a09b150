//! Whether a kernel finds the elements that it touches in the box that it is given, and which they are.

use graph_ir::model::{Extent, Footprint, Range, Shape, Strided};

use crate::kernel::Touched;

/// Why it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// The box has fewer elements.
    TooFew { needed: u64, available: u64 },
    /// The box is smaller along a dimension.
    TooSmall,
    /// They lie in rows, and the kernel takes one piece.
    Rows(Strided),
    /// They lie at other distances than the kernel expects.
    Distance { what: &'static str, expected: u64, found: u64 },
    /// The box has another number of dimensions.
    Dimensions(usize),
    /// They are no box, and all of them are written.
    WithinRow(u64),
}

/// The elements that are touched, as a box: exactly those, or for accesses that are not `exact` at least those.
pub(super) fn fit(touched: &Touched, given: &Footprint, shape: &Shape, exact: bool) -> Result<Footprint, Misfit> {
    if let ([range], 1, true) = (given.ranges(), shape.rank(), touched.is_dense()) {
        return line(touched.elements(), *range).map(Footprint::from);
    }
    let Some(strided) = Strided::of(given, shape) else { return Ok(*given) };
    let one_piece = touched.is_dense() && (strided.is_contiguous() || touched.pitches.is_none());
    if one_piece { in_one_piece(touched.elements(), given, &strided, exact) } else { in_a_box(touched, given, shape) }
}

/// The same for one dimension, as nearly all buffers have.
fn line(needed: u64, given: Range) -> Result<Range, Misfit> {
    let Some((start, end)) = given.numbers() else { return Ok(given) };
    let available = end.saturating_sub(start);
    if needed > available {
        return Err(Misfit::TooFew { needed, available });
    }
    Ok(Range::known(start, start.saturating_add(needed)))
}

fn in_one_piece(needed: u64, given: &Footprint, strided: &Strided, exact: bool) -> Result<Footprint, Misfit> {
    let available = strided.elements();
    if needed > available {
        return Err(Misfit::TooFew { needed, available });
    }
    if !strided.is_contiguous() {
        return Err(Misfit::Rows(*strided));
    }
    let mut narrowed = *given;
    let lengths = &lengths(given)[..given.ranges().len()];
    // Behind dimensions of one element comes the one along which the piece can be shortened.
    let axis = lengths.iter().position(|length| *length != 1).unwrap_or(lengths.len() - 1);
    let inner = lengths[axis + 1..].iter().fold(1_u64, |product, length| product.saturating_mul(*length)).max(1);
    if exact && !needed.is_multiple_of(inner) {
        return Err(Misfit::WithinRow(needed));
    }
    shorten(&mut narrowed.ranges_mut()[axis], needed.div_ceil(inner));
    Ok(narrowed)
}

/// Along each dimension, the outermost first.
fn lengths(given: &Footprint) -> [u64; Shape::MAX_RANK] {
    let mut lengths = [0; Shape::MAX_RANK];
    lengths.iter_mut().zip(given.ranges()).for_each(|(into, range)| *into = range.length().unwrap_or(0));
    lengths
}

fn shorten(range: &mut Range, length: u64) {
    if let Some(start) = range.start.known() {
        range.end = Extent::Known(start.saturating_add(length));
    }
}

fn in_a_box(touched: &Touched, given: &Footprint, shape: &Shape) -> Result<Footprint, Misfit> {
    let lengths = &lengths(given)[..given.ranges().len()];
    let (rank, sizes) = (lengths.len(), touched.sizes());
    let Some(dropped) = rank.checked_sub(sizes.len()) else { return Err(Misfit::Dimensions(rank)) };
    if lengths[..dropped].iter().any(|length| *length != 1) {
        return Err(Misfit::Dimensions(rank));
    }
    let mut narrowed = *given;
    for (range, size) in narrowed.ranges_mut()[dropped..].iter_mut().zip(sizes) {
        if range.length().is_some_and(|length| *size > length) {
            return Err(Misfit::TooSmall);
        }
        shorten(range, *size);
    }
    if touched.elements() > 0 {
        distances(touched, shape)?;
    }
    Ok(narrowed)
}

/// Rows are as far apart as the kernel expects them, slices too.
fn distances(touched: &Touched, shape: &Shape) -> Result<(), Misfit> {
    let sizes: Vec<u64> = shape.sizes().iter().map(|size| size.known().unwrap_or(0)).collect();
    let [slice, pitch] = touched.distances();
    let row = sizes.last().copied().unwrap_or(0);
    let slab = sizes.iter().rev().take(2).fold(1_u64, |product, size| product.saturating_mul(*size));
    let [slices, rows] = touched.outer();
    match (rows > 1 && pitch != row, slices > 1 && slice != slab) {
        (true, _) => Err(Misfit::Distance { what: "rows", expected: pitch, found: row }),
        (_, true) => Err(Misfit::Distance { what: "slices", expected: slice, found: slab }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(ranges: &[(u64, u64)]) -> Footprint {
        let ranges: Vec<_> = ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect();
        Footprint::new(&ranges)
    }

    fn shape(sizes: &[u64]) -> Shape {
        let sizes: Vec<_> = sizes.iter().map(|size| Extent::Known(*size)).collect();
        Shape::new(&sizes)
    }

    #[test]
    fn a_part_of_a_line_ends_with_what_is_touched() {
        let line = |touched: u64| fit(&Touched::new(&[touched], None), &given(&[(3, 12)]), &shape(&[20]), true);
        assert_eq!(line(5), Ok(given(&[(3, 8)])));
        assert_eq!(line(9), Ok(given(&[(3, 12)])));
        assert_eq!(line(10), Err(Misfit::TooFew { needed: 10, available: 9 }));
        let rows = Touched::new(&[2, 3], Some([0, 5]));
        assert_eq!(fit(&rows, &given(&[(3, 12)]), &shape(&[20]), true), Err(Misfit::Dimensions(1)));
    }

    #[test]
    fn a_length_takes_one_piece_and_as_much_of_it_as_it_touches() {
        let plane = shape(&[10, 20]);
        let line = Touched::new(&[40], None);
        assert_eq!(fit(&line, &given(&[(2, 6), (0, 20)]), &plane, true), Ok(given(&[(2, 4), (0, 20)])));
        let part = Touched::new(&[41], None);
        assert_eq!(fit(&part, &given(&[(2, 6), (0, 20)]), &plane, false), Ok(given(&[(2, 5), (0, 20)])));
        assert_eq!(fit(&part, &given(&[(2, 6), (0, 20)]), &plane, true), Err(Misfit::WithinRow(41)));
        let row = Touched::new(&[5], None);
        assert_eq!(fit(&row, &given(&[(2, 3), (4, 12)]), &plane, true), Ok(given(&[(2, 3), (4, 9)])));
        let tile = given(&[(2, 6), (0, 10)]);
        assert!(matches!(fit(&line, &tile, &plane, false), Err(Misfit::Rows(_))));
        assert_eq!(
            fit(&part, &given(&[(2, 4), (0, 20)]), &plane, false),
            Err(Misfit::TooFew { needed: 41, available: 40 })
        );
    }

    #[test]
    fn a_box_is_found_if_the_distances_agree() {
        let plane = shape(&[10, 20]);
        let tile = given(&[(2, 6), (5, 15)]);
        let right = Touched::new(&[3, 10], Some([0, 20]));
        assert_eq!(fit(&right, &tile, &plane, true), Ok(given(&[(2, 5), (5, 15)])));
        let wrong = Touched::new(&[3, 10], Some([0, 10]));
        let found = fit(&wrong, &tile, &plane, true);
        assert_eq!(found, Err(Misfit::Distance { what: "rows", expected: 10, found: 20 }));
        assert_eq!(fit(&Touched::new(&[3, 11], Some([0, 20])), &tile, &plane, true), Err(Misfit::TooSmall));
        assert_eq!(fit(&right, &given(&[(0, 200)]), &shape(&[200]), true), Err(Misfit::Dimensions(1)));
        let one_row = Touched::new(&[1, 10], Some([0, 7]));
        assert_eq!(fit(&one_row, &tile, &plane, true), Ok(given(&[(2, 3), (5, 15)])), "a single row has no distance");
    }

    #[test]
    fn slices_have_a_distance_too() {
        let space = shape(&[4, 5, 6]);
        let cube = given(&[(1, 3), (2, 4), (1, 4)]);
        assert!(fit(&Touched::new(&[2, 2, 3], Some([30, 6])), &cube, &space, true).is_ok());
        let found = fit(&Touched::new(&[2, 2, 3], Some([24, 6])), &cube, &space, true);
        assert_eq!(found, Err(Misfit::Distance { what: "slices", expected: 24, found: 30 }));
        let plane = given(&[(1, 2), (2, 4), (1, 4)]);
        assert!(fit(&Touched::new(&[2, 3], Some([0, 6])), &plane, &space, true).is_ok(), "one slice is a plane");
        assert_eq!(fit(&Touched::new(&[2, 3], Some([0, 6])), &cube, &space, true), Err(Misfit::Dimensions(3)));
    }
}
