//! CG0301: no statements wait for each other.
//!
//! Rejected:
//! ```text
//! 'norm: norm<<<1, 256>>>(&x, &mut err) after 'update;
//! 'update: update<<<n, 256>>>(&err, &mut x);
//! ```
//! Accepted: an `after` that points down the text, between statements that share nothing that either writes:
//! ```text
//! 'norm: norm<<<1, 256>>>(&x, &mut err) after 'log;
//! 'log: log<<<1, 256>>>(&mut journal);
//! ```
//! Sound because the edges found have the same transitive closure as all that must be kept ([`crate::analysis::dependence`]). All
//! edges but those of an `after` point down the text, so every cycle has an `after`, where it is reported. One finding for each set
//! of statements that all wait for each other: its shortest cycle. Open where each cycle needs an edge between ranges that may turn out
//! disjoint, between two of a list that may turn out to be different buffers, or with what the host may leave out.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::Report;
use super::steps;
use crate::analysis::certain::is_fixed;
use crate::analysis::path::Behind;
use crate::analysis::{Edge, Reason, constraints};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{NodeId, Place, Program};

pub(super) fn check(program: &Program, report: &mut Report) {
    for region in program.live_regions() {
        if !program.region(region).nodes.iter().any(|node| !program.node(*node).after.is_empty()) {
            continue;
        }
        let edges = constraints(program, region);
        for knot in knots(&edges) {
            let inside = |edge: &&Edge| knot.contains(&edge.from.0) && knot.contains(&edge.to.0);
            let fixed: Vec<_> = edges.iter().filter(inside).filter(|edge| is_fixed(program, edge)).copied().collect();
            let sure = knots(&fixed);
            if sure.is_empty() {
                report.open.extend(shortest(&edges, &knot).and_then(|cycle| finding(program, &cycle)));
            }
            let cycles = sure.iter().filter_map(|knot| shortest(&fixed, knot));
            report.refuted.extend(cycles.filter_map(|cycle| finding(program, &cycle)));
        }
    }
}

/// The sets of nodes that wait for each other.
pub(super) fn knots(edges: &[Edge]) -> Vec<BTreeSet<u32>> {
    let graph = DiGraph::<(), ()>::from_edges(edges.iter().map(|edge| (edge.from.0, edge.to.0)));
    let knots = tarjan_scc(&graph).into_iter();
    let cyclic = knots.filter(|knot| knot.len() > 1 || knot.iter().any(|node| graph.contains_edge(*node, *node)));
    cyclic.map(|knot| knot.into_iter().map(|node| node.index() as u32).collect()).collect()
}

/// The shortest cycle through an `after` of the knot; it begins with that `after`'s own node and ends with the `after`.
fn shortest(edges: &[Edge], knot: &BTreeSet<u32>) -> Option<Vec<Edge>> {
    let inside: Vec<_> = edges.iter().filter(|edge| knot.contains(&edge.from.0) && knot.contains(&edge.to.0)).collect();
    let behind = Behind::of(inside.iter().copied());
    let explicit = inside.iter().filter(|edge| matches!(edge.reason, Reason::After { .. }));
    let cycles = explicit.filter_map(|after| {
        let mut path = behind.path(after.to, after.from)?;
        path.push(**after);
        Some(path)
    });
    cycles.min_by_key(Vec::len)
}

fn finding(program: &Program, cycle: &[Edge]) -> Option<Finding> {
    let (last, data) = cycle.split_last()?;
    let Reason::After { place } = last.reason else { return None };
    let label = |node: NodeId| format!("`{}`", program.node(node).label);
    if data.is_empty() {
        let message = format!("{} waits for itself", label(last.to));
        return Some(Finding::error(Code::CYCLE, place, message).help(cure(program, place)));
    }
    let mut names = vec![label(last.to)];
    names.extend(cycle.iter().map(|edge| label(edge.to)));
    let mut finding = Finding::error(Code::CYCLE, place, format!("dependency cycle: {}", names.join(" -> ")));
    for edge in data {
        let (text, place) = steps::step(program, edge);
        finding = finding.note_at(place, text);
    }
    let waits = format!("{} waits for {}", label(last.to), label(last.from));
    let cure = match data {
        [edge] if program.is_given(edge.from, edge.to) => format!("move {} above {}", label(edge.to), label(edge.from)),
        _ => cure(program, place),
    };
    Some(finding.note(format!("{waits} because of the marked `after`")).help(cure))
}

fn cure(program: &Program, place: Place) -> String {
    let target = program.nodes.iter().flat_map(|node| &node.after).find(|after| after.place == place);
    target.map_or_else(String::new, |after| format!("remove `after '{}`", program.node(after.target).label))
}

#[cfg(test)]
mod tests {
    use super::super::{check, tests::refuted};
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, Use, number, read, update};

    /// `a` writes x, `b` reads it and writes y, `c` reads y; `first` waits for `last`.
    fn chain(first: usize, last: usize) -> Program {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let y = block.parameter("y", Mode::Update, number(4));
        let nodes = [
            block.kernel("a", &[update(x)]),
            block.kernel("b", &[read(x), update(y)]),
            block.kernel("c", &[read(y)]),
            block.kernel("d", &[]),
        ];
        block.after(nodes[first], nodes[last]);
        block.finish()
    }

    #[test]
    fn the_whole_path_is_named_with_its_reasons() {
        let program = chain(0, 2);
        let report = check(&program);
        let [finding] = &report.refuted[..] else { panic!("one finding expected: {report:?}") };
        assert_eq!(finding.message, "dependency cycle: `a` -> `b` -> `c` -> `a`");
        assert_eq!(finding.place, program.nodes[0].after[0].place);
        assert_eq!(finding.notes[0].text, "`b` waits for `a`: it reads `x`, which kernel `a` writes");
        assert_eq!(finding.notes[0].place, Some(program.nodes[1].accesses[0].place));
        assert_eq!(finding.help.as_deref(), Some("remove `after 'c`"));
    }

    #[test]
    fn an_after_between_free_statements_may_point_anywhere() {
        assert_eq!(refuted(&chain(2, 0)), []);
        assert_eq!(refuted(&chain(0, 3)), []);
    }

    #[test]
    fn a_statement_that_waits_for_itself_is_a_cycle() {
        let report = check(&chain(3, 3));
        assert_eq!(report.refuted[0].message, "`d` waits for itself");
        assert_eq!(report.refuted.len(), 1);
    }

    /// `a after 'b`, of which each updates a part of `x`, or one of a list.
    fn upwards(parts: impl FnOnce(&mut Builder) -> [Use; 2]) -> (usize, usize) {
        let mut block = Builder::new("g");
        let parts = parts(&mut block);
        let (a, b) = (block.kernel("a", &parts[..1]), block.kernel("b", &parts[1..]));
        block.after(a, b);
        let report = check(&block.finish());
        let cycles = |findings: &[Finding]| findings.iter().filter(|finding| finding.code == Code::CYCLE).count();
        (cycles(&report.refuted), cycles(&report.open))
    }

    #[test]
    fn a_cycle_that_a_number_decides_is_open() {
        let ranges = |first: [&'static str; 2], second: [&'static str; 2]| {
            upwards(|block| {
                let n = block.symbol("n");
                let x = block.parameter("x", Mode::Update, n);
                [first, second].map(|[start, end]| update(x).between(block.symbol(start), block.symbol(end)))
            })
        };
        assert_eq!(ranges(["a", "b"], ["c", "d"]), (0, 1), "the ranges may overlap");
        assert_eq!(ranges(["a", "b"], ["a", "b"]), (1, 0), "they are the same");
        assert_eq!(ranges(["a", "b"], ["b", "c"]), (0, 0), "one begins where the other ends");
        let items = |first: (&'static str, bool), second: (&'static str, bool)| {
            upwards(|block| {
                let n = block.symbol("n");
                let list = block.transients("w", n);
                [first, second].map(|(text, literal)| update(block.member(list, text, literal)))
            })
        };
        assert_eq!(items(("w[i]", false), ("w[j]", false)), (0, 1), "they may be the same");
        assert_eq!(items(("w[i]", false), ("w[i]", false)), (1, 0));
        assert_eq!(items(("w[0]", true), ("w[1]", true)), (0, 0), "they are not");
    }

    #[test]
    fn independent_cycles_are_reported_each() {
        let mut block = Builder::new("g");
        for _ in 0..2 {
            let (a, b) = (block.kernel("a", &[]), block.kernel("b", &[]));
            block.after(a, b);
            block.after(b, a);
        }
        let report = check(&block.finish());
        assert_eq!(report.refuted.len(), 2);
    }
}
