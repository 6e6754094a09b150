//! The kernels that this crate has written for a graph, loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::lowering::Lowering;
use super::resident::{self, Whole};
use super::scratch::Scratch;
use super::writer::Writer;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{Doing, Function, Module};
use crate::cuda::fence::CudaFence;
use crate::error::{Error, Result};
use crate::fault::Sites;
use crate::plan::{Parts, Pass, Plan, Shared};
use crate::scalar::ptx::Parameter;

/// A graph's own kernels, loaded.
#[derive(Debug, Default)]
pub(in crate::cuda) struct Generated {
    /// Unloaded last: functions belong to it.
    module: Option<Arc<Module>>,
    /// `None` for those that are only parts of whole loops.
    functions: Vec<Option<Function>>,
    /// By node id.
    nodes: Vec<Option<Box<NodeEntries>>>,
    /// By node: those among whose launches' arguments is what it is passed, if others are.
    launchers: BTreeMap<NodeId, Vec<NodeId>>,
    /// Loops that one launch runs.
    wholes: BTreeMap<NodeId, Whole>,
    /// The device's multiprocessors.
    processors: u32,
    /// Sets bytes to zero, or does nothing.
    zero: Option<Entered>,
    /// Does nothing.
    gate: Option<Entered>,
    /// Of reductions.
    scratch: Scratch,
    sites: Sites,
    /// The address of the record of faults.
    fault: u64,
}

/// What must stay until the launches of generated kernels are over. Fields are dropped in order.
pub(in crate::cuda) struct Kept {
    _scratch: Scratch,
    _module: Option<Arc<Module>>,
}

/// What a node launches.
#[derive(Debug)]
pub(super) struct NodeEntries {
    pub(super) main: Entered,
    /// At the end of a loop's body.
    pub(super) again: Option<Entered>,
}

/// An entry and what it wants.
#[derive(Debug)]
pub(in crate::cuda) struct Entered {
    pub(super) function: usize,
    pub(in crate::cuda) parameters: Vec<Parameter>,
    /// The number of its first site.
    pub(in crate::cuda) first_site: u64,
    /// How many indices a thread of a kernel in the block takes at a time.
    pub(in crate::cuda) lanes: u32,
    /// Whether it numbers elements in 32 bits.
    pub(in crate::cuda) narrow: bool,
    /// Whose accesses it names, if several nodes share it.
    pub(in crate::cuda) shared: Option<Shared>,
    /// The reductions whose blocks' values it combines first, each with the node that launches it.
    pub(in crate::cuda) collected: Vec<[NodeId; 2]>,
}

impl Entered {
    /// The last of the nodes that share the launch of a node: of these only it may be a reduction.
    pub(super) fn last(&self, node: NodeId) -> NodeId {
        self.shared.as_ref().and_then(|shared| shared.members().last()).unwrap_or(node)
    }
}

/// Where the tests' decisions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) enum Decisions {
    /// To conditional nodes.
    Nodes(Lowering),
    /// To memory, for the host.
    Memory,
}

impl Generated {
    /// Writes and loads the kernels that the plan's nodes need.
    pub(in crate::cuda) fn load(
        plan: &Plan,
        decisions: Decisions,
        device: &Arc<DeviceState>,
        fence: &CudaFence,
    ) -> Result<Self> {
        let parts = match decisions {
            Decisions::Nodes(_) => Parts::of(plan),
            Decisions::Memory => Parts::default(),
        };
        let mut writer = Writer::new(plan, parts, decisions);
        let mut nodes = writer.nodes()?;
        let wholes = writer.wholes(&mut nodes)?;
        let zero = if writer.needs_zero() { Some(writer.zero()?) } else { None };
        let gate = writer.needs_gate().then(|| writer.gate());
        let Writer { mut module, names, uses, sites, parts, .. } = writer;
        if module.is_empty() {
            return Ok(Self { nodes, ..Self::default() });
        }
        let graph = &plan.program.name;
        module.begin_early(overlaps(plan, &parts, decisions, device));
        let unused = |name: &str| names.iter().zip(&uses).any(|(known, uses)| known == name && *uses == 0);
        let module = device.generated().load(device, graph, module.finish_without(&unused))?;
        let function = |(name, uses): (&String, &u32)| (*uses > 0).then(|| find(&module, name, plan)).transpose();
        let functions = names.iter().zip(&uses).map(function).collect::<Result<_>>()?;
        let loaded = |(node, whole): (NodeId, resident::Written)| {
            let function = find(&module, whole.name(), plan)?;
            Ok((node, whole.loaded(function)))
        };
        let wholes: BTreeMap<NodeId, Whole> = wholes.into_iter().map(loaded).collect::<Result<_>>()?;
        let (scratch, processors) =
            (Scratch::new(plan, wholes.keys().copied(), device)?, device.modules().processors());
        let fault = if sites.is_empty() { Ok(0) } else { fence.faults().address(device) };
        let fault = fault.doing(|| format!("making a record of faults for graph `{graph}`"))?;
        let (module, sites, launchers) = (Some(module), sites.into(), launchers(&nodes));
        Ok(Self { module, functions, nodes, launchers, wholes, processors, zero, gate, scratch, sites, fault })
    }

    /// What a node launches, and a conditional before its node.
    pub(in crate::cuda) fn main(&self, node: NodeId) -> Option<&Entered> {
        Some(&self.nodes.get(node.0 as usize)?.as_ref()?.main)
    }

    /// What a loop launches at the end of its body.
    pub(in crate::cuda) fn again(&self, node: NodeId) -> Option<&Entered> {
        self.nodes.get(node.0 as usize)?.as_ref()?.again.as_ref()
    }

    /// The nodes among whose launches' arguments may be what these nodes are passed.
    pub(in crate::cuda) fn shown(&self, nodes: &[NodeId]) -> BTreeSet<NodeId> {
        let behind = nodes.iter().filter_map(|node| self.launchers.get(node)).flatten();
        nodes.iter().chain(behind).chain(self.wholes.keys()).copied().collect()
    }

    /// Sets bytes to zero, or does nothing.
    pub(in crate::cuda) fn zero(&self) -> Option<&Entered> {
        self.zero.as_ref()
    }

    /// Does nothing.
    pub(super) fn gate(&self) -> Option<&Entered> {
        self.gate.as_ref()
    }

    /// The launch of a loop that one launch runs.
    pub(in crate::cuda) fn whole(&self, node: NodeId) -> Option<&Whole> {
        self.wholes.get(&node)
    }

    /// How many multiprocessors the device has.
    pub(super) fn processors(&self) -> u32 {
        self.processors
    }

    /// The loaded kernel of an entry; none if it is only a part of whole loops.
    pub(in crate::cuda) fn function(&self, entered: &Entered) -> Function {
        self.functions[entered.function].unwrap_or(Function::NONE)
    }

    /// The addresses of a reduction's values and of its counter; of a loop's counter of blocks, the second one.
    pub(in crate::cuda) fn scratch(&self, node: NodeId) -> Option<[u64; 2]> {
        self.scratch.share(node)
    }

    /// Where kernels may find something wrong.
    pub(in crate::cuda) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// The address of the record of faults.
    pub(in crate::cuda) fn fault(&self) -> u64 {
        self.fault
    }

    /// What must stay longer than this.
    pub(in crate::cuda) fn into_kept(self) -> Kept {
        Kept { _scratch: self.scratch, _module: self.module }
    }
}

/// By node: those that launch something for it.
fn launchers(nodes: &[Option<Box<NodeEntries>>]) -> BTreeMap<NodeId, Vec<NodeId>> {
    let mut launchers: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for (launcher, entries) in (0..).map(NodeId).zip(nodes) {
        let entered = entries.iter().flat_map(|entries| std::iter::once(&entries.main).chain(&entries.again));
        for entered in entered {
            let members = entered.shared.iter().flat_map(Shared::members);
            let collected = entered.collected.iter().map(|[reduction, _]| *reduction);
            for member in members.chain(collected).filter(|member| *member != launcher) {
                launchers.entry(member).or_default().push(launcher);
            }
        }
    }
    launchers
}

/// Whether the kernels wait for those that they overlap with.
fn overlaps(plan: &Plan, parts: &Parts<'_>, decisions: Decisions, device: &DeviceState) -> bool {
    let in_graph = matches!(decisions, Decisions::Nodes(_)) && plan.planning.runs(Pass::Overlap);
    in_graph && device.modules().limits().overlaps() && plan.early_launches(parts) > 0
}

fn find(module: &Module, name: &str, plan: &Plan) -> Result<Function> {
    let graph = &plan.program.name;
    let found = module
        .function(name)
        .doing(|| format!("looking for `{name}` among the kernels generated for graph `{graph}`"))?;
    found.ok_or_else(|| Error::Module(format!("internal error: graph `{graph}` has no generated kernel `{name}`")))
}
