//! What tells plans apart, over processes: the same block with the same values has the same key.

use std::fmt::Write;

use graph_ir::model::{NodeId, Program};
use sha2::{Digest, Sha256};

use super::{Plan, RegionPlan, Step};

/// Of the nodes, what they are, and the edges that the block demands: all that the number of a node and its lane depend on.
pub(crate) fn structure<'s>(
    program: &Program,
    step: impl Fn(NodeId) -> Option<&'s Step>,
    regions: &[Option<RegionPlan>],
) -> String {
    let mut hash = Sha256::new();
    for (node, id) in program.nodes.iter().zip((0..).map(NodeId)) {
        let step = step(id);
        if let Some(step) = step {
            hash.update(node.kind.word());
            hash.update(node.region.0.to_le_bytes());
            if let Step::Kernel(step) = step {
                hash.update(step.declaration.name);
            }
        }
        hash.update([u8::from(step.is_some())]);
    }
    for region in regions {
        let edges = region.iter().flat_map(|region| &region.edges);
        edges.for_each(|edge| [edge.from, edge.to].iter().for_each(|node| hash.update(node.0.to_le_bytes())));
        hash.update([0xff]);
    }
    text(hash)
}

impl Plan {
    /// Of all that decides how long nodes take, beside the structure: geometry, indices, bytes.
    pub(crate) fn sizes(&self) -> String {
        let mut hash = Sha256::new();
        for (_, step) in self.steps.iter() {
            match step {
                Step::Kernel(step) => {
                    step.grid.iter().chain(&step.block).for_each(|size| hash.update(size.to_le_bytes()));
                }
                Step::Compute(step) => hash.update(step.function.count().to_le_bytes()),
                _ => {}
            }
        }
        for buffer in &self.program.buffers {
            hash.update(buffer.length().unwrap_or(0).to_le_bytes());
        }
        text(hash)
    }
}

fn text(hash: Sha256) -> String {
    hash.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
