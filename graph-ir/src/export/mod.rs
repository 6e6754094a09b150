//! Graphs as text for people: [`dot`] for Graphviz, [`mermaid`] for Markdown.
//!
//! Both draw each live region's nodes in text order, conditionals as clusters around their bodies, and each edge with every reason
//! for it. They take the edges, so the symbolic outline and the concrete plan (with fewer edges) are drawn alike. The same program
//! and edges give the same bytes.

mod dot;
mod mermaid;

pub use dot::dot;
pub use mermaid::mermaid;

use crate::analysis::{Edge, Reason, reasons};
use crate::model::{Node, NodeKind, Pattern, Program, RegionId, RegionKind};

/// What a node is called: its label, and what it is if the label does not say so.
fn title(node: &Node) -> String {
    let word = node.kind.word();
    if matches!(node.kind, NodeKind::Kernel(_)) || !node.labelled || node.label == word {
        node.label.clone()
    } else {
        format!("{}: {word}", node.label)
    }
}

/// The reasons of an edge, one a line: `RAW next`, `after`, `effects`.
fn edge_lines(program: &Program, edge: &Edge) -> Vec<String> {
    let mut all = reasons(program, edge.from, edge.to);
    if all.is_empty() {
        all.push(edge.reason);
    }
    all.iter().map(|reason| reason_text(program, reason)).collect()
}

fn reason_text(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Hazard { kind, buffer, .. } => format!("{} {}", kind.short(), program.buffer(*buffer).name),
        Reason::After { .. } => "after".to_owned(),
        Reason::Effects => "effects".to_owned(),
    }
}

/// What a body is called inside its conditional's cluster.
fn body_title(program: &Program, region: RegionId, owner: &Node) -> String {
    match (program.region(region).kind, &owner.kind) {
        (RegionKind::Graph, _) => program.name.clone(),
        (RegionKind::Then, _) => "then".to_owned(),
        (RegionKind::Else, _) => "else".to_owned(),
        (RegionKind::Arm, NodeKind::Match { arms, .. }) => {
            let arm = arms.iter().find(|arm| arm.body == region);
            let texts = arm.map(|arm| arm.patterns.iter().map(pattern_text).collect::<Vec<_>>());
            texts.map_or_else(|| "_".to_owned(), |texts| texts.join(" | "))
        }
        (RegionKind::Body, NodeKind::Loop(head)) if head.every > 1 => format!("body, {} passes", head.every),
        (RegionKind::Arm | RegionKind::Body, _) => "body".to_owned(),
    }
}

fn pattern_text(pattern: &Pattern) -> String {
    let Pattern { first, last } = pattern;
    if first == last { first.to_string() } else { format!("{first}..={last}") }
}

#[cfg(test)]
mod tests {
    use crate::model::{Mode, Program};
    use crate::testing::{Builder, Head, number, overwrite, read, update};

    /// A loop around a `match`, with a name that has to be quoted.
    pub(super) fn nested() -> Program {
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
}
