//! One launch: a plan's regions, node by node.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use graph_ir::model::{Access, Arm, BufferId, Extent, Footprint, Memory, NodeId, NodeKind, RegionId};
use rayon::{Scope, ThreadPool};

use super::event::CpuEvent;
use super::memory::Block;
use super::reversal::{MOST_PASSES, Reversal};
use super::schedule::{Schedule, schedule};
use super::shuffle::{self, Random};
use super::{call, compute, event, kernel, threads, transfer};
use crate::buffer::mailbox;
use crate::call::CallBuffer;
use crate::compute::{Elements, Touched};
use crate::debug::{Watch, Watcher, is_conditional};
use crate::device::Bindings;
use crate::error::{Error, NodeName, Result, panic_text};
use crate::fault::Fault;
use crate::plan::{DeviceExpression, LoopState, Plan, SharedPlan, Step};
use crate::scalar::facts;

/// What undefined memory is set to: NaN as floats, -1 as integers.
const POISON: u8 = 0xff;

/// A plan with the addresses of its buffers.
pub(super) struct Prepared {
    plan: SharedPlan,
    schedules: Arc<[Option<Schedule>]>,
    /// By buffer id.
    buffers: Arc<[u64]>,
    /// By node id.
    loops: Arc<[Option<u64>]>,
    /// The memory behind the addresses.
    blocks: Arc<[Arc<Block>]>,
    /// Of any loop, where an edge is turned around.
    most_passes: Option<u64>,
}

impl Prepared {
    pub(super) fn new(plan: SharedPlan, bindings: &Bindings, reversal: Option<&Reversal>) -> Self {
        let buffers = plan.program.buffer_ids().map(|buffer| bindings.buffer(&plan, buffer)).collect();
        let nodes = (0..plan.program.nodes.len() as u32).map(NodeId);
        let loops = nodes.map(|node| bindings.loop_state(&plan, node)).collect();
        let bound = bindings.parameters.iter().flatten().map(|bound| &bound.allocation);
        let allocations = bound
            .chain(&bindings.device_arena)
            .chain(&bindings.host_arena)
            .chain(&bindings.spare)
            .chain(&bindings.counters);
        let blocks = allocations.filter_map(|allocation| allocation.hold()?.downcast().ok()).collect();
        let most_passes = reversal.filter(|reversal| reversal.is_on()).map(|_| MOST_PASSES);
        Self { schedules: Schedule::of_all(&plan, reversal).into(), plan, buffers, loops, blocks, most_passes }
    }

    /// The same with other arguments: a plan that shares everything else with this one's.
    pub(super) fn with_plan(&self, plan: SharedPlan) -> Self {
        Self {
            plan,
            schedules: Arc::clone(&self.schedules),
            buffers: Arc::clone(&self.buffers),
            loops: Arc::clone(&self.loops),
            blocks: Arc::clone(&self.blocks),
            most_passes: self.most_passes,
        }
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The events that a launch waits for, and those that it records.
    pub(super) fn events(&self) -> (Vec<&CpuEvent>, Vec<&CpuEvent>) {
        let steps = || self.plan.steps.iter().map(|(_, step)| step);
        let waits = steps().filter_map(|step| if let Step::Wait(event) = step { event::of(event) } else { None });
        let records = steps().filter_map(|step| if let Step::Record(event) = step { event::of(event) } else { None });
        (waits.collect(), records.collect())
    }

    /// A loop's counters.
    pub(super) fn loop_state(&self, node: NodeId) -> LoopState {
        let Some(address) = self.loops[node.0 as usize] else { return LoopState::default() };
        // SAFETY: the arena holds a `LoopState` there, aligned to 16, and is kept by `blocks`. Only this graph's launches write it; the
        // caller has waited for them or is the one that runs.
        unsafe { (address as *const LoopState).read() }
    }

    fn set_loop_state(&self, node: NodeId, state: LoopState) {
        if let Some(address) = self.loops[node.0 as usize] {
            // SAFETY: as in `loop_state`; within a launch only the loop itself writes its counters.
            unsafe { (address as *mut LoopState).write(state) };
        }
    }
}

/// In which order a region's nodes run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// Side by side where the edges allow.
    Parallel,
    /// One by one, at random as the edges allow.
    Shuffled(u64),
    /// One by one in the plan's order.
    Plan,
}

/// One launch, queued.
pub(super) struct Launch {
    pub(super) prepared: Arc<Prepared>,
    pub(super) order: Order,
    pub(super) pool: Option<Arc<ThreadPool>>,
    /// Switched off.
    pub(super) disabled: Arc<BTreeSet<NodeId>>,
    pub(super) dry: bool,
    /// Told of each node; only where nodes run one by one.
    pub(super) watcher: Option<Watcher>,
}

impl Launch {
    /// Runs the whole graph once.
    pub(super) fn run(self) -> Result<()> {
        self.run_part(None)
    }

    /// Runs one node, which has no bodies.
    pub(super) fn run_one(self, node: NodeId) -> Result<()> {
        self.run_part(Some(node))
    }

    /// Everything, or one node.
    fn run_part(self, only: Option<NodeId>) -> Result<()> {
        if self.prepared.blocks.iter().any(|block| block.is_freed()) {
            let name = &self.prepared.plan.program.name;
            return Err(Error::Buffer(format!(
                "internal error: memory of graph `{name}` was freed before its launch ran"
            )));
        }
        let random = match self.order {
            Order::Shuffled(seed) => Some(Mutex::new(Random::new(seed))),
            Order::Parallel | Order::Plan => None,
        };
        // A dry device has nothing to do that other threads could help with.
        let parallel = matches!(self.order, Order::Parallel) && !self.dry;
        let pool = self.pool.as_deref().filter(|_| parallel);
        let run = Run {
            prepared: &self.prepared,
            plan: &self.prepared.plan,
            pool,
            dry: self.dry,
            random,
            conditions: conditions(&self.prepared.plan),
            failure: Mutex::default(),
            stopped: AtomicBool::new(false),
            disabled: &self.disabled,
            watcher: self.watcher.as_ref(),
        };
        let work = || only.map_or_else(|| run.graph(), |node| run.node(node));
        threads::launch(pool, work);
        run.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// A launch while it runs.
pub(super) struct Run<'r> {
    prepared: &'r Prepared,
    pub(super) plan: &'r Plan,
    /// Where nodes run side by side.
    pub(super) pool: Option<&'r ThreadPool>,
    dry: bool,
    pub(super) random: Option<Mutex<Random>>,
    /// By node id, if a kernel sets any loop's condition.
    conditions: Vec<AtomicU32>,
    failure: Mutex<Option<Error>>,
    stopped: AtomicBool,
    disabled: &'r BTreeSet<NodeId>,
    watcher: Option<&'r Watcher>,
}

/// What a dry device passes over: kernels, calls, and what decides by what they wrote.
fn is_for_the_device(step: &Step) -> bool {
    let called = matches!(step, Step::Kernel(_) | Step::Compute(_) | Step::Host(_) | Step::Capture(_));
    called || matches!(step, Step::Assert { .. } | Step::If(_) | Step::Match(_) | Step::Loop(_))
}

impl Run<'_> {
    fn graph(&self) {
        for index in 0..self.prepared.loops.len() {
            self.prepared.set_loop_state(NodeId(index as u32), LoopState::default());
        }
        self.region(RegionId::GRAPH);
    }

    fn region(&self, region: RegionId) {
        let Some(schedule) = schedule(&self.prepared.schedules, region) else { return };
        for buffer in &schedule.poisoned {
            self.poison(*buffer);
        }
        if let Some(random) = &self.random {
            let order = shuffle::order(schedule, &mut random.lock().unwrap_or_else(PoisonError::into_inner));
            for index in order {
                self.node(schedule.nodes[index]);
            }
        } else if let Some(pool) = self.pool.filter(|_| !schedule.line) {
            self.side_by_side(pool, schedule);
        } else {
            schedule.nodes.iter().for_each(|node| self.node(*node));
        }
    }

    fn poison(&self, buffer: BufferId) {
        let length = self.plan.program.buffer(buffer).length().unwrap_or(0) as usize;
        let bytes = length * self.plan.element(buffer).size;
        // SAFETY: the buffer's memory has its declared length, is kept by `blocks`, and none of the region's nodes runs yet.
        unsafe { std::ptr::write_bytes(self.prepared.buffers[buffer.0 as usize] as *mut u8, POISON, bytes) };
    }

    fn side_by_side(&self, pool: &ThreadPool, schedule: &Schedule) {
        let waits: Vec<_> = schedule.waits.iter().map(|count| AtomicUsize::new(*count)).collect();
        let waits = &waits[..];
        pool.scope(|scope| {
            for index in (0..waits.len()).filter(|index| schedule.waits[*index] == 0) {
                scope.spawn(move |scope| self.chain(scope, schedule, waits, index));
            }
        });
    }

    /// Runs a node, then what it was the last to hold up: one on this thread, the others beside it.
    fn chain<'s>(&'s self, scope: &Scope<'s>, schedule: &'s Schedule, waits: &'s [AtomicUsize], first: usize) {
        let mut next = Some(first);
        while let Some(index) = next.take() {
            self.node(schedule.nodes[index]);
            for &behind in &schedule.behind[index] {
                if waits[behind].fetch_sub(1, Ordering::AcqRel) != 1 {
                    continue;
                }
                if let Some(other) = next.replace(behind) {
                    scope.spawn(move |scope| self.chain(scope, schedule, waits, other));
                }
            }
        }
    }

    fn node(&self, node: NodeId) {
        if self.stopped.load(Ordering::Acquire) || self.disabled.contains(&node) {
            return;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| self.watched(node)));
        let error = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error,
            Err(panic) => self.thrown(node, panic),
        };
        self.fail(error);
    }

    fn fail(&self, error: Error) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stopped.store(true, Ordering::Release);
    }

    /// Runs a node, and tells who watches.
    fn watched(&self, node: NodeId) -> Result<()> {
        if self.watcher.is_none() || is_conditional(&self.plan.program.node(node).kind) {
            return self.step(node);
        }
        self.tell(|watch| watch.before(node))?;
        let begun = Instant::now();
        self.step(node)?;
        self.tell(|watch| watch.after(node, begun.elapsed()))
    }

    fn tell(&self, what: impl FnOnce(&mut dyn Watch) -> Result<()>) -> Result<()> {
        let Some(watcher) = self.watcher else { return Ok(()) };
        what(&mut *watcher.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a conditional decides by.
    fn test(&self, node: NodeId, test: &DeviceExpression) -> u64 {
        let begun = Instant::now();
        let value = self.evaluate(node, test);
        self.report(|watch| watch.after(node, begun.elapsed()));
        value
    }

    /// Tells who watches of what is no node of its own.
    fn report(&self, what: impl FnOnce(&mut dyn Watch) -> Result<()>) {
        if let Err(error) = self.tell(what) {
            self.fail(error);
        }
    }

    /// What a node's function threw.
    fn thrown(&self, node: NodeId, panic: Box<dyn Any + Send>) -> Error {
        match panic.downcast::<Fault>() {
            Ok(fault) => fault.into_error(&self.plan.program, node),
            Err(panic) => {
                let name = NodeName::of(&self.plan.program, node);
                Error::Panicked(format!("{name} panicked: {}", panic_text(panic)))
            }
        }
    }

    fn step(&self, node: NodeId) -> Result<()> {
        if self.dry && self.plan.step(node).is_some_and(is_for_the_device) {
            return Ok(());
        }
        match self.plan.step(node) {
            // The launch itself has waited for events.
            None | Some(Step::Wait(_)) => {}
            Some(Step::Kernel(step)) => kernel::run(self, node, step)?,
            Some(Step::Host(step)) => call::host(self, node, step)?,
            Some(Step::Capture(step)) => call::capture(self, node, step)?,
            Some(Step::Record(event)) => event::of(event).into_iter().for_each(CpuEvent::reach),
            Some(Step::Copy) => transfer::copy(self, node),
            Some(Step::Fill { pattern }) => transfer::fill(self, node, pattern),
            Some(Step::Scalar(expression)) => self.assign(node, expression),
            Some(Step::Compute(step)) => compute::run(self, node, step),
            Some(Step::Assert { test, message }) => self.assert(node, test, message)?,
            Some(Step::If(test)) => self.choose(node, self.test(node, test) != 0),
            Some(Step::Match(value)) => self.select(node, value),
            Some(Step::Loop(test)) => self.repeat(node, test.as_ref()),
        }
        Ok(())
    }

    pub(super) fn access(&self, node: NodeId, index: u32) -> &Access {
        &self.plan.program.node(node).accesses[index as usize]
    }

    /// The address of a buffer's first element.
    pub(super) fn address(&self, buffer: BufferId) -> u64 {
        self.prepared.buffers[buffer.0 as usize]
    }

    /// First byte and number of bytes of an access whose elements lie side by side.
    pub(super) fn bytes(&self, access: &Access) -> (u64, usize) {
        let size = self.plan.element(access.buffer).size as u64;
        let strided = self.plan.strided(access);
        (self.address(access.buffer) + strided.first * size, (strided.elements() * size) as usize)
    }

    /// Where an access is, and how many elements it has. Where there is no element any aligned address will do.
    pub(super) fn call_buffer(&self, access: &Access) -> CallBuffer {
        let (address, bytes) = self.bytes(access);
        let elements = self.plan.strided(access).elements() as usize;
        CallBuffer { address: if bytes == 0 { 256 } else { address }, elements }
    }

    /// The condition of the loop whose body lists the node; one of nobody's elsewhere.
    pub(super) fn condition_of(&self, node: NodeId) -> &AtomicU32 {
        static NOBODYS: AtomicU32 = AtomicU32::new(0);
        let region = self.plan.program.node(node).region;
        let owner = self.plan.program.region(region).owner;
        owner.and_then(|owner| self.conditions.get(owner.0 as usize)).unwrap_or(&NOBODYS)
    }

    /// A node's accesses with their addresses.
    pub(super) fn touched(&self, node: NodeId) -> Vec<Touched> {
        let touched = |access: &Access| {
            let buffer = self.plan.program.buffer(access.buffer);
            let size = self.plan.element(access.buffer).size;
            let (mut shape, mut footprint) = ([1; 3], [[0, 1]; 3]);
            let counted = self.plan.counted(access);
            for (into, extent) in shape.iter_mut().zip(counted.shape.sizes()) {
                *into = extent.known().unwrap_or(0);
            }
            let inside = access.view.map(|view| Footprint::whole(view.shape));
            for (into, range) in footprint.iter_mut().zip(inside.unwrap_or(access.footprint).ranges()) {
                *into = range.numbers().map_or([0, 0], |(start, end)| [start, end]);
            }
            let (name, first) = (buffer.name.clone(), self.plan.strided(access).first);
            let address = self.address(access.buffer) as usize + counted.first as usize * size;
            let (rank, single) = (counted.shape.rank(), first.saturating_sub(counted.first));
            let mailbox = buffer.memory == Memory::Mailbox;
            Touched { name, address, size, shape, rank, footprint, single, mailbox, place: access.place }
        };
        self.plan.program.node(node).accesses.iter().map(touched).collect()
    }

    fn evaluate(&self, node: NodeId, expression: &DeviceExpression) -> u64 {
        let touched = self.touched(node);
        // SAFETY: the elements lie in their buffers (a rule), which `blocks` keeps and which are initialised; the plan's edges order this
        // node with every other that touches them.
        let elements = unsafe { Elements::new(&touched) };
        (expression.function)(&elements)
    }

    fn assign(&self, node: NodeId, expression: &DeviceExpression) {
        let bits = self.evaluate(node, expression);
        self.set_element(node, bits);
    }

    /// The element of access 0, as the type that it is computed as.
    pub(super) fn element(&self, node: NodeId) -> u64 {
        let access = self.access(node, 0);
        let (address, bytes) = self.bytes(access);
        let mut bits = [0; 8];
        let length = bytes.min(bits.len());
        // SAFETY: the element lies in its buffer, which `blocks` keeps; the plan's edges order this node with every other that touches it.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bits.as_mut_ptr(), length) };
        let bits = u64::from_le_bytes(bits);
        self.plan.element(access.buffer).scalar.map_or(bits, |scalar| facts::widen(scalar, bits))
    }

    /// Sets the element of access 0 to a value of the type that it is computed as.
    pub(super) fn set_element(&self, node: NodeId, bits: u64) {
        let access = self.access(node, 0);
        let bits = match self.plan.element(access.buffer).scalar {
            Some(scalar) => facts::narrow(scalar, bits),
            None => bits,
        };
        let (address, bytes) = self.bytes(access);
        if self.plan.program.buffer(access.buffer).memory == Memory::Mailbox {
            // SAFETY: an element of a mailbox, which `blocks` keeps and which everybody touches so.
            return unsafe { mailbox::store(address, bytes, bits) };
        }
        let bits = bits.to_le_bytes();
        // SAFETY: the element lies in its buffer, which `blocks` keeps; the plan's edges order this node with every other that touches it.
        unsafe { std::ptr::copy_nonoverlapping(bits.as_ptr(), address as *mut u8, bytes.min(bits.len())) };
    }

    fn assert(&self, node: NodeId, test: &DeviceExpression, message: &str) -> Result<()> {
        if self.evaluate(node, test) != 0 {
            return Ok(());
        }
        let place = self.plan.program.node(node).place;
        Err(Fault { place, message: message.to_owned() }.into_error(&self.plan.program, node))
    }

    fn choose(&self, node: NodeId, holds: bool) {
        let NodeKind::If { then, otherwise, .. } = &self.plan.program.node(node).kind else { return };
        let taken = if holds { Some(*then) } else { *otherwise };
        if let Some(region) = taken {
            self.region(region);
        }
    }

    fn select(&self, node: NodeId, expression: &DeviceExpression) {
        let NodeKind::Match { arms, otherwise, .. } = &self.plan.program.node(node).kind else { return };
        let value = expression.widen(self.test(node, expression));
        let holds = |arm: &&Arm| arm.patterns.iter().any(|one| (one.first..=one.last).contains(&value));
        let taken = arms.iter().find(holds).map(|arm| arm.body).or(*otherwise);
        if let Some(region) = taken {
            self.region(region);
        }
    }

    fn repeat(&self, node: NodeId, test: Option<&DeviceExpression>) {
        let NodeKind::Loop(head) = &self.plan.program.node(node).kind else { return };
        let limit = head.limit.and_then(Extent::known);
        let set = self.conditions.get(node.0 as usize).filter(|_| head.by_kernel);
        let holds = || match set {
            Some(set) => set.load(Ordering::Acquire) != 0,
            None => test.is_none_or(|test| self.test(node, test) != 0),
        };
        set.inspect(|set| set.store(1, Ordering::Release));
        let mut state = LoopState { passes: 0, exit: LoopState::CONDITION };
        let mut again = !head.tests_first || holds();
        while again {
            if limit.is_some_and(|limit| state.passes >= limit) {
                state.exit = LoopState::LIMIT;
                break;
            }
            self.report(|watch| watch.pass(node));
            self.region(head.body);
            state.passes += u64::from(head.every);
            again = !self.stopped.load(Ordering::Acquire) && holds();
            again &= self.prepared.most_passes.is_none_or(|most| state.passes < most);
        }
        // A device cannot see what its kernel has decided.
        if head.by_kernel && limit == Some(state.passes) {
            state.exit = LoopState::LIMIT;
        }
        self.report(|watch| watch.over(node));
        self.prepared.set_loop_state(node, state);
    }
}

/// A word for each node, if there is a loop whose condition a kernel sets.
fn conditions(plan: &Plan) -> Vec<AtomicU32> {
    let by_kernel = |kind: &NodeKind| matches!(kind, NodeKind::Loop(head) if head.by_kernel);
    let any = plan.program.nodes.iter().any(|node| by_kernel(&node.kind));
    let count = if any { plan.program.nodes.len() } else { 0 };
    std::iter::repeat_with(AtomicU32::default).take(count).collect()
}
