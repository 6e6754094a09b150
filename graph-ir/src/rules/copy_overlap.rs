//! CG0602: a copy does not overlap itself.
//!
//! Rejected:
//! ```text
//! copy(&x[0..6], &out x[4..10]);
//! ```
//! Accepted:
//! ```text
//! copy(&x[0..5], &out x[5..10]);
//! ```
//! Sound because the order in which a copy moves elements is not defined: an element on both sides may be read before or after it
//! is replaced.

use super::{Report, alias, brackets};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Node, NodeKind, Program, Verdict};

pub(super) fn check(program: &Program, node: &Node, report: &mut Report) {
    if let (NodeKind::Copy, [from, to]) = (&node.kind, &node.accesses[..]) {
        let apart = alias::apart(program, from, to);
        report.add(apart, || finding(program, node, from, to, apart));
    }
}

fn finding(program: &Program, node: &Node, from: &Access, to: &Access, apart: Verdict) -> Finding {
    let name = &program.buffer(to.buffer).name;
    let overlaps = if apart == Verdict::Refuted { "overlap" } else { "may overlap" };
    let message = format!("the two sides of `{}` {overlaps} in `{name}`", node.label);
    let side = |access: &Access| brackets(program, &access.footprint);
    Finding::error(Code::COPY_OVERLAP, to.place, message)
        .note_at(from.place, format!("it reads {} and writes {}", side(from), side(to)))
        .help("copy through a transient buffer")
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read};

    #[test]
    fn sides_that_share_elements_are_refused_once() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(10));
        block.copy("apart", read(x).range(0, 5), overwrite(x).range(5, 10));
        block.copy("shifted", read(x).range(0, 6), overwrite(x).range(4, 10));
        block.copy("whole", read(x), overwrite(x));
        assert_eq!(codes(&block.finish()), (vec![Code::COPY_OVERLAP; 2], vec![]));
    }

    #[test]
    fn expressions_leave_it_open() {
        let mut block = Builder::new("g");
        let k = block.symbol("k");
        let x = block.parameter("x", Mode::Update, k);
        block.copy("copy", read(x).between(number(0), k), overwrite(x).between(number(0), k));
        let (_, open) = codes(&block.finish());
        assert_eq!(open, [Code::COPY_OVERLAP]);
    }
}
