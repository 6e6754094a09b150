//! A plan on the CPU.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::kernel::missing_bodies;
use super::queue::CpuFence;
use super::run::{Launch, Order, Prepared};
use super::{CpuOptions, call, threads};
use crate::debug::Watcher;
use crate::device::{Bindings, Executable, Fence, Taken, Use};
use crate::error::{Error, Result};
use crate::plan::{LoopState, SharedPlan, structural, touched};

/// A plan, its buffers and its launches.
pub(super) struct CpuExecutable {
    options: CpuOptions,
    prepared: Arc<Prepared>,
    fence: Arc<CpuFence>,
    bindings: Bindings,
    disabled: Arc<BTreeSet<NodeId>>,
}

impl CpuExecutable {
    pub(super) fn new(options: CpuOptions, plan: SharedPlan, bindings: Bindings) -> Result<Self> {
        let prepared = prepare(&options, plan, &bindings)?;
        Ok(Self { options, prepared, fence: Arc::default(), bindings, disabled: Arc::default() })
    }

    fn queue(&self, order: Order, watcher: Option<Watcher>) -> u64 {
        let pool = self.options.pool.as_ref().or_else(|| threads::own()).cloned();
        let (waits, records) = self.prepared.events();
        let waits = waits.iter().filter_map(|event| event.pending(Some(&self.fence)));
        self.fence.wait_before(waits.map(|(fence, launch)| (fence as Arc<dyn Fence>, launch)).collect());
        let (prepared, disabled) = (Arc::clone(&self.prepared), Arc::clone(&self.disabled));
        let launch = Launch { prepared, order, pool, dry: self.options.dry, disabled, watcher };
        let number = self.fence.push(launch);
        records.iter().for_each(|event| event.expect(&self.fence, number));
        number
    }
}

fn prepare(options: &CpuOptions, plan: SharedPlan, bindings: &Bindings) -> Result<Arc<Prepared>> {
    if !options.dry {
        call::supported(&plan)?;
    }
    let missing = missing_bodies(&plan);
    if options.dry || missing.is_empty() {
        return Ok(Arc::new(Prepared::new(plan, bindings, options.reversal.as_deref())));
    }
    Err(Error::Unavailable(format!(
        "graph `{}` cannot run on the CPU: {} no CPU body\n\
         help: write a body behind the declaration, or build the graph on a CUDA device",
        plan.program.name, missing
    )))
}

impl Executable for CpuExecutable {
    fn launch(&mut self) -> Result<()> {
        let order = match self.options.shuffle {
            Some(seed) => Order::Shuffled(seed ^ self.fence.launched().rotate_left(32)),
            None => Order::Parallel,
        };
        let number = self.queue(order, None);
        if self.options.deferred { Ok(()) } else { self.fence.wait(number) }
    }

    fn run_eager(&mut self, watcher: Option<Watcher>) -> Result<()> {
        let number = self.queue(Order::Plan, watcher);
        self.fence.wait(number)
    }

    fn order_after(&mut self, uses: &[Use]) -> Result<()> {
        self.fence.order_after(uses);
        Ok(())
    }

    fn update(&mut self, plan: SharedPlan, bindings: Bindings) -> Result<Taken> {
        let prepared = prepare(&self.options, Arc::clone(&plan), &bindings)?;
        let old = std::mem::replace(&mut self.prepared, prepared);
        let was = std::mem::replace(&mut self.bindings, bindings);
        Ok(match structural(old.plan(), &plan) {
            Some(difference) => Taken::Rebuilt(difference),
            None => Taken::Patched(touched([old.plan(), &plan], [&was, &self.bindings])),
        })
    }

    fn patch(&mut self, plan: SharedPlan, nodes: &[NodeId]) -> Result<Taken> {
        self.prepared = Arc::new(self.prepared.with_plan(plan));
        Ok(Taken::Patched(nodes.to_vec()))
    }

    fn set_disabled(&mut self, nodes: BTreeSet<NodeId>) {
        self.disabled = Arc::new(nodes);
    }

    fn fence(&self) -> Arc<dyn Fence> {
        Arc::clone(&self.fence) as Arc<dyn Fence>
    }

    fn one_by_one(&self) -> bool {
        true
    }

    fn loop_state(&self, node: NodeId) -> Result<LoopState> {
        Ok(self.prepared.loop_state(node))
    }
}
