//! Mermaid, as Markdown viewers draw it.

use std::fmt::Write;

use super::{body_title, edge_lines, roots, title};
use crate::analysis::Edges;
use crate::model::{NodeId, Program, RegionId};

/// The graph in Mermaid's language.
pub fn mermaid(program: &Program, edges: &Edges) -> String {
    let mut mermaid = Mermaid { program, edges, text: String::new() };
    mermaid.line(0, "flowchart TD");
    mermaid.region(RegionId::GRAPH, 1);
    mermaid.text
}

struct Mermaid<'p> {
    program: &'p Program,
    edges: &'p Edges,
    text: String,
}

impl Mermaid<'_> {
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
            self.line(depth, &format!("n{} -->|{label}| n{}", edge.from.0, edge.to.0));
        }
    }

    fn node(&mut self, id: NodeId, depth: usize) {
        let node = self.program.node(id);
        let label = quoted(&title(node));
        let bodies = node.kind.bodies();
        if bodies.is_empty() {
            self.line(depth, &format!("n{}[{label}]", id.0));
            return;
        }
        self.line(depth, &format!("subgraph c{}[{label}]", id.0));
        self.line(depth + 1, &format!("n{}{{{}}}", id.0, quoted(node.kind.word())));
        for body in bodies {
            self.line(depth + 1, &format!("subgraph r{}[{}]", body.0, quoted(&body_title(self.program, body, node))));
            self.region(body, depth + 2);
            if self.program.region(body).nodes.is_empty() {
                self.line(depth + 2, &format!("e{}[\"nothing\"]", body.0));
            }
            self.line(depth + 1, "end");
            self.enter(id, body, depth + 1);
        }
        self.line(depth, "end");
    }

    /// From a conditional to what runs first in a body.
    fn enter(&mut self, owner: NodeId, body: RegionId, depth: usize) {
        if self.program.region(body).nodes.is_empty() {
            self.line(depth, &format!("n{} -.-> e{}", owner.0, body.0));
        }
        for first in roots(self.program, self.edges, body) {
            self.line(depth, &format!("n{} -.-> n{}", owner.0, first.0));
        }
    }
}

/// A quoted string of Mermaid's: what could be taken for markup is an entity.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("<br/>"),
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' | '*' | '_' | '|' => {
                let _ = write!(quoted, "#{};", u32::from(character));
            }
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
    fn bodies_are_nested_subgraphs_and_text_is_escaped() {
        let program = super::super::tests::nested();
        let expected = r##"flowchart TD
  n0["say #34;hi#34; #60;T#62;"]
  subgraph c1["while"]
    n1{"while"}
    subgraph r1["body, 2 passes"]
      subgraph c2["match"]
        n2{"match"}
        subgraph r2["0 #124; 2..=5"]
          n3["step"]
        end
        n2 -.-> n3
        subgraph r3["#95;"]
          n4["step"]
        end
        n2 -.-> n4
      end
    end
    n1 -.-> n2
  end
  n0 -->|"RAW x"| n1
"##;
        assert_eq!(mermaid(&program, &dependences_of_all(&program)), expected);
    }
}
