//! Graphviz.

use std::fmt::Write;

use super::{body_title, edge_lines, roots, title};
use crate::analysis::Edges;
use crate::model::{NodeId, Program, RegionId};

/// The graph in Graphviz's language.
pub fn dot(program: &Program, edges: &Edges) -> String {
    let mut dot = Dot { program, edges, text: String::new() };
    dot.line(0, &format!("digraph {} {{", quoted(&program.name)));
    dot.line(1, "node [shape=box, style=rounded, fontname=\"Helvetica\"];");
    dot.line(1, "graph [fontname=\"Helvetica\"];");
    dot.line(1, "edge [fontname=\"Helvetica\", fontsize=10];");
    dot.region(RegionId::GRAPH, 1);
    dot.line(0, "}");
    dot.text
}

struct Dot<'p> {
    program: &'p Program,
    edges: &'p Edges,
    text: String,
}

impl Dot<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = depth * 2);
    }

    fn region(&mut self, region: RegionId, depth: usize) {
        let program = self.program;
        for node in &program.region(region).nodes {
            self.node(*node, depth);
        }
        for edge in self.edges.get(&region).into_iter().flatten() {
            let label = quoted(&edge_lines(program, edge).join("\n"));
            self.line(depth, &format!("n{} -> n{} [label={label}];", edge.from.0, edge.to.0));
        }
    }

    fn node(&mut self, id: NodeId, depth: usize) {
        let node = self.program.node(id);
        let label = quoted(&title(node));
        let bodies = node.kind.bodies();
        if bodies.is_empty() {
            self.line(depth, &format!("n{} [label={label}];", id.0));
            return;
        }
        self.line(depth, &format!("subgraph cluster_n{} {{", id.0));
        self.line(depth + 1, &format!("label={label};"));
        self.line(depth + 1, &format!("n{} [label={}, shape=diamond];", id.0, quoted(node.kind.word())));
        for body in bodies {
            self.line(depth + 1, &format!("subgraph cluster_r{} {{", body.0));
            self.line(depth + 2, &format!("label={};", quoted(&body_title(self.program, body, node))));
            self.region(body, depth + 2);
            if self.program.region(body).nodes.is_empty() {
                self.line(depth + 2, &format!("e{} [label=\"nothing\", shape=plaintext];", body.0));
            }
            self.line(depth + 1, "}");
            self.enter(id, body, depth + 1);
        }
        self.line(depth, "}");
    }

    /// From a conditional to what runs first in a body.
    fn enter(&mut self, owner: NodeId, body: RegionId, depth: usize) {
        if self.program.region(body).nodes.is_empty() {
            self.line(depth, &format!("n{} -> e{} [style=dashed];", owner.0, body.0));
        }
        for first in roots(self.program, self.edges, body) {
            self.line(depth, &format!("n{} -> n{} [style=dashed];", owner.0, first.0));
        }
    }
}

/// A quoted string of Graphviz's.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences_of_all;

    #[test]
    fn bodies_are_nested_clusters_and_text_is_quoted() {
        let program = super::super::tests::nested();
        let expected = r#"digraph "G" {
  node [shape=box, style=rounded, fontname="Helvetica"];
  graph [fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  n0 [label="say \"hi\" <T>"];
  subgraph cluster_n1 {
    label="while";
    n1 [label="while", shape=diamond];
    subgraph cluster_r1 {
      label="body, 2 passes";
      subgraph cluster_n2 {
        label="match";
        n2 [label="match", shape=diamond];
        subgraph cluster_r2 {
          label="0 | 2..=5";
          n3 [label="step"];
        }
        n2 -> n3 [style=dashed];
        subgraph cluster_r3 {
          label="_";
          n4 [label="step"];
        }
        n2 -> n4 [style=dashed];
      }
    }
    n1 -> n2 [style=dashed];
  }
  n0 -> n1 [label="RAW x"];
}
"#;
        assert_eq!(dot(&program, &dependences_of_all(&program)), expected);
    }
}
