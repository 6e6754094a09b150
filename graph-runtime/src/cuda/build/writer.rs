//! Writes the kernels of a graph: device scalars, tests, fills, and what they share.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graph_ir::model::{Access, Compute, Node, NodeId, NodeKind, Pattern, ScalarType, SymbolId};

use super::generated::{Decisions, Entered, NodeEntries};
use super::lowering::Lowering;
use super::resident;
use super::sources::Slot;
use crate::error::{Error, NodeName, Result};
use crate::fault::{Site, SiteKind};
use crate::plan::{ComputeStep, Part, Parts, Plan, Resident, Shared, Step};
use crate::program::TypedValue;
use crate::scalar::compute::{Buffers, Collected};
use crate::scalar::ptx::{self, Entry, Target};
use crate::scalar::typing::Types;

/// The loops that one launch runs whole.
pub(super) fn wholes(plan: &Plan, lowering: Lowering) -> Result<BTreeSet<NodeId>> {
    let mut writer = Writer::new(plan, Parts::of(plan), Decisions::Nodes(lowering));
    let mut nodes = writer.nodes()?;
    Ok(writer.wholes(&mut nodes)?.into_keys().collect())
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

/// Writes the kernels of one plan, each once.
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
    pub(super) uses: Vec<u32>,
    known: HashMap<String, usize>,
    pub(super) sites: Vec<Site>,
}

impl<'a> Writer<'a> {
    /// For the nodes that `parts` puts into launches.
    pub(super) fn new(plan: &'a Plan, parts: Parts<'a>, decisions: Decisions) -> Self {
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
    pub(super) fn wholes(
        &mut self,
        nodes: &mut [Option<Box<NodeEntries>>],
    ) -> Result<BTreeMap<NodeId, resident::Written>> {
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
    pub(super) fn nodes(&mut self) -> Result<Vec<Option<Box<NodeEntries>>>> {
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

    /// Whether something sets bytes to zero, or a body has no launch.
    pub(super) fn needs_zero(&self) -> bool {
        let loops = self.plan.steps.iter().any(|(_, step)| matches!(step, Step::Loop(_)));
        let empty = || self.plan.regions.iter().flatten().any(|region| region.order.is_empty());
        let by_kernel = |node: &Node| matches!(&node.kind, NodeKind::Loop(head) if head.by_kernel);
        let asked = self.decisions == Decisions::Memory && self.plan.program.nodes.iter().any(by_kernel);
        let bodies_need_nodes = matches!(self.decisions, Decisions::Nodes(lowering) if !lowering.empty_bodies);
        loops || (bodies_need_nodes && empty()) || asked
    }

    /// Whether the graph has gates.
    pub(super) fn needs_gate(&self) -> bool {
        let has_gates = || self.plan.regions.iter().flatten().any(|region| !region.gates.is_empty());
        matches!(self.decisions, Decisions::Nodes(_)) && has_gates()
    }

    /// Does nothing.
    pub(super) fn gate(&mut self) -> Entered {
        let entry = self.module.gate();
        self.enter(NodeId(0), entry.into())
    }

    /// Sets bytes to zero, or does nothing.
    pub(super) fn zero(&mut self) -> Result<Entered> {
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
