//! CG0502: the write that is to end a loop can be reached.
//!
//! Warned of:
//! ```text
//! while left[0] > 0 { step<<<1, 256>>>(&mut x);  if go[0] != 0 { left[0] -= 1; } }
//! ```
//! Not warned of: the same with a `limit`, or with a `step` that may write `go`.
//!
//! Sound because a test that reads only what no pass writes decides in each pass as in the first: if it leaves the write out then, it always
//! does, and what the loop reads stays as it is.

use super::{is_mailbox, live_nodes, stands_for_itself};
use crate::analysis::effects::accesses;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, LoopHead, Node, NodeId, NodeKind, Place, Program, RegionId, Verdict};

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    for node in live_nodes(program) {
        if let NodeKind::Loop(head) = &node.kind
            && head.limit.is_none()
            && let Some(test) = &head.test
            && let Some(guard) = only_guard(program, node, head)
        {
            findings.push(finding(program, node, test.place, guard));
        }
    }
}

/// How a body writes what its loop's test reads.
enum Writes<'p> {
    Never,
    /// Only where this conditional lets it.
    Behind(&'p Node),
    /// In each pass, or nobody knows.
    Maybe,
}

/// The conditional that decides alone, and always alike, whether the loop's test can change.
fn only_guard<'p>(program: &'p Program, node: &'p Node, head: &LoopHead) -> Option<&'p Node> {
    let written: Vec<Access> = program
        .region(head.body)
        .nodes
        .iter()
        .flat_map(|node| accesses(program, *node).into_owned())
        .filter(|access| access.mode.writes())
        .collect();
    let sure = |node: &Node| {
        node.accesses.iter().all(|read| stands_for_itself(program, read.buffer) && !is_mailbox(program, read))
    };
    match writes(program, &node.accesses, &written, head.body) {
        Writes::Behind(guard) => (sure(node) && sure(guard)).then_some(guard),
        Writes::Never | Writes::Maybe => None,
    }
}

fn writes<'p>(program: &'p Program, reads: &[Access], written: &[Access], body: RegionId) -> Writes<'p> {
    let mut answer = Writes::Never;
    for node in &program.region(body).nodes {
        match by_node(program, reads, written, *node) {
            Writes::Never => {}
            Writes::Maybe => return Writes::Maybe,
            behind @ Writes::Behind(_) => {
                if matches!(answer, Writes::Behind(_)) {
                    return Writes::Maybe;
                }
                answer = behind;
            }
        }
    }
    answer
}

fn by_node<'p>(program: &'p Program, reads: &[Access], written: &[Access], id: NodeId) -> Writes<'p> {
    let touches = |access: &Access| access.mode.writes() && meets_any(program, reads, access);
    if !accesses(program, id).iter().any(touches) {
        return Writes::Never;
    }
    let node = program.node(id);
    let arms = match &node.kind {
        NodeKind::If { then, otherwise: None, .. } => vec![*then],
        NodeKind::If { then, otherwise: Some(otherwise), .. } => vec![*then, *otherwise],
        _ => return Writes::Maybe,
    };
    let fixed = !node.accesses.is_empty() && !node.accesses.iter().any(|read| meets_any(program, written, read));
    let left_out =
        arms.len() == 1 || arms.iter().any(|arm| matches!(writes(program, reads, written, *arm), Writes::Never));
    if fixed && left_out { Writes::Behind(node) } else { Writes::Maybe }
}

/// Whether an access may touch an element of any of these.
fn meets_any(program: &Program, list: &[Access], access: &Access) -> bool {
    list.iter().any(|other| {
        let apart = program.same_buffer(other.buffer, access.buffer) == Verdict::Refuted;
        !apart && other.footprint.disjoint(&access.footprint) != Verdict::Proved
    })
}

fn names(program: &Program, node: &Node) -> String {
    let mut names: Vec<_> =
        node.accesses.iter().map(|read| format!("`{}`", program.buffer(read.buffer).name)).collect();
    names.dedup();
    names.join(" and ")
}

fn finding(program: &Program, node: &Node, test: Place, guard: &Node) -> Finding {
    let (word, read, fixed) = (node.kind.word(), names(program, node), names(program, guard));
    let place = guard.kind.test().map_or(guard.place, |test| test.place);
    Finding::error(Code::ENDLESS, place, format!("whether {read} changes depends on {fixed}, which no pass writes"))
        .note_at(test, format!("the test of this `{word}` reads {read}"))
        .note(format!("where this `if` leaves the write out once, it always does, and the `{word}` never ends"))
        .help(format!("end the `{word}` with a `limit`, or test {fixed} in front of it"))
        .warning()
}

#[cfg(test)]
mod tests {
    use super::super::{advise, check};
    use super::*;
    use crate::finding::Level;
    use crate::model::{BufferId, Mode};
    use crate::testing::{Builder, Head, number, read, update};

    /// How many warnings a loop on `c` gets, with `go` and `x` beside it.
    fn told(head: impl FnOnce(Head<'_>) -> Head<'_>, body: impl FnOnce(&mut Builder, [BufferId; 3])) -> usize {
        let mut block = Builder::new("g");
        let c = block.parameter("c", Mode::Update, number(2));
        let go = block.parameter("go", Mode::Update, number(1));
        let x = block.parameter("x", Mode::Update, number(4));
        block.repeat(head(Head::on(&[read(c).range(0, 1)])), |block| body(block, [c, go, x]));
        let program = block.finish();
        assert_eq!(check(&program).refuted, []);
        let found = advise(&program);
        assert!(found.iter().all(|finding| finding.code == Code::ENDLESS && finding.level == Level::Warning));
        found.len()
    }

    fn counts(block: &mut Builder, c: BufferId) {
        block.kernel("count", &[update(c).range(0, 1)]);
    }

    #[test]
    fn a_write_behind_what_no_pass_changes_is_told() {
        let guarded = |block: &mut Builder, [c, go, x]: [BufferId; 3]| {
            block.kernel("step", &[update(x)]);
            block.when(&[read(go)], |block| counts(block, c));
        };
        assert_eq!(told(|head| head, guarded), 1);
        assert_eq!(told(|head| head.limit(number(9)), guarded), 0);
        let one_arm = |block: &mut Builder, [c, go, x]: [BufferId; 3]| {
            block.when_else(&[read(go)], |block| counts(block, c), |block| block.kernel("step", &[update(x)]));
        };
        assert_eq!(told(|head| head, one_arm), 1);
    }

    #[test]
    fn what_may_change_is_not() {
        assert_eq!(
            told(
                |head| head,
                |block, [c, go, x]| {
                    block.when(&[read(go)], |block| counts(block, c));
                    block.kernel("step", &[update(x), update(go)]);
                }
            ),
            0
        );
        assert_eq!(
            told(
                |head| head,
                |block, [c, ..]| {
                    block.when(&[read(c).range(0, 1)], |block| counts(block, c));
                }
            ),
            0
        );
        assert_eq!(
            told(
                |head| head,
                |block, [c, go, _]| {
                    block.when(&[read(go)], |block| counts(block, c));
                    counts(block, c);
                }
            ),
            0
        );
        assert_eq!(
            told(
                |head| head,
                |block, [c, go, _]| {
                    block.when_else(&[read(go)], |block| counts(block, c), |block| counts(block, c));
                }
            ),
            0
        );
        assert_eq!(
            told(
                |head| head,
                |block, [c, go, x]| {
                    block.when(&[read(go)], |block| counts(block, c));
                    block.when(&[read(x)], |block| counts(block, c));
                }
            ),
            0,
            "two conditions: one of them may hold"
        );
    }
}
