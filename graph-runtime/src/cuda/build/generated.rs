//! The kernels that this crate writes for a graph: device scalars, tests, fills.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use graph_ir::model::{Access, Compute, Node, NodeId, NodeKind, Pattern, ScalarType, SymbolId};

use super::lowering::Lowering;
use super::resident::{self, Whole};
use super::scratch::Scratch;
use super::sources::Slot;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{Doing, Function, Module};
use crate::cuda::fence::CudaFence;
use crate::error::{Error, NodeName, Result};
use crate::fault::{Site, SiteKind, Sites};
use crate::plan::{ComputeStep, Part, Parts, Pass, Plan, Resident, Shared, Step};
use crate::program::TypedValue;
use crate::scalar::compute::{Buffers, Collected};
use crate::scalar::ptx::{self, Entry, Parameter, Target};
use crate::scalar::typing::Types;

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
struct NodeEntries {
    main: Entered,
    /// At the end of a loop's body.
    again: Option<Entered>,
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

/// The loops that one launch runs whole.
pub(super) fn wholes(plan: &Plan, lowering: Lowering) -> Result<BTreeSet<NodeId>> {
    let mut writer = Writer::new(plan, Parts::of(plan), Decisions::Nodes(lowering));
    let mut nodes = writer.nodes()?;
    Ok(writer.wholes(&mut nodes)?.into_keys().collect())
}

fn find(module: &Module, name: &str, plan: &Plan) -> Result<Function> {
    let graph = &plan.program.name;
    let found = module
        .function(name)
        .doing(|| format!("looking for `{name}` among the kernels generated for graph `{graph}`"))?;
    found.ok_or_else(|| Error::Module(format!("internal error: graph `{graph}` has no generated kernel `{name}`")))
}

/// An entry, and whose accesses it names.
pub(super) struct Written {
    pub(super) entry: Entry,
    pub(super) shared: Option<Shared>,
}

impl From<Entry> for Written {
    fn from(entry: Entry) -> Self {
        Self { entry, shared: None }
    }
}

pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    /// Nodes that the host runs one by one share nothing.
    pub(super) parts: Parts<'a>,
    decisions: Decisions,
    pub(super) module: ptx::Module,
    /// Loops that one launch runs.
    residents: BTreeMap<NodeId, Resident>,
    pub(super) names: Vec<String>,
    /// By name: how often it is launched.
    uses: Vec<u32>,
    known: HashMap<String, usize>,
    sites: Vec<Site>,
}

impl<'a> Writer<'a> {
    fn new(plan: &'a Plan, parts: Parts<'a>, decisions: Decisions) -> Self {
        let residents = match decisions {
            Decisions::Nodes(lowering) => resident::residents(plan, &parts, lowering.cooperative_bodies),
            Decisions::Memory => BTreeMap::new(),
        };
        Self {
            plan,
            parts,
            decisions,
            module: ptx::Module::of_graph(&plan.program.name),
            residents,
            names: Vec::new(),
            uses: Vec::new(),
            known: HashMap::new(),
            sites: Vec::new(),
        }
    }

    /// Puts the kernels of whole loops together; those that one launch has no room for become nodes again.
    fn wholes(&mut self, nodes: &mut [Option<Box<NodeEntries>>]) -> Result<BTreeMap<NodeId, resident::Written>> {
        let mut wholes = BTreeMap::new();
        for (id, resident) in self.residents.clone() {
            let entered = |node: NodeId, slot| {
                let entries = nodes.get(node.0 as usize)?.as_deref()?;
                if slot == Slot::Again { entries.again.as_ref() } else { Some(&entries.main) }
            };
            let written = self.whole(&resident, &entered);
            let parts: Vec<(NodeId, Slot)> = match &written {
                Some(written) => written.launches(id).collect(),
                None => vec![(id, Slot::Main), (id, Slot::Again)],
            };
            let parts = parts.into_iter().filter_map(|(node, slot)| entered(node, slot));
            parts.for_each(|entered| self.uses[entered.function] -= 1);
            if let Some(written) = written {
                wholes.insert(id, written);
            } else {
                self.residents.remove(&id);
                nodes[id.0 as usize] = self.node(id)?;
            }
        }
        Ok(wholes)
    }
}

impl Writer<'_> {
    /// By node id.
    fn nodes(&mut self) -> Result<Vec<Option<Box<NodeEntries>>>> {
        let ids = (0..self.plan.program.nodes.len() as u32).map(NodeId);
        ids.map(|node| self.node(node)).collect()
    }

    fn node(&mut self, id: NodeId) -> Result<Option<Box<NodeEntries>>> {
        let plan = self.plan;
        let Some(step) = plan.step(id) else { return Ok(None) };
        self.module.name_after(&plan.program.node(id).label);
        let written = match self.parts.part(id) {
            Part::Behind(_) | Part::Tail => return Ok(None),
            Part::First(group) => self.group(group).map(|entry| [Some(entry), None]),
            Part::Alone => self.entries(id, plan.program.node(id), step),
        };
        let [main, again] = written.map_err(|text| internal(plan, id, &text))?;
        let again = again.map(|written| self.enter(id, written));
        let main = main.map(|written| Box::new(NodeEntries { main: self.enter(id, written), again }));
        if matches!(step, Step::Assert { .. }) {
            let place = plan.program.node(id).place;
            self.sites.push(Site { node: id, place, kind: SiteKind::Assertion });
        }
        Ok(main)
    }

    fn entries(&mut self, id: NodeId, node: &Node, step: &Step) -> Result<[Option<Written>; 2], String> {
        let one = |entry: Entry| [Some(Written::from(entry)), None];
        match (step, &node.kind) {
            (Step::Fill { pattern }, _) if self.plan.in_rows(&node.accesses[0]) => {
                self.module.fill_box(pattern.len()).map(one)
            }
            (Step::Fill { pattern }, _) => self.module.fill(pattern.len()).map(one),
            (Step::Scalar(expression), NodeKind::Scalar { value }) => {
                let element = self.plan.element(node.accesses[0].buffer).scalar.unwrap_or(expression.scalar);
                self.typed(node, &expression.values, |module, types| module.assignment(value, types, element)).map(one)
            }
            (Step::Assert { test: expression, .. }, NodeKind::Assert { test, .. }) => {
                self.typed(node, &expression.values, |module, types| module.assertion(&test.value, types)).map(one)
            }
            (Step::If(expression), NodeKind::If { test, otherwise, .. }) => {
                let target = self.target(|lowering| otherwise.is_none() || lowering.if_else);
                self.typed(node, &expression.values, |module, types| module.branch(&test.value, types, target)).map(one)
            }
            (Step::Match(expression), NodeKind::Match { test, arms, otherwise }) => {
                let target = self.target(|lowering| lowering.switch);
                let arms: Vec<&[Pattern]> = arms.iter().map(|arm| arm.patterns.as_slice()).collect();
                let default = otherwise.is_some();
                self.typed(node, &expression.values, |module, types| {
                    module.choice(&test.value, types, arms, default, target)
                })
                .map(one)
            }
            (Step::Loop(expression), NodeKind::Loop(head)) => {
                let whole = self.residents.contains_key(&id);
                let target = if whole { Target::Register } else { self.target(|_| true) };
                let test = head.test.as_ref().map(|test| &test.value);
                let first = test.filter(|_| head.tests_first);
                let values = expression.as_ref().map_or(&[][..], |expression| &expression.values);
                let enter = self.typed(node, values, |module, types| module.enter(first, types, target))?;
                let again = if head.by_kernel {
                    self.module.counted(target).into()
                } else {
                    self.again(id, test, values, target)?
                };
                Ok([Some(enter.into()), Some(again)])
            }
            (Step::Compute(step), NodeKind::Compute(compute)) => self.compute(id, node, step, compute).map(one),
            _ => Ok([None, None]),
        }
    }

    /// `one`: whether there is one node with all bodies, as opposed to a row of them.
    fn target(&self, one: impl Fn(Lowering) -> bool) -> Target {
        match self.decisions {
            Decisions::Memory => Target::Memory,
            Decisions::Nodes(lowering) if one(lowering) => Target::Node,
            Decisions::Nodes(_) => Target::Row,
        }
    }

    fn compute(&mut self, id: NodeId, node: &Node, step: &ComputeStep, compute: &Compute) -> Result<Entry, String> {
        let collected = self.collected(id, &node.accesses);
        self.body(&node.accesses, step, &step.values, compute, collected, self.parts.defers(id))
    }

    /// What a launch combines first, of which these are the accesses.
    pub(super) fn collected(&self, first: NodeId, accesses: &[Access]) -> Vec<Collected> {
        let plan = self.plan;
        let collected = |reduction: NodeId| {
            let (operator, scalar) = plan.combines(reduction)?;
            let buffer = plan.program.node(reduction).accesses.first()?.buffer;
            let numbered = accesses.iter().zip(0..).filter(|(access, _)| access.buffer == buffer);
            Some(Collected { accesses: numbered.map(|(_, number)| number).collect(), operator, scalar })
        };
        self.parts.left_to(first).into_iter().filter_map(collected).collect()
    }

    /// A body over these accesses, with the axes of `step`.
    pub(super) fn body(
        &mut self,
        accesses: &[Access],
        step: &ComputeStep,
        values: &[(SymbolId, TypedValue)],
        compute: &Compute,
        collected: Vec<Collected>,
        deferred: bool,
    ) -> Result<Entry, String> {
        let plan = self.plan;
        let axes: Vec<ScalarType> = step.function.axes.iter().map(|axis| axis.scalar).collect();
        let same = |one: &Access, other: &Access| one.buffer == other.buffer && one.view == other.view;
        let first = |access: &Access| accesses.iter().position(|other| same(other, access)).unwrap_or(0);
        let rank = |access: &Access| plan.counted(access).shape.rank() as u8;
        let kept = |access: &Access| self.parts.keeps(access.buffer).is_some();
        let buffers = Buffers {
            first: accesses.iter().map(|access| first(access) as u32).collect(),
            ranks: accesses.iter().map(rank).collect(),
            collected,
            deferred,
            kept: (0..).zip(accesses).filter(|(_, access)| kept(access)).map(|(number, _)| number).collect(),
            narrow: accesses.iter().all(|access| plan.is_narrow(access.buffer)),
        };
        self.typed_over(accesses, values, |module, types| module.compute(compute, &axes, types, buffers))
    }

    fn typed<T>(
        &mut self,
        node: &Node,
        values: &[(SymbolId, TypedValue)],
        write: impl FnOnce(&mut ptx::Module, &Types<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        self.typed_over(&node.accesses, values, write)
    }

    /// `write` with the types of these accesses and values.
    pub(super) fn typed_over<T>(
        &mut self,
        accesses: &[Access],
        values: &[(SymbolId, TypedValue)],
        write: impl FnOnce(&mut ptx::Module, &Types<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let plan = self.plan;
        let element = |access: u32| -> Option<ScalarType> {
            let access = accesses.get(access as usize)?;
            plan.element(access.buffer).scalar
        };
        let host = |symbol| values.iter().find(|(name, _)| *name == symbol)?.1.layout.scalar;
        let mailbox = |access: u32| accesses.get(access as usize).is_some_and(|access| plan.is_mailbox(access));
        write(&mut self.module, &Types { element: &element, host: &host, mailbox: &mailbox })
    }

    /// What a loop's test does first.
    pub(super) fn tail(&self, node: NodeId) -> Vec<NodeId> {
        if self.decisions == Decisions::Memory { Vec::new() } else { self.plan.tail(node).to_vec() }
    }

    fn needs_zero(&self) -> bool {
        let loops = self.plan.steps.iter().any(|(_, step)| matches!(step, Step::Loop(_)));
        let empty = || self.plan.regions.iter().flatten().any(|region| region.order.is_empty());
        let by_kernel = |node: &Node| matches!(&node.kind, NodeKind::Loop(head) if head.by_kernel);
        let asked = self.decisions == Decisions::Memory && self.plan.program.nodes.iter().any(by_kernel);
        let bodies_need_nodes = matches!(self.decisions, Decisions::Nodes(lowering) if !lowering.empty_bodies);
        loops || (bodies_need_nodes && empty()) || asked
    }

    fn needs_gate(&self) -> bool {
        let has_gates = || self.plan.regions.iter().flatten().any(|region| !region.gates.is_empty());
        matches!(self.decisions, Decisions::Nodes(_)) && has_gates()
    }

    fn gate(&mut self) -> Entered {
        let entry = self.module.gate();
        self.enter(NodeId(0), entry.into())
    }

    fn zero(&mut self) -> Result<Entered> {
        let entry = self.module.fill(size_of::<u64>());
        entry
            .map(|entry| self.enter(NodeId(0), entry.into()))
            .map_err(|text| Error::Module(format!("internal error: {text}")))
    }

    fn enter(&mut self, node: NodeId, Written { entry, shared }: Written) -> Entered {
        let Entry { name, parameters, sites, lanes, narrow } = entry;
        // Sites are counted in twos: the low bit is the kernel's.
        let first_site = 2 * self.sites.len() as u64;
        self.sites.extend(sites.into_iter().map(|site| {
            let origin = shared.as_ref().map(|shared| shared.origin(site.access));
            let (node, access) = origin.unwrap_or((node, site.access));
            Site { node, place: site.place, kind: SiteKind::Index { access } }
        }));
        let left = self.parts.left_to(node).into_iter();
        let collected = left.map(|reduction| [reduction, self.parts.launch_of(reduction)]).collect();
        let next = self.names.len();
        let function = *self.known.entry(name.clone()).or_insert(next);
        if function == next {
            self.names.push(name);
            self.uses.push(0);
        }
        self.uses[function] += 1;
        Entered { function, parameters, first_site, lanes, narrow, shared, collected }
    }
}

fn internal(plan: &Plan, node: NodeId, text: &str) -> Error {
    Error::Module(format!("internal error at {}: {text}", NodeName::of(&plan.program, node)))
}
