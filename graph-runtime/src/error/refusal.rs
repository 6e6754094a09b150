//! A graph that the rules refuse once its lengths and values are known.

use std::fmt;

use graph_ir::finding::Finding;
use graph_ir::model::{NodeId, Program};

/// The findings that stop a build, worded as the macro words them, with the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    graph: String,
    findings: Vec<Finding>,
    rendered: Vec<String>,
}

impl Refusal {
    /// The findings about `program`.
    pub fn new(program: &Program, findings: Vec<Finding>) -> Self {
        let rendered = findings.iter().map(|finding| finding.render(program)).collect();
        Self { graph: program.name.clone(), findings, rendered }
    }

    /// What the rules found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph `{}` is refused", self.graph)?;
        for text in &self.rendered {
            write!(f, "\n{text}")?;
        }
        Ok(())
    }
}

/// A node as an error names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    /// Its label: `sweep`.
    pub label: String,
    /// Its statement: `src/main.rs:14:9`.
    pub location: String,
}

impl NodeName {
    /// The name of a node of a program.
    pub fn of(program: &Program, node: NodeId) -> Self {
        let node = program.node(node);
        let location = program.location(node.place).map_or_else(String::new, |spot| spot.to_string());
        Self { label: node.label.to_string(), location }
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node `{}` ({})", self.label, self.location)
    }
}
