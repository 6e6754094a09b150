//! CG0503: `limit` is a multiple of `every`.
//!
//! Rejected:
//! ```text
//! while err[0] > 0.1 limit 10 every 4 { … }
//! ```
//! Accepted:
//! ```text
//! while err[0] > 0.1 limit 12 every 4 { … }
//! ```
//! Sound because a pass of the graph holds `every` passes of the body: a whole number of them has to make up the limit.

use super::Report;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Extent, LoopHead, Node, NodeKind, Program, Verdict};

pub(super) fn check(program: &Program, node: &Node, report: &mut Report) {
    if let NodeKind::Loop(head) = &node.kind
        && let Some(limit) = head.limit
    {
        let answer = if head.every_by.is_some() { Verdict::Open } else { divides(head.every, limit) };
        report.add(answer, || finding(program, head, limit));
    }
}

fn divides(every: u32, limit: Extent) -> Verdict {
    match limit {
        _ if every <= 1 => Verdict::Proved,
        Extent::Known(limit) => Verdict::from_bool(limit % u64::from(every) == 0),
        Extent::Symbol(_) => Verdict::Open,
    }
}

fn finding(program: &Program, head: &LoopHead, limit: Extent) -> Finding {
    let (text, every) = (program.extent_text(limit), u64::from(head.every));
    if head.every_by.is_some() {
        let message = format!("`limit {text}` may not be a multiple of `every`");
        return Finding::error(Code::EVERY, head.place, message);
    }
    let Extent::Known(limit) = limit else {
        let message = format!("`limit {text}` may not be a multiple of `every {every}`");
        return Finding::error(Code::EVERY, head.place, message);
    };
    let below = limit / every * every;
    let nearest = below.checked_add(every).unwrap_or(below);
    Finding::error(Code::EVERY, head.place, format!("`limit {limit}` is not a multiple of `every {every}`"))
        .note(format!("the test runs behind every {every} passes, so the loop ends only there"))
        .help(format!("write `limit {nearest}`"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, Head, number, read, update};

    fn limit(every: u32, limit: fn(&mut Builder) -> Extent) -> (Vec<Code>, Vec<Code>) {
        let mut block = Builder::new("g");
        let limit = limit(&mut block);
        let c = block.parameter("c", Mode::Update, number(1));
        block.repeat(Head::on(&[read(c)]).limit(limit).every(every), |block| block.kernel("k", &[update(c)]));
        codes(&block.finish())
    }

    #[test]
    fn the_remainder_decides() {
        assert_eq!(limit(4, |_| number(12)), (vec![], vec![]));
        assert_eq!(limit(1, |block| block.symbol("n")), (vec![], vec![]));
        assert_eq!(limit(4, |_| number(10)), (vec![Code::EVERY], vec![]));
        assert_eq!(limit(4, |block| block.symbol("n")), (vec![], vec![Code::EVERY]));
    }

    #[test]
    fn no_limit_is_too_large() {
        assert_eq!(limit(2, |_| number(u64::MAX)), (vec![Code::EVERY], vec![]));
    }
}
