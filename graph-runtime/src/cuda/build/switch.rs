//! `#[optional]` nodes, switched in the instance that is launched.

use graph_ir::model::NodeId;

use super::arguments::Arguments;
use super::built::{Built, Form};
use super::graph::CudaGraph;
use super::sources::{Decision, Slot, Sources};
use super::work::Work;
use crate::cuda::driver::Doing;
use crate::error::{NodeName, Result};

/// Makes the instance leave out what launches should leave out. A new instance has everything.
pub(super) fn apply(graph: &mut CudaGraph) -> Result<()> {
    let CudaGraph { built: Some(Built { form: Form::Graph(built), calls, .. }), plan, bindings, .. } = graph else {
        return Ok(());
    };
    if built.disabled == graph.disabled {
        return Ok(());
    }
    let changed: Vec<NodeId> = built.disabled.symmetric_difference(&graph.disabled).copied().collect();
    for node in changed {
        let enabled = !graph.disabled.contains(&node);
        let sources = Sources { plan, bindings, kernels: &built.kernels, generated: &built.generated, calls };
        let mut arguments = Arguments::default();
        // A node that does nothing anyway is of a kind that cannot be switched.
        let idle = sources.work(node, Slot::Main, Decision::Handles(&[]), &mut arguments)? == Work::Empty;
        if let Some(target) = built.placed.get(node, Slot::Main).filter(|_| !idle) {
            // SAFETY: the node is of the graph that lives beside its exec.
            let switched = unsafe { built.exec.set_enabled(target, enabled) };
            let doing = if enabled { "switching it on" } else { "switching it off" };
            switched.at(|| NodeName::of(&plan.program, node), doing)?;
        }
        if enabled {
            built.disabled.remove(&node);
        } else {
            built.disabled.insert(node);
        }
    }
    Ok(())
}
