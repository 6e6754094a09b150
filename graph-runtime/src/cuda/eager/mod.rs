//! A plan run node by node, conditions decided by the host: with a wait behind each node, or behind the tests only.

mod setter;
mod watched;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use graph_ir::model::{Arm, LoopHead, NodeId, NodeKind, RegionId};

use super::build::{Arguments, Decision, Decisions, Generated, Slot, Sources, Spec, Work};
use super::device::DeviceState;
use super::driver::{self, Attributes, Context, Doing, Failure, Stream};
use super::fault::Faults;
use super::fence::CudaFence;
use crate::debug::{Watch, Watcher};
use crate::error::{NodeName, Result};
use crate::plan::{LoopState, Plan};
use watched::Watched;

/// What eager runs need beside the graph: tests that store their decision where the host sees it.
pub(super) struct Eager {
    generated: Generated,
    decision: Pinned,
}

/// A word of pinned memory, at the same address for host and device.
struct Pinned {
    address: u64,
    context: Context,
}

impl Eager {
    pub(super) fn new(device: &Arc<DeviceState>, plan: &Plan, fence: &CudaFence) -> Result<Self> {
        let context = device.context();
        let allocated = context.bind().and_then(|()| driver::allocate_pinned(size_of::<u64>()));
        let address = allocated.doing(|| format!("preparing graph `{}` for an eager run", plan.program.name))?;
        let decision = Pinned { address, context };
        let generated = Generated::load(plan, Decisions::Memory, device, fence)?;
        Ok(Self { generated, decision })
    }

    pub(super) fn generated(&self) -> &Generated {
        &self.generated
    }

    /// Runs the plan once. An error names the node that failed.
    pub(super) fn run(
        &self,
        sources: Sources<'_>,
        disabled: &BTreeSet<NodeId>,
        fence: &CudaFence,
        (context, watcher): (Context, Option<&Watcher>),
    ) -> Result<()> {
        let stream = fence.stream();
        let graph = &sources.plan.program.name;
        let ready = context.bind().and_then(|()| stream.synchronize());
        ready.doing(|| format!("waiting for what comes before an eager run of graph `{graph}`"))?;
        let (faults, decision, arguments) = (fence.faults(), &self.decision, Arguments::default());
        let asked = BTreeMap::new();
        let watched = watcher.map(|watcher| Watched::new(watcher, context)).transpose();
        let watched = watched.doing(|| format!("preparing to measure graph `{graph}`"))?;
        let pace = Pace::Nodes(faults);
        let mut run = Run { sources, disabled, stream, context, pace, decision, arguments, asked, watched };
        run.clear_counters()?;
        run.region(RegionId::GRAPH)
    }

    /// Puts a run into the stream, behind what is there: waits where the host decides, and nowhere else.
    pub(super) fn launch(
        &self,
        sources: Sources<'_>,
        disabled: &BTreeSet<NodeId>,
        fence: &CudaFence,
        context: Context,
    ) -> Result<()> {
        let (stream, decision, arguments) = (fence.stream(), &self.decision, Arguments::default());
        let (pace, asked, watched) = (Pace::Tests, BTreeMap::new(), None);
        let mut run = Run { sources, disabled, stream, context, pace, decision, arguments, asked, watched };
        run.clear_counters()?;
        run.region(RegionId::GRAPH)
    }
}

impl Pinned {
    /// What a kernel that is over has stored.
    fn get(&self) -> u32 {
        // SAFETY: the word is ours, and the kernel that writes it is over.
        unsafe { (self.address as *const u32).read_volatile() }
    }

    /// For the next kernel.
    fn set(&self, value: u32) {
        // SAFETY: the word is ours, and no kernel that looks at it runs.
        unsafe { (self.address as *mut u32).write_volatile(value) };
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: ours; it is kept until every run is over.
        let freed = self.context.bind().and_then(|()| unsafe { driver::free_pinned(self.address) });
        super::memory::leaked(freed, "pinned memory");
    }
}

/// Where a run waits.
#[derive(Clone, Copy)]
enum Pace<'a> {
    /// Behind each node, and looks at what it has found wrong.
    Nodes(&'a Faults),
    /// Where the host decides or calls back. What is wrong is told to whoever waits for the launch.
    Tests,
}

struct Run<'a> {
    sources: Sources<'a>,
    disabled: &'a BTreeSet<NodeId>,
    stream: &'a Stream,
    context: Context,
    pace: Pace<'a>,
    decision: &'a Pinned,
    arguments: Arguments,
    /// By loop: what the kernel that sets its condition has set.
    asked: BTreeMap<NodeId, u32>,
    watched: Option<Watched<'a>>,
}

impl Run<'_> {
    fn region(&mut self, region: RegionId) -> Result<()> {
        let plan = self.sources.plan;
        let nodes = plan.region(region).map_or(&[][..], |region| &region.order);
        nodes.iter().try_for_each(|node| self.node(*node))
    }

    fn node(&mut self, node: NodeId) -> Result<()> {
        if self.disabled.contains(&node) {
            return Ok(());
        }
        match &self.sources.plan.program.node(node).kind {
            NodeKind::If { then, otherwise, .. } => {
                let taken = if self.decide(node, Slot::Main)? == 0 { *otherwise } else { Some(*then) };
                taken.map_or(Ok(()), |body| self.region(body))
            }
            NodeKind::Match { arms, otherwise, .. } => {
                let index = self.decide(node, Slot::Main)?;
                chosen(index, arms, *otherwise).map_or(Ok(()), |body| self.region(body))
            }
            NodeKind::Loop(head) => self.repeat(node, head),
            NodeKind::Host(_) => self.call_back(node),
            _ => {
                self.tell(|watch| watch.before(node))?;
                self.launch(node, Slot::Main)
            }
        }
    }

    fn call_back(&self, node: NodeId) -> Result<()> {
        if let Pace::Tests = self.pace {
            self.wait(node)?;
            self.sources.calls.call_host(node);
            return Ok(());
        }
        self.tell(|watch| watch.before(node))?;
        let begun = Instant::now();
        self.sources.calls.run_host(node)?;
        self.tell(|watch| watch.after(node, begun.elapsed()))
    }

    fn repeat(&mut self, node: NodeId, head: &LoopHead) -> Result<()> {
        let mut going = self.decide(node, Slot::Main)?;
        while going != 0 {
            self.tell(|watch| watch.pass(node))?;
            self.region(head.body)?;
            if head.by_kernel {
                self.decision.set(self.asked.get(&node).copied().unwrap_or(1));
            }
            going = self.decide(node, Slot::Again)?;
        }
        self.tell(|watch| watch.over(node))
    }

    /// Tells who watches.
    fn tell(&self, what: impl FnOnce(&mut dyn Watch) -> Result<()>) -> Result<()> {
        self.watched.as_ref().map_or(Ok(()), |watched| watched.tell(what))
    }

    /// Runs a test and reads what it has decided.
    fn decide(&mut self, node: NodeId, slot: Slot) -> Result<u32> {
        self.launch(node, slot)?;
        if let Pace::Tests = self.pace {
            self.wait(node)?;
        }
        Ok(self.decision.get())
    }

    /// Waits until everything in front of a node that the host runs is over.
    fn wait(&self, node: NodeId) -> Result<()> {
        let program = &self.sources.plan.program;
        let doing =
            format!("waiting for what comes before it, in a run of graph `{}` by single launches", program.name);
        self.stream.synchronize().at(|| NodeName::of(program, node), &doing)
    }

    fn launch(&mut self, node: NodeId, slot: Slot) -> Result<()> {
        let owner = self.sources.decides(node);
        let plan = self.sources.plan;
        let name = || NodeName::of(&plan.program, node);
        if let Some(watched) = &self.watched {
            watched.begin(self.stream).at(name, "measuring")?;
        }
        if owner == node {
            self.launch_own(node, slot)?;
        } else {
            self.set_condition(node, owner)?;
        }
        let Some(watched) = &self.watched else { return Ok(()) };
        let time = watched.end(self.stream).at(name, "measuring")?;
        watched.tell(|watch| watch.after(node, time))
    }

    fn launch_own(&mut self, node: NodeId, slot: Slot) -> Result<()> {
        let decision = Decision::Memory(self.decision.address);
        self.arguments.clear();
        let work = self.sources.work(node, slot, decision, &mut self.arguments)?;
        let program = &self.sources.plan.program;
        let name = || NodeName::of(program, node);
        match self.pace {
            Pace::Nodes(faults) => {
                let over = self.put(node, work).and_then(|()| self.stream.synchronize());
                over.at(name, &format!("running graph `{}` eagerly", program.name))?;
                faults.take().map_or(Ok(()), Err)
            }
            Pace::Tests => self.put(node, work).at(name, "launching it"),
        }
    }

    fn put(&mut self, node: NodeId, work: Work) -> Result<(), Failure> {
        match work {
            // Callbacks are called by `node`.
            Work::Empty | Work::Host(_) => Ok(()),
            Work::Child(_) => self.sources.calls.run_capture(node, self.stream, self.context),
            Work::Record(event) => self.stream.record(event),
            Work::Wait(event) => self.stream.wait(event),
            // SAFETY: the arguments are those of the kernel's declaration, which was compared with it, or of the entry that this crate
            // wrote; the graph holds the memory that they name.
            Work::Launch(Spec { function, geometry, shared, attributes }) => unsafe {
                let arguments = self.arguments.all_pointers();
                if attributes == Attributes::default() {
                    function.launch(geometry, shared, arguments, self.stream)
                } else {
                    function.launch_with(geometry, shared, attributes, arguments, self.stream)
                }
            },
            // SAFETY: the graph holds both ends, and the plan has compared the lengths.
            Work::Copy(copy) if copy.is_line() => unsafe {
                driver::copy(copy.to.address, copy.from.address, copy.sizes[2] as usize, self.stream)
            },
            // SAFETY: the same.
            Work::Copy(copy) => unsafe { driver::copy_rows(copy.to, copy.from, copy.sizes, self.stream) },
        }
    }

    /// Loops that are not reached have run no pass.
    fn clear_counters(&mut self) -> Result<()> {
        let plan = self.sources.plan;
        let ids = (0..plan.program.nodes.len() as u32).map(NodeId);
        for (node, address) in ids.filter_map(|node| Some((node, self.sources.bindings.loop_state(plan, node)?))) {
            // SAFETY: the graph holds its arena, where every loop has this many bytes.
            unsafe { driver::set_bytes(address, 0, size_of::<LoopState>(), self.stream) }
                .at(|| NodeName::of(&plan.program, node), "clearing its counters")?;
        }
        Ok(())
    }
}

/// The body that a test has chosen by index: behind the arms comes `_`.
fn chosen(index: u32, arms: &[Arm], otherwise: Option<RegionId>) -> Option<RegionId> {
    match arms.get(index as usize) {
        Some(arm) => Some(arm.body),
        None => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_arms_comes_the_default() {
        let arms = [4, 5].map(|region| Arm { patterns: Vec::new(), body: RegionId(region), each: None });
        assert_eq!(chosen(0, &arms, None), Some(RegionId(4)));
        assert_eq!(chosen(1, &arms, Some(RegionId(6))), Some(RegionId(5)));
        assert_eq!(chosen(2, &arms, Some(RegionId(6))), Some(RegionId(6)));
        assert_eq!(chosen(2, &arms, None), None);
    }
}
