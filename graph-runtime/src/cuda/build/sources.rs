//! What each node of a plan launches or copies, with every address and value in place.

use graph_ir::model::{Access, Extent, Memory, Node, NodeId, NodeKind, Strided};

use super::arguments::Arguments;
use super::calls::Calls;
use super::generated::{Entered, Generated};
use super::kernels::Kernels;
use super::work::{Copy, Spec, Work};
use crate::compute::ComputeKind;
use crate::cuda::driver::{Attributes, CopyEnd, Handle};
use crate::cuda::event;
use crate::cuda::module::Unfit;
use crate::device::Bindings;
use crate::error::{DriverError, NodeName, Result};
use crate::plan::{ComputeStep, KernelStep, Plan, Step, StepArgument};
use crate::program::TypedValue;
use crate::scalar::ptx::{
    Parameter, collecting_geometry, each_geometry, fill_geometry, fill_pattern, fill_period, fill_rows, reduce_geometry,
};

/// Everything that a node's parameters come from.
#[derive(Clone, Copy)]
pub(in crate::cuda) struct Sources<'a> {
    pub(in crate::cuda) plan: &'a Plan,
    pub(in crate::cuda) bindings: &'a Bindings,
    pub(in crate::cuda) kernels: &'a Kernels,
    pub(in crate::cuda) generated: &'a Generated,
    pub(in crate::cuda) calls: &'a Calls,
}

/// The most bytes that may lie between two rows of a copy, on every device.
const MAX_PITCH: u64 = 0x7fff_ffff;

/// Which of a node's launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) enum Slot {
    /// The node itself, or the test before it.
    Main,
    /// A loop's test at the end of its body.
    Again,
}

impl Slot {
    /// Those of a node.
    pub(in crate::cuda) fn of(kind: &NodeKind) -> &'static [Self] {
        match kind {
            NodeKind::Loop(_) => &[Self::Main, Self::Again],
            _ => &[Self::Main],
        }
    }
}

/// Where a test's decision goes.
#[derive(Clone, Copy, Debug)]
pub(in crate::cuda) enum Decision<'a> {
    /// To these handles.
    Handles(&'a [Handle]),
    /// To this address.
    Memory(u64),
}

impl Sources<'_> {
    /// What a node does; the arguments of a launch are added to `arguments`.
    pub(in crate::cuda) fn work(
        &self,
        node: NodeId,
        slot: Slot,
        decision: Decision<'_>,
        arguments: &mut Arguments,
    ) -> Result<Work> {
        match self.generated.whole(node) {
            Some(whole) => self.whole(node, whole, arguments),
            None => self.part(node, slot, decision, arguments),
        }
    }

    /// Whether every node can be launched.
    pub(in crate::cuda) fn check(&self) -> Result<()> {
        let mut arguments = Arguments::default();
        for node in self.plan.regions.iter().flatten().flat_map(|region| &region.order) {
            for slot in Slot::of(&self.plan.program.node(*node).kind) {
                arguments.clear();
                self.work(*node, *slot, Decision::Memory(0), &mut arguments)?;
            }
        }
        Ok(())
    }

    /// What one of a node's own launches does, whether it is in a whole loop's or not.
    pub(super) fn part(
        &self,
        node: NodeId,
        slot: Slot,
        decision: Decision<'_>,
        arguments: &mut Arguments,
    ) -> Result<Work> {
        match (self.plan.step(node), slot) {
            (Some(Step::Kernel(step)), Slot::Main) => self.kernel(node, step, decision, arguments),
            (Some(Step::Copy), Slot::Main) => self.copy(node),
            (Some(Step::Host(_)), Slot::Main) => Ok(self.calls.host(node).map_or(Work::Empty, Work::Host)),
            (Some(Step::Capture(_)), Slot::Main) => Ok(self.calls.child(node).map_or(Work::Empty, Work::Child)),
            (Some(Step::Record(event)), Slot::Main) => Ok(event::handle(event).map_or(Work::Empty, Work::Record)),
            (Some(Step::Wait(event)), Slot::Main) => Ok(event::handle(event).map_or(Work::Empty, Work::Wait)),
            (Some(_), Slot::Main) => {
                let entered = self.generated.main(node);
                self.numbers_fit(node, entered)?;
                Ok(self.entered(node, entered, decision, arguments))
            }
            (Some(_), Slot::Again) => {
                let decision = match decision {
                    Decision::Handles(_) if self.only_counts(node) => Decision::Handles(&[Handle(0)]),
                    decision => decision,
                };
                Ok(self.entered(node, self.generated.again(node), decision, arguments))
            }
            (None, _) => Ok(Work::Empty),
        }
    }

    /// Whether what ends a loop's pass only counts it: a kernel decides, and no limit overrules it. Then it is given no handle, so that it may
    /// run beside that kernel (rule R158).
    pub(super) fn only_counts(&self, node: NodeId) -> bool {
        matches!(&self.plan.program.node(node).kind, NodeKind::Loop(head) if head.by_kernel && head.limit.is_none())
    }

    /// A kernel that was written for small buffers cannot be launched over larger ones, which setters may have made.
    fn numbers_fit(&self, node: NodeId, entered: Option<&Entered>) -> Result<()> {
        let Some(entered) = entered.filter(|entered| entered.narrow) else { return Ok(()) };
        let members: Vec<NodeId> = entered.shared.as_ref().map_or(vec![node], |shared| shared.members().collect());
        let accesses = members.iter().flat_map(|member| &self.plan.program.node(*member).accesses);
        let Some(large) = accesses.map(|access| access.buffer).find(|buffer| !self.plan.is_narrow(*buffer)) else {
            return Ok(());
        };
        let name = &self.plan.program.buffer(large).name;
        let meaning = format!("`{name}` has more than 2^32 - 1 elements now, and the kernel was written for fewer");
        let help = "build the graph anew with these values";
        Err(self.invalid(node, meaning, "setting its arguments".to_owned(), help).into())
    }

    /// A launch that sets `bytes` bytes to zero; nothing for none. Its arguments are added to `arguments`.
    pub(in crate::cuda) fn zero(&self, address: u64, bytes: u64, arguments: &mut Arguments) -> Work {
        let Some(entered) = self.generated.zero() else { return Work::Empty };
        for parameter in &entered.parameters {
            match parameter {
                Parameter::Access(_) => arguments.push_word(address),
                Parameter::Bytes => arguments.push_word(bytes),
                _ => arguments.push(&fill_pattern(&[0; size_of::<u64>()])),
            }
        }
        let (grid, block) = fill_geometry(bytes);
        self.launch(entered, [grid, 1], block)
    }

    /// A launch that does nothing.
    pub(super) fn gate(&self) -> Work {
        self.generated.gate().map_or(Work::Empty, |entered| self.launch(entered, [1, 1], 1))
    }

    /// Whose decision the node's launch makes or passes on: its own, or that of the loop whose condition it sets.
    pub(in crate::cuda) fn decides(&self, node: NodeId) -> NodeId {
        match self.plan.step(node) {
            Some(Step::Kernel(step)) if step.decides() => {
                let region = self.plan.program.node(node).region;
                self.plan.program.region(region).owner.unwrap_or(node)
            }
            _ => node,
        }
    }

    fn kernel(
        &self,
        node: NodeId,
        step: &KernelStep,
        decision: Decision<'_>,
        arguments: &mut Arguments,
    ) -> Result<Work> {
        let Some(kernel) = self.kernels.get(step.declaration) else { return Ok(Work::Empty) };
        let asked = self.plan.program.node(node).attributes.as_deref();
        let attributes = kernel.admit(step, asked).map_err(|unfit| self.refused(node, step, unfit))?;
        if step.grid.contains(&0) {
            return Ok(Work::Empty);
        }
        let accesses = &self.plan.program.node(node).accesses;
        for argument in &step.arguments {
            match argument {
                StepArgument::Buffer(access) => {
                    arguments.push_word(self.bindings.access(self.plan, &accesses[*access as usize]));
                }
                &StepArgument::List { first, count } => {
                    let table = self.calls.table(node, first);
                    arguments.push(bytemuck::bytes_of(&[table, u64::from(count)]));
                }
                StepArgument::Value(bytes) => arguments.push(bytes),
                StepArgument::Condition => arguments.push_word(match decision {
                    Decision::Handles([handle, ..]) => handle.0,
                    Decision::Handles([]) | Decision::Memory(_) => 0,
                }),
            }
        }
        let geometry = [step.grid, step.block];
        Ok(Work::Launch(Spec { function: kernel.function(), geometry, shared: step.shared, attributes }))
    }

    fn refused(&self, node: NodeId, step: &KernelStep, Unfit { meaning, help }: Unfit) -> DriverError {
        let doing = format!("adding a launch of kernel `{}`", step.declaration.name);
        self.invalid(node, meaning, doing, &help)
    }

    fn invalid(&self, node: NodeId, meaning: String, doing: String, help: &str) -> DriverError {
        let name = "CUDA_ERROR_INVALID_VALUE".to_owned();
        let node = Some(NodeName::of(&self.plan.program, node));
        DriverError { code: 1, name, meaning, doing, node, notes: Vec::new(), help: help.to_owned() }
    }

    fn copy(&self, node: NodeId) -> Result<Work> {
        let [from, to] = [0, 1].map(|index| &self.plan.program.node(node).accesses[index]);
        let Some((source, target)) = self.plan.strided(from).together(&self.plan.strided(to)) else {
            return Ok(Work::Empty);
        };
        let size = self.plan.element(from.buffer).size as u64;
        let [slices, rows, row] = source.sizes;
        let copy = Copy { to: self.end(to, &target), from: self.end(from, &source), sizes: [slices, rows, row * size] };
        let pitch = copy.from.pitch.max(copy.to.pitch);
        if !copy.is_line() && pitch > MAX_PITCH {
            let meaning = format!("its rows are {pitch} bytes apart, and a copy's at most {MAX_PITCH}");
            let help = "copy in several parts, or with a kernel";
            return Err(self.invalid(node, meaning, "adding a copy".to_owned(), help).into());
        }
        Ok(Work::Copy(copy))
    }

    fn end(&self, access: &Access, rows: &Strided) -> CopyEnd {
        let size = self.plan.element(access.buffer).size as u64;
        let memory: Memory = self.plan.program.buffer(access.buffer).memory;
        let address = self.bindings.buffer(self.plan, access.buffer) + rows.first * size;
        let [slice, pitch] = rows.pitches;
        CopyEnd { address, memory, pitch: pitch * size, height: slice.checked_div(pitch).unwrap_or(0) }
    }

    /// Rows, and bytes of one.
    fn rows(&self, node: NodeId) -> (u64, u64) {
        let access = &self.plan.program.node(node).accesses[0];
        let [slices, rows, row] = self.plan.strided(access).sizes;
        (slices * rows, row * self.plan.element(access.buffer).size as u64)
    }

    /// Bytes between the rows of access 0, and between its slices.
    fn pitches(&self, node: &Node) -> [u64; 2] {
        let access = &node.accesses[0];
        let size = self.plan.element(access.buffer).size as u64;
        self.plan.strided(access).pitches.map(|pitch| pitch * size)
    }

    fn entered(
        &self,
        node: NodeId,
        entered: Option<&Entered>,
        decision: Decision<'_>,
        arguments: &mut Arguments,
    ) -> Work {
        let Some(entered) = entered else { return Work::Empty };
        let last = entered.last(node);
        if let Some(Step::Compute(step)) = self.plan.step(last) {
            return self.compute(last, entered, step, arguments);
        }
        let fills = matches!(self.plan.step(node), Some(Step::Fill { .. }));
        let (rows, bytes) = if fills { self.rows(node) } else { (0, 0) };
        if fills && bytes == 0 {
            return Work::Empty;
        }
        for parameter in &entered.parameters {
            self.argument(node, entered, *parameter, decision, arguments);
        }
        let (grid, block) = if fills { fill_geometry(bytes) } else { (1, 1) };
        self.launch(entered, [grid, fill_rows(rows)], block)
    }

    /// A kernel in the block: nothing without indices, but a reduction of nothing still has a value.
    fn compute(&self, node: NodeId, entered: &Entered, step: &ComputeStep, arguments: &mut Arguments) -> Work {
        let counts: Vec<u64> = step.function.axes.iter().map(|axis| axis.count).collect();
        let geometry = match step.function.kind {
            ComputeKind::For(_) if !entered.collected.is_empty() => collecting_geometry(&counts, entered.lanes),
            ComputeKind::For(_) if counts.contains(&0) => return Work::Empty,
            ComputeKind::For(_) => each_geometry(&counts, entered.lanes),
            ComputeKind::Reduce { .. } => reduce_geometry(step.function.count(), entered.lanes),
        };
        for parameter in &entered.parameters {
            match *parameter {
                Parameter::Start(axis) => arguments.push_word(step.function.axes[axis as usize].start),
                Parameter::Count(axis) => arguments.push_word(step.function.axes[axis as usize].count),
                Parameter::Site => arguments.push_word(entered.first_site),
                other => self.argument(node, entered, other, Decision::Handles(&[]), arguments),
            }
        }
        let (function, attributes) = (self.generated.function(entered), Attributes::default());
        Work::Launch(Spec { function, geometry, shared: 0, attributes })
    }

    /// Whether the launch that starts with this node has as many blocks as one likes.
    pub(super) fn is_for(&self, node: NodeId) -> bool {
        let last = self.generated.main(node).map_or(node, |entered| entered.last(node));
        match self.plan.step(last) {
            Some(Step::Compute(step)) => matches!(step.function.kind, ComputeKind::For(_)),
            Some(Step::Fill { .. }) => true,
            _ => false,
        }
    }

    /// How many blocks a reduction has, which this node launches.
    fn blocks(&self, [reduction, launch]: [NodeId; 2]) -> u64 {
        let Some(Step::Compute(step)) = self.plan.step(reduction) else { return 0 };
        let lanes = self.generated.main(launch).map_or(1, |entered| entered.lanes);
        u64::from(reduce_geometry(step.function.count(), lanes)[0][0])
    }

    fn launch(&self, entered: &Entered, [x, y]: [u32; 2], block: u32) -> Work {
        let function = self.generated.function(entered);
        let attributes = Attributes::default();
        Work::Launch(Spec { function, geometry: [[x, y, 1], [block, 1, 1]], shared: 0, attributes })
    }

    fn argument(
        &self,
        id: NodeId,
        entered: &Entered,
        parameter: Parameter,
        decision: Decision<'_>,
        arguments: &mut Arguments,
    ) {
        let node = self.plan.program.node(id);
        let access = |number: u32| {
            let (id, number) = entered.shared.as_ref().map_or((id, number), |shared| shared.origin(number));
            &self.plan.program.node(id).accesses[number as usize]
        };
        let pattern = || match self.plan.step(id) {
            Some(Step::Fill { pattern }) => &pattern[..],
            _ => &[],
        };
        match parameter {
            Parameter::Handle(index) => arguments.push_word(match decision {
                Decision::Handles(handles) => handles[index as usize].0,
                Decision::Memory(_) => 0,
            }),
            Parameter::Value => arguments.push_word(match decision {
                Decision::Memory(address) => address,
                Decision::Handles(_) => 0,
            }),
            Parameter::State => arguments.push_word(self.bindings.loop_state(self.plan, id).unwrap_or(0)),
            Parameter::Limit => arguments.push_word(match &node.kind {
                NodeKind::Loop(head) => head.limit.and_then(Extent::known).unwrap_or(u64::MAX),
                _ => u64::MAX,
            }),
            Parameter::Every => arguments.push_word(match &node.kind {
                NodeKind::Loop(head) => u64::from(head.every),
                _ => 1,
            }),
            Parameter::Access(number) => arguments.push_word(self.bindings.access(self.plan, access(number))),
            Parameter::Buffer(number) => {
                let (access, plan) = (access(number), self.plan);
                let bytes = plan.counted(access).first * plan.element(access.buffer).size as u64;
                arguments.push_word(self.bindings.buffer(plan, access.buffer) + bytes);
            }
            Parameter::Dimension(number, dimension) => {
                let shape = self.plan.counted(access(number)).shape;
                let size = shape.sizes().get(dimension as usize).and_then(|size| size.known());
                arguments.push_word(size.unwrap_or(0));
            }
            Parameter::Partials => arguments.push_word(self.generated.scratch(id).unwrap_or_default()[0]),
            Parameter::Collected(number) => {
                let [reduction, _] = entered.collected[number as usize];
                arguments.push_word(self.generated.scratch(reduction).unwrap_or_default()[0]);
            }
            Parameter::CollectedBlocks(number) => {
                arguments.push_word(self.blocks(entered.collected[number as usize]));
            }
            Parameter::Ticket => arguments.push_word(self.generated.scratch(id).unwrap_or_default()[1]),
            Parameter::Fault => arguments.push_word(self.generated.fault()),
            // Kernels in the block have them, and put them in place themselves.
            Parameter::Start(_) | Parameter::Count(_) => arguments.push_word(0),
            Parameter::Site => arguments.push_word(entered.first_site),
            Parameter::Host(symbol) => arguments.push_word(self.host(id, entered, symbol)),
            Parameter::Bytes => arguments.push_word(self.rows(id).1),
            Parameter::Size => arguments.push_word(fill_period(pattern())),
            Parameter::Rows => arguments.push_word(self.rows(id).0),
            Parameter::Height => arguments.push_word(self.plan.strided(&node.accesses[0]).sizes[1]),
            Parameter::Pitch => arguments.push_word(self.pitches(node)[1]),
            Parameter::Slice => arguments.push_word(self.pitches(node)[0]),
            Parameter::Pattern(_) => arguments.push(&fill_pattern(pattern())),
        }
    }

    fn host(&self, node: NodeId, entered: &Entered, symbol: graph_ir::model::SymbolId) -> u64 {
        let origin = entered.shared.as_ref().and_then(|shared| shared.host_origin(symbol));
        let (node, symbol) = origin.unwrap_or((node, symbol));
        let value = self.values(node).iter().find(|(name, _)| *name == symbol);
        let mut word = [0; 8];
        if let Some((_, value)) = value {
            let length = value.bytes.len().min(8);
            word[..length].copy_from_slice(&value.bytes[..length]);
        }
        u64::from_le_bytes(word)
    }
}

impl<'a> Sources<'a> {
    /// The host values that a node's device expression or body names.
    fn values(&self, node: NodeId) -> &'a [(graph_ir::model::SymbolId, TypedValue)] {
        match self.plan.step(node) {
            Some(
                Step::Scalar(expression)
                | Step::If(expression)
                | Step::Match(expression)
                | Step::Loop(Some(expression))
                | Step::Assert { test: expression, .. },
            ) => &expression.values,
            Some(Step::Compute(step)) => &step.values,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{bindings, plan};
    use super::*;

    #[test]
    fn a_copy_goes_from_the_first_access_to_the_second() {
        let (plan, bindings) = (plan(), bindings());
        let (kernels, generated, calls) = (Kernels::default(), Generated::default(), Calls::default());
        let (kernels, generated, calls) = (&kernels, &generated, &calls);
        let sources = Sources { plan: &plan, bindings: &bindings, kernels, generated, calls };
        let address = |buffer: usize| bindings.parameters[buffer].as_ref().unwrap().allocation.address();
        let mut arguments = Arguments::default();
        let mut work = |node| sources.work(NodeId(node), Slot::Main, Decision::Handles(&[]), &mut arguments).unwrap();
        let from = CopyEnd { address: address(0) + 8 * 4, memory: Memory::Device, pitch: 64, height: 1 };
        let to = CopyEnd { address: address(1), memory: Memory::Host, pitch: 64, height: 1 };
        assert_eq!(work(0), Work::Copy(Copy { to, from, sizes: [1, 1, 16 * 4] }));
        assert_eq!(work(5), Work::Empty, "no elements");
    }
}
