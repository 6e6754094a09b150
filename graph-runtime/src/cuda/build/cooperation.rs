//! Cooperative launches within bodies need a driver that takes them there (rule R163).

use graph_ir::model::{Node, NodeId};
use graph_ir::rules::body_around;

use super::lowering::Lowering;
use crate::cuda::driver::Version;
use crate::error::{Error, NodeName, Result};
use crate::plan::{Plan, Step};

/// Refuses the first that the driver would refuse without a word about which.
pub(super) fn check(plan: &Plan, lowering: Lowering) -> Result<()> {
    if lowering.cooperative_bodies {
        return Ok(());
    }
    let program = &plan.program;
    let asked = |node: &Node| {
        let attributes = node.attributes.as_deref();
        attributes.is_some_and(|asked| asked.cooperative.is_some()) && body_around(program, node.region).is_some()
    };
    let mut nodes = program.nodes.iter().zip(0..);
    let found = nodes.find(|(node, id)| asked(node) && matches!(plan.step(NodeId(*id)), Some(Step::Kernel(_))));
    let Some((_, id)) = found else { return Ok(()) };
    let node = NodeName::of(program, NodeId(id));
    let (needed, version, graph) = (Version::SWITCH, lowering.version, &program.name);
    Err(Error::Unavailable(format!(
        "{node} of graph `{graph}` is a cooperative launch in a body, which needs CUDA {needed} and a device that no processes share \
         through MPS; the driver supports CUDA {version}\nhelp: launch it outside of the body or without `#[cooperative]`, or update the \
         NVIDIA driver to 570 or newer"
    )))
}
