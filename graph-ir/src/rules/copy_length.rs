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

use super::{Report, fits, live_nodes, range_text};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Extent, Footprint, Node, NodeKind, Program, Verdict};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program).filter(|node| node.kind == NodeKind::Copy) {
        let [from, to] = &node.accesses[..] else { continue };
        let faulty = |access: &Access| access.ranged && fits(program, access) == Verdict::Refuted;
        if !faulty(from) && !faulty(to) {
            let equal = same_length(from.footprint, to.footprint);
            report.add(equal, || finding(program, node, from, to, equal));
        }
    }
}

fn known_length(footprint: Footprint) -> Option<u64> {
    footprint.end.known()?.checked_sub(footprint.start.known()?)
}

fn same_length(from: Footprint, to: Footprint) -> Verdict {
    if let (Some(from), Some(to)) = (known_length(from), known_length(to)) {
        return Verdict::from_bool(from == to);
    }
    if from.start.equals(to.start) == Verdict::Proved { from.end.equals(to.end) } else { Verdict::Open }
}

fn length_text(program: &Program, footprint: Footprint) -> String {
    match (known_length(footprint), footprint.start) {
        (Some(length), _) => length.to_string(),
        (None, Extent::Known(0)) => program.extent_text(footprint.end),
        (None, _) => format!("the length of {}", range_text(program, footprint)),
    }
}

fn finding(program: &Program, node: &Node, from: &Access, to: &Access, equal: Verdict) -> Finding {
    let side = |access: &Access| (&program.buffer(access.buffer).name, length_text(program, access.footprint));
    let ((source, given), (target, taken)) = (side(from), side(to));
    let message = if equal == Verdict::Refuted {
        format!("`{}` copies {given} elements of `{source}` to {taken} of `{target}`", node.label)
    } else {
        format!("`{}` may copy ranges of different lengths: {given} and {taken}", node.label)
    };
    Finding::error(Code::COPY_LENGTH, to.place, message)
        .note_at(from.place, format!("`{source}` gives {given}"))
        .help("give both sides a range of the same length")
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
