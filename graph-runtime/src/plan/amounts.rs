//! A plan with other amounts: what goes by a value with a bound gets the numbers of another value, everything else stays.
//!
//! Memory and the order for every value were planned at the bounds. With each value a plan says also what its numbers alone decide: the
//! sizes of grids, copies and fills, what kernels touch, which indices are checked, which elements of a buffer somebody has written and
//! who meets whom. The first of these concern one node, and are looked at again for each node that the value reaches. The others follow
//! from how the numbers of one buffer's accesses compare with each other, so they stay if those compare as before, and kernels in the
//! block that went over the same indices still do. Where anything comes out otherwise there is no patch: then the graph is planned as a
//! whole, which also says what is wrong.

use std::collections::{BTreeSet, HashMap};

use graph_ir::concrete::{FrameId, Varying, varying};
use graph_ir::model::{Access, BufferId, Node, NodeId, NodeKind, Program, SymbolId};
use graph_ir::rules;

use super::build::{Evaluated, Tables};
use super::difference::does_other;
use super::steps::Sources;
use super::{Plan, Step, declared, footprints, indices};
use crate::compute::AxisRange;
use crate::program::{Changes, Sink};

/// Who goes by which amounts.
pub(super) struct Amounts {
    varying: Varying,
    /// By the frame that holds the amount, and its symbol.
    nodes: HashMap<(FrameId, SymbolId), Vec<NodeId>>,
    buffers: HashMap<(FrameId, SymbolId), Vec<BufferId>>,
    /// Kernels in the block, by where their indices are.
    axes: HashMap<(FrameId, NodeId), Vec<NodeId>>,
    /// All accesses of each buffer of which some may vary.
    accesses: HashMap<BufferId, Vec<(NodeId, u32)>>,
    /// How many elements a buffer that varies has for the bounds.
    room: HashMap<BufferId, u64>,
    /// Kernels in the block whose indices are looked at, and of each index whether it is not checked.
    bodies: HashMap<NodeId, (indices::Body, Vec<bool>)>,
}

/// What changes reach.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// In order.
    pub(super) nodes: Vec<NodeId>,
    /// In order.
    pub(super) buffers: Vec<BufferId>,
}

impl Amounts {
    /// Those of a plan that was made of this evaluation; `None` if no plan can be made of it with other numbers.
    pub(super) fn of(plan: &Plan, symbolic: &Program, (sink, largest): (&Sink, &Sink)) -> Option<Self> {
        let varying = Varying::of(symbolic, &Evaluated::new(symbolic, sink))?;
        let (mut nodes, mut buffers, mut axes) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut accesses: HashMap<BufferId, Vec<(NodeId, u32)>> = HashMap::new();
        let (mut bodies, mut room, at_bounds) = (HashMap::new(), HashMap::new(), Evaluated::new(symbolic, largest));
        let holder = |frame, symbol| Some((sink.amount_holder(frame, symbol)?, symbol));
        for (id, frame, node) in varying.nodes().filter(|(id, ..)| plan.step(*id).is_some()) {
            for amount in varying::amounts(node).into_iter().filter_map(|symbol| holder(frame, symbol)) {
                nodes.entry(amount).or_insert_with(Vec::new).push(id);
            }
            if let (Some(Step::Compute(step)), (frame, written)) = (plan.step(id), plan.origins.of(id)) {
                axes.entry(sink.compute_holder(frame, written)?).or_insert_with(Vec::new).push(id);
                let body = indices::Body::of(&plan.program, node, step, &plan.elements);
                bodies.extend(body.map(|body| (id, (body, indices::unchecked(plan.program.node(id))))));
            }
            accesses.extend(node.accesses.iter().map(|access| (access.buffer, Vec::new())));
        }
        for (id, frame, shape) in varying.buffers() {
            for amount in varying::of_shape(shape).filter_map(|symbol| holder(frame, symbol)) {
                buffers.entry(amount).or_insert_with(Vec::new).push(id);
            }
            accesses.entry(id).or_default();
            room.insert(id, varying.shape(id, symbolic, &at_bounds)?.elements()?);
        }
        for id in plan.node_ids() {
            for (access, index) in plan.program.node(id).accesses.iter().zip(0..) {
                accesses.entry(access.buffer).and_modify(|all| all.push((id, index)));
            }
        }
        Some(Self { varying, nodes, buffers, axes, accesses, room, bodies })
    }

    /// Whom these changes reach, beside `nodes`.
    fn reached(&self, changes: &Changes, nodes: BTreeSet<NodeId>) -> Reached {
        let mut reached = Reached { nodes: nodes.into_iter().collect(), buffers: Vec::new() };
        for amount in &changes.numbers {
            reached.nodes.extend(self.nodes.get(amount).into_iter().flatten());
            reached.buffers.extend(self.buffers.get(amount).into_iter().flatten());
        }
        reached.nodes.extend(changes.axes.iter().filter_map(|indices| self.axes.get(indices)).flatten());
        in_order(&mut reached.buffers);
        let naming = reached.buffers.iter().filter_map(|buffer| self.accesses.get(buffer)).flatten();
        reached.nodes.extend(naming.map(|(node, _)| *node));
        in_order(&mut reached.nodes);
        reached
    }
}

/// What another plan is made of.
pub(super) struct Source<'s> {
    pub(super) symbolic: &'s Program,
    pub(super) sink: &'s Sink,
    pub(super) tables: &'s Tables,
}

/// A change of a plan.
pub(super) struct Change<'s> {
    plan: &'s Plan,
    amounts: &'s Amounts,
    from: Source<'s>,
    pub(super) reached: Reached,
}

impl<'s> Change<'s> {
    /// `nodes` are reached by changes of values.
    pub(super) fn new(
        plan: &'s Plan,
        amounts: &'s Amounts,
        from: Source<'s>,
        changes: &Changes,
        nodes: BTreeSet<NodeId>,
    ) -> Option<Self> {
        let varies = |(_, symbol): &(FrameId, SymbolId)| from.symbolic.symbol(*symbol).origin.varies();
        let reached = amounts.reached(changes, nodes);
        changes.numbers.iter().all(varies).then_some(Self { plan, amounts, from, reached })
    }

    /// The plan with the new numbers, and the nodes that do something else in it. `program` is the plan's.
    pub(super) fn made(&self, mut program: Program) -> Option<(Plan, Vec<NodeId>)> {
        self.put_numbers(&mut program)?;
        let steps = self.steps(&mut program)?;
        if !self.stays(&program, &steps) {
            return None;
        }
        let mut all = self.plan.steps.clone();
        for (node, step) in steps {
            all.set(node, step);
        }
        let plan = self.plan.with(program.into(), all);
        let touched = self.reached.nodes.iter().copied().filter(|node| does_other([self.plan, &plan], *node));
        let touched = touched.collect();
        Some((plan, touched))
    }

    /// Makes the nodes and buffers those that a build would begin with.
    fn put_numbers(&self, program: &mut Program) -> Option<()> {
        let Source { symbolic, sink, .. } = self.from;
        let values = Evaluated::new(symbolic, sink);
        for buffer in &self.reached.buffers {
            let shape = self.amounts.varying.shape(*buffer, symbolic, &values)?;
            if shape.elements() > self.amounts.room.get(buffer).copied() {
                return None;
            }
            program.buffers[buffer.0 as usize].shape = shape;
        }
        for node in &self.reached.nodes {
            let now = &mut program.nodes[node.0 as usize];
            if self.amounts.varying.written(*node).is_some() {
                self.amounts.varying.renumber(*node, now, (symbolic, &values))?;
            } else if matches!(now.kind, NodeKind::Kernel(_)) {
                // Its footprints are narrowed already.
                return None;
            }
        }
        Some(())
    }

    /// What the nodes do now, if nothing is wrong with any of them.
    fn steps(&self, program: &mut Program) -> Option<Vec<(NodeId, Step)>> {
        let Source { sink, tables, .. } = self.from;
        let (origins, elements) = (&*self.plan.origins, &*self.plan.elements);
        let mut findings = Vec::new();
        let mut steps = Vec::with_capacity(self.reached.nodes.len());
        for node in &self.reached.nodes {
            let step = Sources { program, origins, sink, tables, elements }.step(*node).ok()?;
            match &step {
                Step::Kernel(step) => {
                    declared::check_one(program, *node, step, &mut findings);
                    footprints::narrow_one(program, *node, step, elements, &mut findings);
                }
                Step::Compute(step) => {
                    if let Some((body, unchecked)) = self.amounts.bodies.get(node) {
                        let found = body.look(program, program.node(*node), step)?;
                        if found.inside != *unchecked {
                            return None;
                        }
                        program.nodes[node.0 as usize].accesses = found.accesses;
                        findings.extend(found.findings);
                    }
                }
                _ => {}
            }
            let refused = !rules::check_node(program, program.node(*node)).refuted.is_empty();
            if refused || !findings.is_empty() {
                return None;
            }
            steps.push((*node, step));
        }
        Some(steps)
    }

    /// Whether all that depends on several nodes is as it was.
    fn stays(&self, program: &Program, steps: &[(NodeId, Step)]) -> bool {
        let before = &self.plan.program;
        let single = |program: &Program, buffer: &BufferId| program.buffer(*buffer).length() == Some(1);
        let mut buffers = self.reached.buffers.clone();
        if !buffers.iter().all(|buffer| single(before, buffer) == single(program, buffer)) {
            return false;
        }
        for node in &self.reached.nodes {
            let (was, is) = (before.node(*node), program.node(*node));
            if !self.same_accesses(*node, was, is) {
                return false;
            }
            let pairs = was.accesses.iter().zip(&is.accesses);
            buffers.extend(pairs.filter(|(was, is)| was.footprint != is.footprint).map(|(_, is)| is.buffer));
        }
        in_order(&mut buffers);
        buffers.iter().all(|buffer| self.same_order(program, *buffer)) && self.same_domains(steps)
    }

    /// Whether a node names the same buffers in the same way, and other elements only where those for every value are known.
    fn same_accesses(&self, node: NodeId, was: &Node, is: &Node) -> bool {
        let written = self.amounts.varying.written(node);
        let by_argument = written.is_some_and(|node| {
            varying::passed(node).iter().any(|symbol| self.from.symbolic.symbol(*symbol).origin.varies())
        });
        let same = |(index, (was, is)): (usize, (&Access, &Access))| {
            let kept = (was.buffer, was.mode, was.ranged, was.view) == (is.buffer, is.mode, is.ranged, is.view);
            let written = written.and_then(|node| node.accesses.get(index));
            let wide = || by_argument || written.is_some_and(|access| varying::varies(self.from.symbolic, access));
            kept && (was.footprint == is.footprint || wide())
        };
        was.accesses.len() == is.accesses.len() && was.accesses.iter().zip(&is.accesses).enumerate().all(same)
    }

    /// Whether the ends of what is accessed of a buffer, and its sizes, come in the order in which they came.
    fn same_order(&self, program: &Program, buffer: BufferId) -> bool {
        let Some(accesses) = self.amounts.accesses.get(&buffer) else { return false };
        let before = &self.plan.program;
        let [was, is] = [&**before, program].map(|program| program.buffer(buffer).shape);
        let mut ends = Vec::new();
        (0..is.rank()).all(|axis| {
            ends.clear();
            ends.extend([(Some(0), Some(0)), (was.sizes()[axis].known(), is.sizes()[axis].known())]);
            for (node, index) in accesses {
                let range = |program: &Program| {
                    let footprint = &program.node(*node).accesses[*index as usize].footprint;
                    footprint.ranges().get(axis).map(|range| [range.start.known(), range.end.known()])
                };
                let (Some(was), Some(is)) = (range(before), range(program)) else { return false };
                for pair in was.into_iter().zip(is) {
                    // Most accesses are of the whole buffer.
                    if ends.len() > 16 || !ends.contains(&pair) {
                        ends.push(pair);
                    }
                }
            }
            ends.sort_unstable();
            ends.dedup();
            ends.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1)
        })
    }

    /// Whether kernels in the block that went over the same indices still do, and no others.
    fn same_domains(&self, steps: &[(NodeId, Step)]) -> bool {
        let new: HashMap<NodeId, &[AxisRange]> =
            steps.iter().filter_map(|(node, step)| Some((*node, axes(step)?))).collect();
        let changed = |(node, axes): (&NodeId, &&[AxisRange])| self.plan.step(*node).and_then(self::axes) != Some(axes);
        if !new.iter().any(changed) {
            return true;
        }
        let mut pairs: Vec<(&[AxisRange], &[AxisRange])> = Vec::new();
        for node in self.plan.node_ids() {
            let Some(was) = self.plan.step(node).and_then(axes) else { continue };
            let is = new.get(&node).copied().unwrap_or(was);
            let known = pairs.iter().find(|(one, other)| *one == was || *other == is);
            match known {
                Some(pair) if *pair != (was, is) => return false,
                Some(_) => {}
                None => pairs.push((was, is)),
            }
        }
        true
    }
}

/// Each once.
fn in_order<T: Ord>(values: &mut Vec<T>) {
    values.sort_unstable();
    values.dedup();
}

fn axes(step: &Step) -> Option<&[AxisRange]> {
    match step {
        Step::Compute(step) => Some(&step.function.axes),
        _ => None,
    }
}
