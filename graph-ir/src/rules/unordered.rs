//! CG0302: in an `#[explicit]` graph `after` orders whatever must be in order.
//!
//! Rejected:
//! ```text
//! 'scale: scale<<<1, 256>>>(&x, &out y);
//! 'norm: norm<<<1, 256>>>(&y, &mut sum);
//! ```
//! Accepted: the same with a way of `after`s from one to the other:
//! ```text
//! 'scale: scale<<<1, 256>>>(&x, &out y);
//! 'norm: norm<<<1, 256>>>(&y, &mut sum) after 'scale;
//! ```
//! Sound because the [constraints](crate::analysis::dependence) have the same transitive closure as all pairs that must be in order: if
//! a way of edges leads from one end of each constraint to the other, the edges keep them all. A way in the wrong direction is a cycle with
//! the constraint, which CG0301 reports. Until numbers are known a constraint may be too careful; it is refuted if it is certain
//! ([`crate::analysis::certain`]). Costs what a transitive reduction does.

use std::collections::{BTreeSet, HashSet};

use super::cycle::knots;
use super::{Report, elements_text, subject};
use crate::analysis::certain::{is_fixed, surely};
use crate::analysis::effects::event;
use crate::analysis::path::Behind;
use crate::analysis::reach::ordered;
use crate::analysis::{Edge, HazardKind, Reason, accesses, constraints, dependences};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Node, NodeId, Place, Program, RegionId, Verdict};

pub(super) fn check(program: &Program, report: &mut Report) {
    if program.has_explicit() {
        program.live_regions().into_iter().for_each(|region| in_region(program, region, report));
    }
}

fn in_region(program: &Program, region: RegionId, report: &mut Report) {
    let wanted = constraints(program, region);
    let fixed: Vec<Edge> = wanted.iter().filter(|edge| is_fixed(program, edge)).copied().collect();
    let knots = knots(&fixed);
    let edges = dependences(program, region);
    let there: HashSet<_> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let open = |edge: &&Edge| !there.contains(&(edge.from, edge.to)) && !in_one(&knots, edge);
    let open: Vec<&Edge> = wanted.iter().filter(open).collect();
    let kept = kept(&program.region(region).nodes, &edges, &open);
    let mut said = HashSet::new();
    for edge in open.into_iter().zip(kept).filter(|(_, kept)| !kept).map(|(edge, _)| edge) {
        let statements =
            [(edge.from, edge.to), (edge.to, edge.from)].map(|(one, other)| program.statement_beside(one, other));
        if said.insert(statements) {
            let certain = surely(program, *edge);
            let verdict = if program.concrete || certain.is_some() { Verdict::Refuted } else { Verdict::Open };
            report.add(verdict, || finding(program, &certain.unwrap_or(*edge), statements, verdict));
        }
    }
}

/// Whether a way of edges keeps each of these.
fn kept(nodes: &[NodeId], edges: &[Edge], open: &[&Edge]) -> Vec<bool> {
    let pairs: Vec<_> = open.iter().map(|edge| (edge.from, edge.to)).collect();
    ordered(nodes, edges, &pairs).unwrap_or_else(|| {
        // In a cycle there is no order to sweep in.
        let behind = Behind::of(edges);
        pairs.iter().map(|(from, to)| behind.path(*from, *to).is_some()).collect()
    })
}

/// Whether both ends are in one cycle.
fn in_one(knots: &[BTreeSet<u32>], edge: &Edge) -> bool {
    knots.iter().any(|knot| knot.contains(&edge.from.0) && knot.contains(&edge.to.0))
}

fn finding(program: &Program, edge: &Edge, statements: [NodeId; 2], verdict: Verdict) -> Finding {
    let from = program.node(edge.from);
    let (conflict, place) = conflict(program, edge, verdict);
    let mut finding = Finding::error(Code::UNORDERED, place, format!("{conflict}, and no `after` orders them"));
    if let Reason::Hazard { kind, from: first, to: second, .. } = edge.reason {
        let (does, did) = verbs(kind);
        let [earlier, later] = [(edge.from, first), (edge.to, second)].map(|(node, place)| at(program, node, place));
        let text = |access: Option<&Access>| access.map_or_else(String::new, |access| elements_text(program, access));
        finding = finding.note_at(first, format!("{} {did} `{}` here", subject(from), text(earlier.as_ref())));
        if [&earlier, &later].into_iter().flatten().any(|access| access.ranged) {
            let to = subject(program.node(edge.to));
            finding = finding.note(format!("{to} {does}s `{}`", text(later.as_ref())));
        }
    } else {
        finding = finding.note_at(from.place, format!("{} is here", subject(from)));
    }
    finding.note("this graph is `#[explicit]`: `after` is its only order").help(cure(program, statements))
}

/// The access of a node, or of one in its bodies, that a place shows.
fn at(program: &Program, node: NodeId, place: Place) -> Option<Access> {
    accesses(program, node).iter().find(|access| access.place == place).copied()
}

/// What the later one does, and what the earlier one did.
fn verbs(kind: HazardKind) -> (&'static str, &'static str) {
    match kind {
        HazardKind::ReadAfterWrite => ("read", "writes"),
        HazardKind::WriteAfterWrite => ("write", "writes"),
        HazardKind::WriteAfterRead => ("write", "reads"),
    }
}

/// What the two have in common, and where the later one says so.
fn conflict(program: &Program, edge: &Edge, verdict: Verdict) -> (String, Place) {
    let [from, to] = [edge.from, edge.to].map(|node| program.node(node));
    let [one, other] = [from, to].map(subject);
    match edge.reason {
        Reason::Hazard { kind, buffer, to: place, .. } => {
            let (name, (does, did)) = (&program.buffer(buffer).name, verbs(kind));
            let too = if kind == HazardKind::WriteAfterWrite { " too" } else { "" };
            let text = match verdict {
                Verdict::Open => format!("{other} may {does} elements of `{name}` that {one} {did}{too}"),
                _ => format!("{other} {does}s `{name}`, which {one} {did}{too}"),
            };
            (text, place)
        }
        Reason::Object { object } => {
            (format!("{one} and {other} both use `{}` alone", program.object(object).name), to.place)
        }
        // Rules see what the block demands: no edge of a lane is among that.
        Reason::Effects | Reason::After { .. } | Reason::Lane { .. } => {
            (format!("{one} and {other} both have effects"), to.place)
        }
        Reason::Fence { .. } => {
            let later = event(program, edge.to, &|_| true).is_some();
            let (fence, passing) = if later { (&other, &one) } else { (&one, &other) };
            (format!("{fence} is a fence that {passing} must not pass"), to.place)
        }
    }
}

fn cure(program: &Program, statements: [NodeId; 2]) -> String {
    let [from, to] = statements.map(|node| program.node(node));
    let named = label(from);
    let end = if to.labelled { format!("of `'{}`", to.label) } else { "of this statement".to_owned() };
    let order = match to.after.last() {
        Some(_) => format!("add `'{named}` to the `after` {end}"),
        None => format!("write `after '{named}` at the end {end}"),
    };
    if from.labelled { order } else { format!("put `'{named}:` in front of {}, and {order}", subject(from)) }
}

/// A node's label, or one that it could have: keywords are none.
fn label(node: &Node) -> String {
    match node.kind.word() {
        _ if node.labelled => node.label.to_string(),
        "for" => "passes".to_owned(),
        "while" | "loop" => "turns".to_owned(),
        "if" | "match" => "choice".to_owned(),
        _ => node.label.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{check, tests::codes};
    use super::*;
    use crate::concrete::{SymbolValue, concretize};
    use crate::model::{Mode, NodeKind, Object, ObjectId, ObjectKind, SymbolId};
    use crate::testing::{Builder, number, overwrite, read};

    /// `a` writes x, `b` reads it and writes y, `c` reads y; each pair is `(waiting, target)`.
    fn chain(afters: &[(usize, usize)]) -> Program {
        let mut block = Builder::new("g");
        block.explicit();
        let x = block.parameter("x", Mode::Update, number(4));
        let y = block.parameter("y", Mode::Update, number(4));
        let nodes = [
            block.copy("a", read(y), overwrite(x)),
            block.copy("b", read(x), overwrite(y)),
            block.copy("c", read(y), overwrite(x)),
        ];
        for (waiting, target) in afters {
            block.after(nodes[*waiting], nodes[*target]);
        }
        block.finish()
    }

    #[test]
    fn each_pair_that_no_way_orders_is_refused_once() {
        assert_eq!(codes(&chain(&[])).0, [Code::UNORDERED; 2], "a to c follows from the others");
        assert_eq!(codes(&chain(&[(1, 0)])).0, [Code::UNORDERED]);
        assert_eq!(codes(&chain(&[(1, 0), (2, 1)])), (vec![], vec![]));
        assert_eq!(codes(&chain(&[(2, 0), (2, 1)])).0, [Code::UNORDERED]);
    }

    #[test]
    fn both_sides_and_the_edge_to_add_are_named() {
        let program = chain(&[(2, 1)]);
        let report = check(&program);
        let [finding] = &report.refuted[..] else { panic!("one finding expected: {report:?}") };
        assert_eq!(finding.message, "`b` reads `x`, which `a` writes, and no `after` orders them");
        assert_eq!(finding.place, program.nodes[1].accesses[0].place);
        assert_eq!(finding.notes[0].place, Some(program.nodes[0].accesses[1].place));
        assert_eq!(finding.help.as_deref(), Some("write `after 'a` at the end of `'b`"));
    }

    #[test]
    fn the_wrong_direction_is_a_cycle_and_nothing_else() {
        assert_eq!(codes(&chain(&[(0, 1), (2, 1)])).0, [Code::CYCLE]);
    }

    #[test]
    fn a_fence_is_certain_only_for_what_it_names() {
        let mut block = Builder::new("g");
        block.explicit();
        block.program().objects.push(Object { name: "e".to_owned(), kind: ObjectKind::Event, place: Place(0) });
        let (n, a) = (block.symbol("n"), block.symbol("a"));
        let x = block.parameter("x", Mode::Read, n);
        let y = block.parameter("y", Mode::Update, n);
        // The test reads all of `x` too, and is no fence.
        block.when(&[read(x)], |block| {
            block.node("record", NodeKind::Record(ObjectId(0)), &[read(x).between(number(0), a)])
        });
        block.copy("later", read(x), overwrite(y));
        let (refuted, open) = codes(&block.finish());
        assert!(!refuted.contains(&Code::UNORDERED) && open.contains(&Code::UNORDERED), "{refuted:?}, {open:?}");
    }

    #[test]
    fn numbers_decide_what_expressions_leave_open() {
        let mut block = Builder::new("g");
        block.explicit();
        let (k, j) = (block.symbol("k"), block.symbol("j"));
        let n = block.symbol("n");
        let x = block.parameter("x", Mode::Update, n);
        block.fill("low", overwrite(x).between(number(0), k));
        block.fill("high", overwrite(x).between(k, n));
        assert_eq!(codes(block.program()).1.iter().filter(|code| **code == Code::UNORDERED).count(), 0);
        block.fill("middle", overwrite(x).between(j, n));
        let open = codes(block.program()).1.into_iter().filter(|code| *code == Code::UNORDERED);
        assert_eq!(open.count(), 2, "it may meet both");
        let value = |j| move |symbol: SymbolId| Some(SymbolValue::Extent([4, j, 8][symbol.0 as usize]));
        let program = block.finish();
        let refused = |j| codes(&concretize(&program, &value(j)).unwrap().program).0.len();
        assert_eq!([refused(2), refused(5), refused(8)], [2, 1, 0]);
    }
}
