//! A plan as a CUDA graph, instantiated.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use graph_ir::model::{NodeId, RegionId};

use super::calls::Calls;
use super::cooperation;
use super::generated::{Decisions, Generated, Kept};
use super::kernels::Kernels;
use super::lowering::Lowering;
use super::placed::Placed;
use super::region::Builder;
use super::sources::Sources;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{Context, Doing, Exec, Graph, InstantiateFailure, Version};
use crate::cuda::fence::CudaFence;
use crate::device::Bindings;
use crate::error::{Error, NodeName, Result};
use crate::graph::{BuildTimings, timed};
use crate::plan::{Plan, Step};

/// An instantiated graph with what it needs. Fields are dropped in order: the exec, its graph, then the kernels.
pub(in crate::cuda) struct Built {
    pub(in crate::cuda) exec: Exec,
    /// Holds the nodes that updates name.
    graph: Graph,
    pub(in crate::cuda) placed: Placed,
    pub(in crate::cuda) kernels: Kernels,
    pub(in crate::cuda) generated: Generated,
    pub(in crate::cuda) calls: Arc<Calls>,
    pub(in crate::cuda) timings: BuildTimings,
    /// Nodes that are switched off in this instance.
    pub(in crate::cuda) disabled: BTreeSet<NodeId>,
}

impl Built {
    /// Builds, instantiates and uploads. Launches nothing.
    pub(in crate::cuda) fn new(
        device: &Arc<DeviceState>,
        lowering: Lowering,
        plan: &Plan,
        bindings: &Bindings,
        calls: Calls,
        fence: &CudaFence,
    ) -> Result<Self> {
        let context = device.context();
        let name = &plan.program.name;
        context.bind().doing(|| format!("building graph `{name}`"))?;
        supported(plan, lowering, device.version())?;
        cooperation::check(plan, lowering, device.version())?;
        let kernels = Kernels::load(plan, device.modules())?;
        let generated = Generated::load(plan, Decisions::Nodes(lowering), device, fence)?;
        let mut graph = Graph::new(context).doing(|| format!("making graph `{name}`"))?;
        let sources = Sources { plan, bindings, kernels: &kernels, generated: &generated, calls: &calls };
        let (placed, placing) = timed(|| place(&mut graph, sources, lowering, context));
        let (placed, lower) = placed?;
        let (exec, instantiate) = timed(|| Exec::new(&graph, placed.has_priorities(), context));
        let mut exec = exec.map_err(|failure| not_instantiated(plan, &placed, &failure))?;
        let (uploaded, upload) = timed(|| exec.upload(fence.stream()));
        uploaded.doing(|| format!("uploading graph `{name}`"))?;
        let add_nodes = placing.saturating_sub(lower);
        let timings = BuildTimings { lower, add_nodes, instantiate, upload, ..BuildTimings::default() };
        let (calls, disabled) = (Arc::new(calls), BTreeSet::new());
        Ok(Self { exec, graph, placed, kernels, generated, calls, timings, disabled })
    }

    /// Destroys all but what launches in flight may still use.
    pub(in crate::cuda) fn dismantle(self) -> (Kept, Arc<Calls>) {
        let Self { exec, graph, generated, calls, .. } = self;
        drop(exec);
        drop(graph);
        (generated.into_kept(), calls)
    }
}

/// Adds all nodes; also says how long it took to find out what they do.
fn place(graph: &mut Graph, sources: Sources<'_>, lowering: Lowering, context: Context) -> Result<(Placed, Duration)> {
    let root = graph.root();
    let (mut builder, prepare) = timed(|| Builder::new(sources, lowering, context));
    builder.lower += prepare;
    builder.zero_nested(root)?;
    builder.region(root, RegionId::GRAPH)?;
    Ok((builder.placed, builder.lower))
}

fn not_instantiated(plan: &Plan, placed: &Placed, failure: &InstantiateFailure) -> Error {
    let node = failure.node.and_then(|node| placed.owner(node)).map(|node| NodeName::of(&plan.program, node));
    let doing = format!("instantiating graph `{}`{}", plan.program.name, failure.reason_text());
    failure.failure.describe(doing, node).into()
}

/// Refuses a plan with conditionals where the driver has none.
fn supported(plan: &Plan, lowering: Lowering, version: Version) -> Result<()> {
    let conditional = |step: &Step| matches!(step, Step::If(_) | Step::Match(_) | Step::Loop(_));
    if lowering.conditionals || !plan.steps.iter().flatten().any(conditional) {
        return Ok(());
    }
    Err(Error::Unavailable(format!(
        "graph `{}` has conditions on the device, which need CUDA {}, and the driver supports CUDA {version}\nhelp: update the NVIDIA \
         driver to 550 or newer; `Device::cpu()` runs the same block without it",
        plan.program.name,
        Version::CONDITIONALS
    )))
}
