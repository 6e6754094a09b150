//! CG0202: a launch names no element twice if it writes it.
//!
//! Rejected:
//! ```text
//! add<<<1, 256>>>(&x[0..6], &mut x[4..10]);
//! ```
//! Accepted:
//! ```text
//! add<<<1, 256>>>(&x[0..5], &mut x[5..10]);
//! add<<<1, 256>>>(&x, &x, &out y);
//! count<<<1, 256>>>(&atomic h, &atomic h);
//! ```
//! Sound because a kernel's threads are not ordered among each other: an element that is read through one argument and written
//! through another has two values. Two reads, or two atomic updates, agree. Copies have a rule of their own (CG0602); a scalar
//! node reads before it writes.

use super::{Report, subject, written};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Node, NodeKind, Place, Program, Verdict};

/// One buffer twice among what a launch or a graph inside the graph is given.
pub(super) fn twins(program: &Program, node: &Node, report: &mut Report) {
    if !matches!(node.kind, NodeKind::Kernel(_) | NodeKind::Host(_) | NodeKind::Capture(_) | NodeKind::Graph(_)) {
        return;
    }
    for (index, later) in node.accesses.iter().enumerate() {
        let twin = node.accesses[..index].iter().find_map(|earlier| {
            let apart = apart(program, earlier, later);
            (apart != Verdict::Proved).then_some((earlier, apart))
        });
        if let Some((earlier, apart)) = twin {
            report.add(apart, || finding(program, node, earlier, later, apart));
        }
    }
}

/// Whether the two accesses may stand in one launch.
pub(super) fn apart(program: &Program, earlier: &Access, later: &Access) -> Verdict {
    if !earlier.mode.conflicts_with(later.mode) {
        return Verdict::Proved;
    }
    match program.same_buffer(earlier.buffer, later.buffer) {
        Verdict::Refuted => return Verdict::Proved,
        Verdict::Open => return Verdict::Open,
        Verdict::Proved => {}
    }
    if !earlier.ranged && !later.ranged {
        return Verdict::Refuted;
    }
    earlier.footprint.disjoint(&later.footprint)
}

/// Two names in a kernel in the block came to one buffer, which is written through one of them.
pub fn in_a_body(names: [&str; 2], meant: &str, later: Place, earlier: Place) -> Finding {
    let message = format!("`{}` and `{}` are one buffer, `{meant}`, and it is written", names[0], names[1]);
    Finding::error(Code::ALIAS, later, message)
        .note_at(earlier, format!("`{}` is the first", names[0]))
        .note("the indices of a kernel in the block run in any order or at once")
        .help("read from a copy, or name two buffers")
}

fn finding(program: &Program, node: &Node, earlier: &Access, later: &Access, apart: Verdict) -> Finding {
    let name = &program.buffer(later.buffer).name;
    let shares = if apart == Verdict::Refuted { "shares" } else { "may share" };
    let message = format!("{} is given `{name}` twice and writes it", subject(node));
    Finding::error(Code::ALIAS, later.place, message)
        .note_at(earlier.place, format!("`{}` is the first", written(program, earlier)))
        .note(format!("`{}` {shares} elements with it", written(program, later)))
        .help(format!("give one of them a copy of `{name}`, or ranges that do not overlap"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, Use, atomic, number, read, update};

    fn launch(uses: impl FnOnce(&mut Builder, crate::model::BufferId) -> Vec<Use>) -> (Vec<Code>, Vec<Code>) {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let x = block.parameter("x", Mode::Update, n);
        let uses = uses(&mut block, x);
        block.kernel("k", &uses);
        let (refuted, mut open) = codes(&block.finish());
        open.retain(|code| *code == Code::ALIAS);
        (refuted, open)
    }

    #[test]
    fn overlapping_ranges_and_whole_buffers_are_refused() {
        let refused = (vec![Code::ALIAS], vec![]);
        assert_eq!(launch(|_, x| vec![read(x), update(x)]), refused);
        assert_eq!(launch(|_, x| vec![read(x).range(0, 6), update(x).range(4, 10)]), refused);
        assert_eq!(launch(|_, x| vec![read(x), atomic(x)]), refused);
    }

    #[test]
    fn ranges_apart_and_modes_that_agree_are_accepted() {
        assert_eq!(launch(|_, x| vec![read(x), read(x)]), (vec![], vec![]));
        assert_eq!(launch(|_, x| vec![atomic(x), atomic(x)]), (vec![], vec![]));
        assert_eq!(launch(|_, x| vec![read(x).range(0, 5), update(x).range(5, 10)]), (vec![], vec![]));
        let chained = launch(|block, x| {
            let (k, n) = (block.symbol("k"), block.symbol("n"));
            vec![read(x).between(number(0), k), update(x).between(k, n)]
        });
        assert_eq!(chained, (vec![], vec![]));
    }

    #[test]
    fn expressions_leave_it_open() {
        let open = launch(|block, x| {
            let k = block.symbol("k");
            vec![read(x).between(number(0), k), update(x).range(5, 10)]
        });
        assert_eq!(open, (vec![], vec![Code::ALIAS]));
    }
}
