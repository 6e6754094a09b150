//! CG0601: the two ranges of a copy have the same length.
//!
//! Rejected:
//! ```text
//! copy(&a[0..4], &out b[0..5]);
//! ```
//! Accepted:
//! ```text
//! copy(&a[0..4], &out b[2..6]);
//! ```
//! Sound because a copy moves one element for each element of either side. A range that leaves its buffer is reported as that only.

use super::{Report, both, fits, range_text};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Extent, Footprint, Node, NodeKind, Program, Range, Strided, Verdict};

pub(super) fn check(program: &Program, node: &Node, report: &mut Report) {
    let (NodeKind::Copy, [from, to]) = (&node.kind, &node.accesses[..]) else { return };
    let faulty = |access: &Access| access.ranged && fits(program, access) == Verdict::Refuted;
    if !faulty(from) && !faulty(to) {
        let equal = same_length(program, from, to);
        report.add(equal, || finding(program, node, from, to, equal));
    }
}

/// Whether both sides have the same number of elements, and may be walked together: in boxes of the same sizes, or with one side in
/// one piece.
fn same_length(program: &Program, from: &Access, to: &Access) -> Verdict {
    let (one, two) = (sizes(from), sizes(to));
    if one.len() == two.len() {
        let pairs = one.iter().zip(&two);
        let equal = pairs.fold(Verdict::Proved, |all, (one, two)| both(all, equal_lengths(*one, *two)));
        if equal == Verdict::Proved {
            return equal;
        }
    }
    if let (Some(given), Some(taken)) = (from.footprint.elements(), to.footprint.elements()) {
        let [one_piece, other_piece] = [from, to].map(|side| in_one_piece(program, side));
        return match (given == taken, one_piece, other_piece) {
            (true, Some(true), _) | (true, _, Some(true)) => Verdict::Proved,
            (false, ..) | (true, Some(false), Some(false)) => Verdict::Refuted,
            _ => Verdict::Open,
        };
    }
    match (&one[..], &two[..]) {
        ([one], [two]) => equal_lengths(*one, *two),
        _ => Verdict::Open,
    }
}

/// The ranges without those that are known to have one index.
fn sizes(access: &Access) -> Vec<Range> {
    access.footprint.ranges().iter().copied().filter(|range| range.length() != Some(1)).collect()
}

fn equal_lengths(from: Range, to: Range) -> Verdict {
    if let (Some(from), Some(to)) = (from.length(), to.length()) {
        return Verdict::from_bool(from == to);
    }
    if from.start.equals(to.start) == Verdict::Proved { from.end.equals(to.end) } else { Verdict::Open }
}

/// Whether the elements lie side by side, if that is known.
fn in_one_piece(program: &Program, access: &Access) -> Option<bool> {
    Strided::of(&access.footprint, &program.buffer(access.buffer).shape).map(|strided| strided.is_contiguous())
}

fn length_text(program: &Program, footprint: &Footprint) -> String {
    let of = |range: &Range| match (range.length(), range.start) {
        (Some(length), _) => length.to_string(),
        (None, Extent::Known(0)) => program.extent_text(range.end),
        (None, _) => format!("the length of {}", range_text(program, *range)),
    };
    footprint.ranges().iter().map(of).collect::<Vec<_>>().join(" × ")
}

fn finding(program: &Program, node: &Node, from: &Access, to: &Access, equal: Verdict) -> Finding {
    let side = |access: &Access| (&program.buffer(access.buffer).name, length_text(program, &access.footprint));
    let ((source, given), (target, taken)) = (side(from), side(to));
    let boxes = [from, to].iter().all(|access| access.footprint.ranges().len() > 1);
    let message = if equal == Verdict::Refuted {
        format!("`{}` copies {given} elements of `{source}` to {taken} of `{target}`", node.label)
    } else {
        format!("`{}` may copy ranges of different lengths: {given} and {taken}", node.label)
    };
    Finding::error(Code::COPY_LENGTH, to.place, message).note_at(from.place, format!("`{source}` gives {given}")).help(
        if boxes { "give both sides a box of the same sizes" } else { "give both sides a range of the same length" },
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, Use, number, overwrite, read};

    fn copy(sides: fn(&mut Builder, Use, Use) -> (Use, Use)) -> (Vec<Code>, Vec<Code>) {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let a = block.parameter("a", Mode::Read, n);
        let b = block.parameter("b", Mode::Update, n);
        let (from, to) = sides(&mut block, read(a), overwrite(b));
        block.copy("copy", from, to);
        let (refuted, mut open) = codes(&block.finish());
        open.retain(|code| *code == Code::COPY_LENGTH);
        (refuted, open)
    }

    #[test]
    fn equal_lengths_are_accepted() {
        assert_eq!(copy(|_, a, b| (a, b)), (vec![], vec![]));
        assert_eq!(copy(|_, a, b| (a.range(0, 4), b.range(2, 6))), (vec![], vec![]));
    }

    #[test]
    fn different_numbers_are_refused_and_expressions_open() {
        assert_eq!(copy(|_, a, b| (a.range(0, 4), b.range(0, 5))), (vec![Code::COPY_LENGTH], vec![]));
        let open = copy(|block, a, b| {
            let m = block.symbol("m");
            (a.between(number(0), m), b)
        });
        assert_eq!(open, (vec![], vec![Code::COPY_LENGTH]));
    }
}
