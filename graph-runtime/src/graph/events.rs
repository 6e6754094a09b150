//! What a graph tells `tracing`. Every event names the graph in the field `graph`; times are in microseconds.

use super::{BuildTimings, Graph, Update};
use crate::plan::ByLaunches;
use crate::program::Program;

pub(super) fn built<P: Program>(graph: &Graph<'_, P>) {
    let BuildTimings { evaluate, plan, lower, add_nodes, instantiate, upload } = graph.timings();
    tracing::debug!(
        graph = graph.symbolic.name,
        device = %graph.device.kind(),
        nodes = graph.plan.node_count(),
        edges = graph.plan.regions.iter().flatten().map(|region| region.edges.len()).sum::<usize>(),
        arena_bytes = graph.plan.arena.device_bytes,
        evaluate_us = evaluate.as_micros(),
        plan_us = plan.as_micros(),
        lower_us = lower.as_micros(),
        add_nodes_us = add_nodes.as_micros(),
        instantiate_us = instantiate.as_micros(),
        upload_us = upload.as_micros(),
        "built"
    );
}

/// Once for each graph that is built so: a change that builds it anew says nothing.
pub(super) fn by_launches<P: Program>(graph: &Graph<'_, P>) {
    if let Some(ByLaunches { node, needs, driver }) = graph.executable.by_launches() {
        tracing::warn!(graph = graph.symbolic.name, %node, needs, driver, "run by single launches");
    }
}

pub(super) fn launched<P: Program>(graph: &Graph<'_, P>) {
    tracing::trace!(graph = graph.symbolic.name, launch = graph.fence.launched(), "launched");
}

pub(super) fn eager<P: Program>(graph: &Graph<'_, P>) {
    tracing::debug!(graph = graph.symbolic.name, "run node by node");
}

pub(super) fn updated<P: Program>(graph: &Graph<'_, P>, update: &Update) {
    let (touched, rebuilt) = (update.touched(), update.is_rebuilt());
    tracing::debug!(graph = graph.symbolic.name, touched, rebuilt, change = %update, "updated");
}
