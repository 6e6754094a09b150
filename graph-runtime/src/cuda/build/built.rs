//! A plan, ready to launch: as a CUDA graph, instantiated, or as launches of its nodes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use graph_ir::model::{NodeId, RegionId};

use super::calls::Calls;
use super::conditions::decided_on_host;
use super::cooperation;
use super::generated::{Decisions, Generated, Kept};
use super::kernels::Kernels;
use super::lowering::Lowering;
use super::placed::Placed;
use super::region::Builder;
use super::sources::Sources;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{Context, Doing, Exec, Graph, InstantiateFailure};
use crate::cuda::eager::Eager;
use crate::cuda::fence::CudaFence;
use crate::cuda::module::Modules;
use crate::device::Bindings;
use crate::error::{Error, NodeName, Result};
use crate::graph::{BuildTimings, timed};
use crate::plan::{ByLaunches, Plan};
use crate::progress::range;

/// What is launched, with what it needs. Fields are dropped in order.
pub(in crate::cuda) struct Built {
    pub(in crate::cuda) form: Form,
    pub(in crate::cuda) calls: Arc<Calls>,
    pub(in crate::cuda) timings: BuildTimings,
}

/// How a plan is run.
pub(in crate::cuda) enum Form {
    /// As one CUDA graph.
    Graph(Box<Instance>),
    /// By single launches, with conditions that the host decides.
    Launches(Box<Launches>),
}

/// What single launches need. Fields are dropped in order.
pub(in crate::cuda) struct Launches {
    pub(in crate::cuda) eager: Eager,
    kernels: Kernels,
    pub(super) why: ByLaunches,
}

/// An instantiated graph. Fields are dropped in order: the exec, its graph, then the kernels.
pub(in crate::cuda) struct Instance {
    pub(in crate::cuda) exec: Exec,
    /// Holds the nodes that updates name.
    graph: Graph,
    pub(in crate::cuda) placed: Placed,
    pub(in crate::cuda) kernels: Kernels,
    pub(in crate::cuda) generated: Generated,
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
        if let Some(why) = decided_on_host(plan, lowering)? {
            return Self::by_launches(device, plan, bindings, calls, (fence, why));
        }
        cooperation::check(plan, lowering)?;
        let kernels = Kernels::load(plan, device.modules())?;
        let generated = Generated::load(plan, Decisions::Nodes(lowering), device, fence)?;
        let mut graph = Graph::new(context).doing(|| format!("making graph `{name}`"))?;
        let sources = Sources { plan, bindings, kernels: &kernels, generated: &generated, calls: &calls };
        let (placed, placing) = timed(|| place(&mut graph, sources, lowering, context));
        let (placed, lower) = placed?;
        let range = range(|| format!("instantiate {name}"));
        let (exec, instantiate) = timed(|| Exec::new(&graph, placed.has_priorities(), context));
        drop(range);
        let mut exec = exec.map_err(|failure| not_instantiated(plan, &placed, &failure))?;
        let (uploaded, upload) = timed(|| exec.upload(fence.stream()));
        uploaded.doing(|| format!("uploading graph `{name}`"))?;
        let add_nodes = placing.saturating_sub(lower);
        let timings = BuildTimings { lower, add_nodes, instantiate, upload, ..BuildTimings::default() };
        let instance = Instance { exec, graph, placed, kernels, generated, disabled: BTreeSet::new() };
        Ok(Self { form: Form::Graph(Box::new(instance)), calls: Arc::new(calls), timings })
    }

    /// Loads the kernels, and finds out whether each node can be launched.
    fn by_launches(
        device: &Arc<DeviceState>,
        plan: &Plan,
        bindings: &Bindings,
        calls: Calls,
        (fence, why): (&CudaFence, ByLaunches),
    ) -> Result<Self> {
        let kernels = Kernels::load(plan, device.modules())?;
        let launches = Launches { eager: Eager::new(device, plan, fence)?, kernels, why };
        let (checked, lower) = timed(|| launches.sources(plan, bindings, &calls).check());
        checked?;
        let timings = BuildTimings { lower, ..BuildTimings::default() };
        Ok(Self { form: Form::Launches(Box::new(launches)), calls: Arc::new(calls), timings })
    }

    /// The kernels that this crate wrote for it.
    pub(in crate::cuda) fn generated(&self) -> &Generated {
        match &self.form {
            Form::Graph(instance) => &instance.generated,
            Form::Launches(launches) => launches.eager.generated(),
        }
    }

    /// What each node does.
    pub(in crate::cuda) fn sources<'a>(&'a self, plan: &'a Plan, bindings: &'a Bindings) -> Sources<'a> {
        let kernels = match &self.form {
            Form::Graph(instance) => &instance.kernels,
            Form::Launches(launches) => &launches.kernels,
        };
        Sources { plan, bindings, kernels, generated: self.generated(), calls: &self.calls }
    }

    /// Destroys all but what launches in flight may still use.
    pub(in crate::cuda) fn dismantle(self) -> (Remains, Arc<Calls>) {
        let remains = match self.form {
            Form::Graph(instance) => {
                let Instance { exec, graph, generated, .. } = *instance;
                drop(exec);
                drop(graph);
                Remains::Graph(generated.into_kept())
            }
            Form::Launches(launches) => Remains::Launches(launches),
        };
        (remains, self.calls)
    }
}

impl Launches {
    fn sources<'a>(&'a self, plan: &'a Plan, bindings: &'a Bindings, calls: &'a Calls) -> Sources<'a> {
        Sources { plan, bindings, kernels: &self.kernels, generated: self.eager.generated(), calls }
    }

    /// Makes ready for a plan of the same structure. On an error nothing has changed.
    pub(in crate::cuda) fn take(
        &mut self,
        plan: &Plan,
        bindings: &Bindings,
        calls: &Calls,
        modules: &Modules,
    ) -> Result<()> {
        let kernels = Kernels::load(plan, modules)?;
        Sources { kernels: &kernels, ..self.sources(plan, bindings, calls) }.check()?;
        self.kernels = kernels;
        Ok(())
    }
}

/// What launches in flight may still use.
#[expect(dead_code, reason = "held")]
pub(in crate::cuda) enum Remains {
    Graph(Kept),
    Launches(Box<Launches>),
}

/// Adds all nodes; also says how long it took to find out what they do.
// `cargo xtask planner-cost` counts what this function executes.
#[inline(never)]
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
