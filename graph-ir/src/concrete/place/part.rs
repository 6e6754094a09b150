//! What a parameter of a graph inside a graph is given: a whole buffer, a part of one, or one in another shape.

use super::{InstanceId, Placer, missing};
use crate::concrete::{Missing, SymbolValue};
use crate::finding::Finding;
use crate::model::{Access, BufferId, Extent, Footprint, Range, Shape, Strided, View};
use crate::rules::inside;

/// What a buffer's name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) buffer: BufferId,
    part: Option<Part>,
}

/// Elements of a buffer as a buffer: everything here is numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// The parameter.
    parameter: BufferId,
    /// Its shape.
    shape: Shape,
    /// Which elements of the buffer it is.
    given: Footprint,
    /// The buffer's shape.
    whole: Shape,
}

impl Stand {
    /// All of a buffer, as it is.
    pub(super) fn whole(buffer: BufferId) -> Self {
        Self { buffer, part: None }
    }
}

impl Part {
    /// Whether a box of the parameter is the same box of the buffer, from another corner.
    fn is_aligned(&self) -> bool {
        let sizes = self.given.ranges().iter().map(|range| range.length());
        self.shape.rank() == self.whole.rank() && sizes.eq(self.shape.sizes().iter().map(|size| size.known()))
    }

    /// The box of the buffer that a box of the parameter is, if it is one.
    fn place(&self, inner: &Footprint) -> Option<Footprint> {
        if self.is_aligned() {
            let pairs = inner.ranges().iter().zip(self.given.ranges());
            let ranges: Option<Vec<_>> = pairs.map(|(inner, given)| shifted(*inner, given.start.known()?)).collect();
            return Some(Footprint::new(&ranges?));
        }
        let outer = Strided::of(&self.given, &self.whole).filter(Strided::is_contiguous)?;
        let inner = Strided::of(inner, &self.shape).filter(Strided::is_contiguous)?;
        let first = outer.first.checked_add(inner.first)?;
        run(first, inner.elements(), &self.whole)
    }

    /// Where a kernel in the block counts from.
    fn view(&self) -> Option<View> {
        Some(View { first: Strided::of(&self.given, &self.whole)?.first, shape: self.shape })
    }

    /// Whether its rows are apart.
    fn is_apart(&self) -> bool {
        Strided::of(&self.given, &self.whole).is_some_and(|given| !given.is_contiguous())
    }
}

fn shifted(range: Range, by: u64) -> Option<Range> {
    let (start, end) = range.numbers()?;
    Some(Range::known(start.checked_add(by)?, end.checked_add(by)?))
}

/// Elements side by side as a box: all of a line, whole rows, or a piece of one.
fn run(first: u64, count: u64, shape: &Shape) -> Option<Footprint> {
    let sizes: Option<Vec<u64>> = shape.sizes().iter().map(|size| size.known()).collect();
    let (mut ranges, mut first, mut count) = (Vec::new(), first, count);
    for (dimension, size) in sizes?.iter().enumerate().rev() {
        let at = if dimension == 0 { first } else { first.checked_rem(*size).unwrap_or(0) };
        if count == 0 {
            ranges.push(Range::known(0, 0));
        } else if dimension == 0 || at.checked_add(count)? <= *size {
            ranges.push(Range::known(at, at.checked_add(count)?));
            (first, count) = (first.checked_div(*size).unwrap_or(0), 1);
        } else if at == 0 && count % size == 0 {
            ranges.push(Range::known(0, *size));
            (first, count) = (first / size, count / size);
        } else {
            return None;
        }
    }
    ranges.reverse();
    Some(Footprint::new(&ranges))
}

impl Placer<'_> {
    /// What a parameter stands for that is given an access, whose buffer and elements are those of this program. `caller` is where the
    /// access stands, `at` where the parameter does.
    pub(super) fn stand(
        &mut self,
        parameter: BufferId,
        access: &Access,
        (caller, at): (InstanceId, InstanceId),
    ) -> Result<Stand, Missing> {
        let mut shape = self.source.buffer(parameter).shape;
        self.know_shape(&mut shape, at)?;
        let (owner, mut whole) = (self.buffers[access.buffer.0 as usize].0, self.program.buffer(access.buffer).shape);
        self.know_shape(&mut whole, owner)?;
        let mut given = access.footprint;
        self.know(&mut given, caller)?;
        let all = given == Footprint::whole(whole);
        if all && whole == shape {
            return Ok(Stand::whole(access.buffer));
        }
        if shape.elements() != given.elements() {
            let finding = self.other_length(parameter, access, (&shape, &given));
            self.findings.push(finding);
        }
        Ok(Stand { buffer: access.buffer, part: Some(Part { parameter, shape, given, whole }) })
    }

    fn other_length(&self, parameter: BufferId, access: &Access, (shape, given): (&Shape, &Footprint)) -> Finding {
        let (buffer, declared) = (self.program.buffer(access.buffer), self.source.buffer(parameter));
        let text = self.source.shape_text(&declared.shape);
        let (has, wants) = (given.elements().unwrap_or(0), shape.elements().unwrap_or(0));
        let graph = self.source.graphs.iter().find(|graph| graph.parameter_ids().any(|one| one == parameter));
        let graph = graph.map_or("", |graph| graph.name.as_str());
        inside::other_length((&buffer.name, access.place), has, (graph, declared), (&text, wants))
    }

    /// Puts numbers in the place of a footprint's expressions.
    pub(super) fn know(&self, footprint: &mut Footprint, at: InstanceId) -> Result<(), Missing> {
        for range in footprint.ranges_mut() {
            *range = Range { start: self.number(range.start, at)?, end: self.number(range.end, at)? };
        }
        Ok(())
    }

    fn know_shape(&self, shape: &mut Shape, at: InstanceId) -> Result<(), Missing> {
        for size in shape.sizes_mut() {
            *size = self.number(*size, at)?;
        }
        Ok(())
    }

    fn number(&self, extent: Extent, at: InstanceId) -> Result<Extent, Missing> {
        let Extent::Symbol(symbol) = extent else { return Ok(extent) };
        let frame = self.instances[at as usize].frame;
        match self.values.value(frame, symbol) {
            Some(SymbolValue::Extent(value)) => Ok(Extent::Known(value)),
            _ => Err(missing(&self.source.symbols, frame, symbol, "a number of elements")),
        }
    }

    /// Makes an access name what its buffer stands for. `counts`: it is a kernel's in the block, which counts its elements.
    pub(super) fn stand_in(
        &mut self,
        stand: Stand,
        access: &mut Access,
        (at, counts): (InstanceId, bool),
    ) -> Result<(), Missing> {
        access.buffer = stand.buffer;
        let Some(part) = stand.part else { return Ok(()) };
        let mut inner = access.footprint;
        self.know(&mut inner, at)?;
        if inner.is_empty() != crate::model::Verdict::Proved && !Footprint::whole(part.shape).covers(&inner) {
            let buffer = self.source.buffer(part.parameter);
            self.findings.push(inside::outside((&buffer.name, buffer.place), &part.shape, &inner, access.place));
            return Ok(());
        }
        let Some(footprint) = part.place(&inner) else {
            let (given, buffer) = (self.program.buffer(stand.buffer).name.clone(), self.source.buffer(part.parameter));
            self.findings.push(inside::other_shape((&buffer.name, buffer.place), &given, access.place));
            return Ok(());
        };
        (access.footprint, access.ranged) = (footprint, true);
        access.view = part.view();
        if counts && part.is_apart() {
            let buffer = self.source.buffer(part.parameter);
            self.findings.push(inside::in_rows((&buffer.name, buffer.place), access.place));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(sizes: &[u64]) -> Shape {
        Shape::new(&sizes.iter().map(|size| Extent::Known(*size)).collect::<Vec<_>>())
    }

    fn boxed(ranges: &[(u64, u64)]) -> Footprint {
        Footprint::new(&ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect::<Vec<_>>())
    }

    fn part(own: &[u64], given: &[(u64, u64)], whole: &[u64]) -> Part {
        Part { parameter: BufferId(0), shape: shape(own), given: boxed(given), whole: shape(whole) }
    }

    #[test]
    fn a_part_of_a_line_begins_further_on() {
        let half = part(&[8], &[(8, 16)], &[16]);
        assert_eq!(half.place(&boxed(&[(2, 5)])), Some(boxed(&[(10, 13)])));
        assert_eq!(half.view().map(|view| (view.first, view.shape)), Some((8, shape(&[8]))));
    }

    #[test]
    fn a_tile_keeps_the_distance_of_its_rows() {
        let tile = part(&[2, 3], &[(4, 6), (5, 8)], &[10, 20]);
        assert_eq!(tile.place(&boxed(&[(1, 2), (0, 2)])), Some(boxed(&[(5, 6), (5, 7)])));
        assert_eq!(tile.view().map(|view| view.first), Some(85));
        assert!(tile.is_apart() && !part(&[2, 20], &[(4, 6), (0, 20)], &[10, 20]).is_apart());
    }

    #[test]
    fn another_shape_is_found_where_its_elements_lie_in_a_box() {
        let matrix = part(&[3, 4], &[(12, 24)], &[48]);
        assert_eq!(matrix.place(&boxed(&[(1, 3), (0, 4)])), Some(boxed(&[(16, 24)])), "two rows of a line");
        assert_eq!(matrix.place(&boxed(&[(1, 2), (1, 3)])), Some(boxed(&[(17, 19)])), "a piece of one row");
        assert_eq!(matrix.place(&boxed(&[(0, 2), (1, 3)])), None, "columns of a line are no box");
        assert_eq!(matrix.view().map(|view| (view.first, view.shape)), Some((12, shape(&[3, 4]))));
        let line = part(&[12], &[(0, 3), (0, 4)], &[3, 4]);
        assert_eq!(line.place(&boxed(&[(4, 12)])), Some(boxed(&[(1, 3), (0, 4)])));
        assert_eq!(line.place(&boxed(&[(5, 7)])), Some(boxed(&[(1, 2), (1, 3)])));
        assert_eq!(line.place(&boxed(&[(5, 9)])), None, "across the end of a row");
    }

    #[test]
    fn runs_in_three_dimensions() {
        let cube = shape(&[2, 3, 4]);
        assert_eq!(run(12, 12, &cube), Some(boxed(&[(1, 2), (0, 3), (0, 4)])));
        assert_eq!(run(16, 4, &cube), Some(boxed(&[(1, 2), (1, 2), (0, 4)])));
        assert_eq!(run(17, 2, &cube), Some(boxed(&[(1, 2), (1, 2), (1, 3)])));
        assert_eq!(run(8, 8, &cube), None, "across two slices");
    }
}
