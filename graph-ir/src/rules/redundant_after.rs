//! CG0305: an `after` orders what nothing else orders.
//!
//! Warned of:
//! ```text
//! 'scale: scale<<<1, 256>>>(&x, &out y);
//! 'norm: norm<<<1, 256>>>(&y, &mut sum) after 'scale;
//! ```
//! Not warned of: the same where `norm` reads only a part of `y` that `scale` may not write, or where one of them is a `for`, a graph
//! inside the graph or decided on the host.
//!
//! Sound because only orders count that are there for every value ([`crate::analysis::certain`]). Without cycles all edges that a longer
//! way implies can go at once, and what is left orders the same pairs; the way that is told is one of those that are left. Linear but for
//! what is told.

use std::collections::HashSet;

use super::steps;
use crate::analysis::certain::{certain, is_settled};
use crate::analysis::path::Behind;
use crate::analysis::{Edge, Reason};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{After, Node, NodeId, Place, Program, RegionId};
use crate::optimize::reduce;

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    for region in program.live_regions() {
        if program.region(region).nodes.iter().any(|node| !program.node(*node).after.is_empty()) {
            in_region(program, region, findings);
        }
    }
}

fn in_region(program: &Program, region: RegionId, findings: &mut Vec<Finding>) {
    let edges = certain(program, region);
    let needed: HashSet<_> = reduce(program, region, &edges).iter().filter(|edge| is_after(edge)).map(pair).collect();
    let kept: Vec<Edge> = edges.into_iter().filter(|edge| !is_after(edge) || needed.contains(&pair(edge))).collect();
    let behind = Behind::of(&kept);
    let settled = |node: NodeId| is_settled(program, node);
    for &id in &program.region(region).nodes {
        let node = program.node(id);
        let mut first = HashSet::new();
        for &after in &node.after {
            if !first.insert(after.target) {
                findings.push(twice(program, node, after));
            } else if !needed.contains(&(after.target, id))
                && settled(id)
                && settled(after.target)
                && let Some(path) = behind.path(after.target, id)
            {
                findings.push(finding(program, node, after, &path));
            }
        }
    }
}

fn pair(edge: &Edge) -> (NodeId, NodeId) {
    (edge.from, edge.to)
}

fn is_after(edge: &Edge) -> bool {
    matches!(edge.reason, Reason::After { .. })
}

fn twice(program: &Program, node: &Node, after: After) -> Finding {
    let target = &program.node(after.target).label;
    let message = format!("`{}` is to wait for `{target}` twice", node.label);
    Finding::error(Code::REDUNDANT_AFTER, after.place, message).help(format!("write `'{target}` once")).warning()
}

fn finding(program: &Program, node: &Node, after: After, path: &[Edge]) -> Finding {
    let target = &program.node(after.target).label;
    let message = format!("`{}` waits for `{target}` without this `after`", node.label);
    let told = |finding: Finding, (text, place): (String, Place)| finding.note_at(place, text);
    let finding = Finding::error(Code::REDUNDANT_AFTER, after.place, message);
    let finding = path.iter().map(|edge| steps::step(program, edge)).fold(finding, told);
    finding.help(format!("remove `after '{target}`")).warning()
}

#[cfg(test)]
mod tests {
    use super::super::advise;
    use crate::code::Code;
    use crate::finding::Finding;
    use crate::model::{Extent, Mode, Program};
    use crate::testing::{Builder, number, overwrite, read, update};

    fn told(program: &Program) -> Vec<Finding> {
        let found = advise(program).into_iter();
        found.filter(|finding| finding.code == Code::REDUNDANT_AFTER).collect()
    }

    /// `a` writes x, `b` reads it and writes y, `c` reads y, `d` touches nothing; each pair is `(waiting, target)`.
    fn chain(afters: &[(usize, usize)]) -> Vec<Finding> {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let y = block.parameter("y", Mode::Update, number(4));
        let nodes = [
            block.kernel("a", &[update(x)]),
            block.kernel("b", &[read(x), update(y)]),
            block.kernel("c", &[read(y)]),
            block.kernel("d", &[]),
        ];
        for (waiting, target) in afters {
            block.after(nodes[*waiting], nodes[*target]);
        }
        told(&block.finish())
    }

    fn texts(finding: &Finding) -> Vec<&str> {
        finding.notes.iter().map(|note| note.text.as_str()).collect()
    }

    #[test]
    fn the_way_is_told_step_by_step() {
        let found = chain(&[(2, 0)]);
        assert_eq!(found[0].message, "`c` waits for `a` without this `after`");
        let steps = [
            "`b` waits for `a`: it reads `x`, which kernel `a` writes",
            "`c` waits for `b`: it reads `y`, which kernel `b` writes",
        ];
        assert_eq!(texts(&found[0]), steps);
        assert_eq!(found[0].help.as_deref(), Some("remove `after 'a`"));
    }

    #[test]
    fn an_after_that_orders_something_is_not_told() {
        assert_eq!(chain(&[(3, 0)]), []);
        assert_eq!(chain(&[(3, 2)]), []);
        assert_eq!(chain(&[(0, 3)]), []);
    }

    #[test]
    fn of_several_the_needed_one_stays() {
        let found = chain(&[(3, 2), (3, 0)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "`d` waits for `a` without this `after`");
        assert_eq!(texts(&found[0])[2], "`d` waits for `c` because of this `after`");
        let twice = chain(&[(3, 1), (3, 1)]);
        assert_eq!(twice.len(), 1);
        assert_eq!(twice[0].message, "`d` is to wait for `b` twice");
    }

    #[test]
    fn ranges_that_may_be_apart_are_no_order() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let k = block.symbol("k");
        let x = block.parameter("x", Mode::Update, n);
        let uses = [overwrite(x), read(x).between(k, n), update(x).range(2, 4), update(x).range(3, 5)];
        let nodes = uses.map(|used| block.kernel("k", &[used]));
        block.after(nodes[1], nodes[0]);
        block.after(nodes[3], nodes[2]);
        assert_eq!(told(&block.finish()), [], "the first kernel may be declared to write less, the third too");

        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let x = block.parameter("x", Mode::Update, n);
        let (first, second) = (block.kernel("a", &[overwrite(x)]), block.kernel("b", &[read(x)]));
        block.after(second, first);
        assert_eq!(told(&block.finish()).len(), 1, "both begin with the first element");
    }

    #[test]
    fn what_the_host_decides_is_no_step() {
        for decided in [false, true] {
            let mut block = Builder::new("g");
            let x = block.parameter("x", Mode::Update, number(4));
            let y = block.parameter("y", Mode::Update, number(4));
            let first = block.kernel("a", &[overwrite(x)]);
            let between = [read(x), update(y).between(Extent::ZERO, number(4))];
            if decided {
                block.host_if("flag", |block| block.kernel("b", &between), |_| ());
            } else {
                block.when(&[read(x)], |block| block.kernel("b", &between));
            }
            let last = block.kernel("c", &[update(y)]);
            block.after(last, first);
            assert_eq!(told(&block.finish()).is_empty(), decided);
        }
    }
}
