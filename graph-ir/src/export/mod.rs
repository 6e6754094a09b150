//! Graphs as text for people: [`dot`] for Graphviz, [`mermaid`] for Markdown; and as [`data`] for JSON and pages.
//!
//! The texts draw each live region's nodes in text order, conditionals as clusters around their bodies, and each edge with every reason
//! for it; dashed lines lead from a conditional to what runs first in each body. They take the edges, so the symbolic outline and the concrete plan (with fewer edges) are drawn alike. The same program
//! and edges give the same bytes.

pub mod data;
mod dot;
pub mod dump;
pub mod layout;
mod mermaid;
mod text;

pub use data::describe;
pub use dot::dot;
pub use mermaid::mermaid;
pub use text::text;

use std::collections::HashSet;

use crate::analysis::{Edge, Edges, HazardKind, Reason, reasons};
use crate::model::{BufferId, Node, NodeId, NodeKind, Pattern, Program, RegionId, RegionKind};

/// What a node is called: its label, and what it is if the label does not say so.
fn title(node: &Node) -> String {
    let word = node.kind.word();
    if matches!(node.kind, NodeKind::Kernel(_)) || !node.labelled || &*node.label == word {
        node.label.to_string()
    } else {
        format!("{}: {word}", node.label)
    }
}

/// The reasons of an edge, one line for each buffer: `RAW next`, `RAW+WAW marks`, `after`, `effects`.
fn edge_lines(program: &Program, edge: &Edge) -> Vec<String> {
    let mut all = reasons(program, edge.from, edge.to);
    if all.is_empty() {
        all.push(edge.reason);
    }
    let mut hazards: Vec<(BufferId, Vec<&str>)> = Vec::new();
    let mut others = Vec::new();
    for reason in all {
        match reason {
            Reason::Hazard { kind, buffer, .. } => match hazards.iter_mut().find(|(known, _)| *known == buffer) {
                Some((_, kinds)) => kinds.push(kind.short()),
                None => hazards.push((buffer, vec![kind.short()])),
            },
            Reason::After { .. } => others.push("after".to_owned()),
            Reason::Effects => others.push("effects".to_owned()),
            Reason::Object { object } => others.push(program.object(object).name.clone()),
            Reason::Fence { .. } => others.push("fence".to_owned()),
            Reason::Lane { lane } => others.push(format!("lane {lane}")),
        }
    }
    let line = |(buffer, kinds): (BufferId, Vec<&str>)| format!("{} {}", kinds.join("+"), program.buffer(buffer).name);
    hazards.into_iter().map(line).chain(others).collect()
}

/// A reason why a node waits for `from`, as a sentence about the node that waits: ``it reads `x`, which `sweep` writes``.
pub fn reason_text(program: &Program, from: NodeId, reason: &Reason) -> String {
    match reason {
        Reason::Hazard { kind, buffer, .. } => {
            let (name, from) = (&program.buffer(*buffer).name, &program.node(from).label);
            match kind {
                HazardKind::ReadAfterWrite => format!("it reads `{name}`, which `{from}` writes"),
                HazardKind::WriteAfterWrite => format!("it overwrites `{name}`, which `{from}` writes"),
                HazardKind::WriteAfterRead => format!("it writes `{name}`, which `{from}` reads"),
            }
        }
        Reason::After { .. } => "`after` says so".to_owned(),
        Reason::Effects => "both have effects".to_owned(),
        Reason::Object { object } => format!("both use `{}` alone", program.object(*object).name),
        Reason::Fence { .. } => "nothing passes a fence".to_owned(),
        Reason::Lane { lane } => {
            format!("lane {lane} runs them one behind the other; nothing in the block asks for it")
        }
    }
}

/// The nodes of a body that run first: they wait for no other node of it.
fn roots(program: &Program, edges: &Edges, body: RegionId) -> Vec<NodeId> {
    let waiting: HashSet<NodeId> = edges.get(&body).into_iter().flatten().map(|edge| edge.to).collect();
    program.region(body).nodes.iter().copied().filter(|node| !waiting.contains(node)).collect()
}

/// What a body is called inside its conditional's cluster.
fn body_title(program: &Program, region: RegionId, owner: &Node) -> String {
    match (program.region(region).kind, &owner.kind) {
        (RegionKind::Graph, _) => program.name.clone(),
        (RegionKind::Then, _) => "then".to_owned(),
        (RegionKind::Else, _) => "else".to_owned(),
        (RegionKind::Arm, NodeKind::Match { arms, .. }) => {
            let arm = arms.iter().find(|arm| arm.body == region);
            if arm.is_some_and(|arm| arm.each.is_some()) {
                return "by value".to_owned();
            }
            let texts = arm.map(|arm| arm.patterns.iter().map(pattern_text).collect::<Vec<_>>());
            texts.map_or_else(|| "_".to_owned(), |texts| texts.join(" | "))
        }
        (RegionKind::Body, NodeKind::Loop(head)) if head.every > 1 => format!("body, {} passes", head.every),
        (RegionKind::Arm, NodeKind::HostMatch { arms, .. }) => {
            let number = arms.iter().position(|arm| *arm == region).unwrap_or(0);
            format!("arm {}", number + 1)
        }
        (RegionKind::Pass, _) => "each pass".to_owned(),
        (RegionKind::Arm | RegionKind::Body, _) => "body".to_owned(),
    }
}

fn pattern_text(pattern: &Pattern) -> String {
    let Pattern { first, last } = pattern;
    if first == last { first.to_string() } else { format!("{first}..={last}") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::edge_lines;
    use crate::analysis::dependences;
    use crate::model::{Mode, Program, RegionId};
    use crate::testing::{Builder, Head, number, overwrite, read, update};

    /// A loop around a `match`, with a name that has to be quoted.
    pub(crate) fn nested() -> Program {
        let mut block = Builder::new("G");
        let x = block.parameter("x", Mode::Update, number(4));
        let c = block.parameter("c", Mode::Update, number(1));
        block.kernel("say \"hi\" <T>", &[overwrite(x)]);
        block.repeat(Head::on(&[read(c)]).limit(number(4)).every(2), |block| {
            block.choose(&[read(c)], &[&[(0, 0), (2, 5)]], true, |block, _| {
                block.kernel("step", &[update(x), update(c)])
            });
        });
        block.finish()
    }

    #[test]
    fn an_edge_has_a_line_for_each_buffer_and_one_for_after() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let y = block.parameter("y", Mode::Update, number(8));
        let first = block.kernel("first", &[overwrite(x), read(y)]);
        let second = block.kernel("second", &[overwrite(x).range(4, 8), read(x).range(0, 4), overwrite(y)]);
        block.after(second, first);
        let program = block.finish();
        let edges = dependences(&program, RegionId::GRAPH);
        assert_eq!(edges.len(), 1);
        assert_eq!(edge_lines(&program, &edges[0]), ["RAW+WAW x", "WAR y", "after"]);
    }
}
