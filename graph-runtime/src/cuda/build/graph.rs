//! A graph on a CUDA device.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::{Built, Calls, Form, Lowering, Sources, switch};
use crate::cuda::device::DeviceState;
use crate::cuda::driver::Doing;
use crate::cuda::eager::Eager;
use crate::cuda::fence::CudaFence;
use crate::cuda::memory::cuda;
use crate::cuda::update;
use crate::debug::Watcher;
use crate::device::{Bindings, Executable, Fence, Taken, Use};
use crate::error::Result;
use crate::graph::BuildTimings;
use crate::plan::{ByLaunches, LoopState, Plan, SharedPlan};

/// A plan on a device, with its launches.
pub(in crate::cuda) struct CudaGraph {
    pub(in crate::cuda) device: Arc<DeviceState>,
    pub(in crate::cuda) lowering: Lowering,
    pub(in crate::cuda) fence: Arc<CudaFence>,
    /// `None` once an update failed half-way and could not be taken back: built again before the next launch.
    pub(in crate::cuda) built: Option<Built>,
    pub(in crate::cuda) plan: SharedPlan,
    pub(in crate::cuda) bindings: Bindings,
    eager: Option<Eager>,
    /// Nodes that launches leave out.
    pub(super) disabled: BTreeSet<NodeId>,
}

impl CudaGraph {
    pub(in crate::cuda) fn new(
        device: Arc<DeviceState>,
        lowering: Lowering,
        plan: SharedPlan,
        bindings: Bindings,
    ) -> Result<Self> {
        let what = format!("graph `{}`", plan.program.name);
        let fence = CudaFence::new(device.context(), &what).doing(|| format!("making a stream for {what}"))?;
        let fence = Arc::new(fence);
        let calls = Calls::new(&device, &plan, &bindings, fence.failures(), None)?;
        let built = Built::new(&device, lowering, &plan, &bindings, calls, &fence)?;
        fence.faults().describe(&plan, built.generated().sites());
        Ok(Self { device, lowering, fence, built: Some(built), plan, bindings, eager: None, disabled: BTreeSet::new() })
    }

    /// Builds another plan beside what is there.
    pub(in crate::cuda) fn build_again(&self, plan: &SharedPlan, bindings: &Bindings) -> Result<Built> {
        let calls = self.calls(plan, bindings)?;
        Built::new(&self.device, self.lowering, plan, bindings, calls, &self.fence)
    }

    /// The closures of a plan; what was captured is kept where it would be the same.
    pub(in crate::cuda) fn calls(&self, plan: &Plan, bindings: &Bindings) -> Result<Calls> {
        let old = self.built.as_ref().map(|built| &*built.calls);
        Calls::new(&self.device, plan, bindings, self.fence.failures(), old)
    }

    /// Puts other closures in place, and keeps what was there until the launches that use them are over.
    pub(in crate::cuda) fn exchange_calls(&mut self, calls: Arc<Calls>) {
        let Some(built) = self.built.as_mut().filter(|built| !Arc::ptr_eq(&built.calls, &calls)) else { return };
        let old = std::mem::replace(&mut built.calls, calls);
        if !old.is_empty() {
            keep(&self.device, &self.fence, old);
        }
    }

    /// Puts another instance in place; the old one goes once its launches are over.
    pub(in crate::cuda) fn replace(&mut self, built: Option<Built>) {
        if let Some(eager) = self.eager.take() {
            // A run that failed may have left its last launch in the stream.
            keep(&self.device, &self.fence, eager);
        }
        let old = std::mem::replace(&mut self.built, built);
        retire(&self.device, &self.fence, old);
    }

    /// Says what faults of launches from here on are about.
    pub(in crate::cuda) fn describe(&self) {
        if let Some(built) = &self.built {
            self.fence.faults().describe(&self.plan, built.generated().sites());
        }
    }

    /// Builds what a failed update left behind.
    fn ready(&mut self) -> Result<()> {
        if self.built.is_none() {
            self.built = Some(self.build_again(&self.plan, &self.bindings)?);
            self.describe();
        }
        Ok(())
    }
}

impl Executable for CudaGraph {
    fn launch(&mut self) -> Result<()> {
        if self.built.is_none() {
            self.ready()?;
        }
        switch::apply(self)?;
        let doing = || format!("launching {}", self.fence.what());
        let context = self.device.context();
        context.bind().doing(doing)?;
        match &mut self.built {
            Some(Built { form: Form::Graph(instance), .. }) => {
                instance.exec.launch(self.fence.stream()).doing(doing)?;
                self.fence.count_launch();
                Ok(())
            }
            Some(built @ Built { form: Form::Launches(_), .. }) => {
                let sources = built.sources(&self.plan, &self.bindings);
                let Form::Launches(launches) = &built.form else { return Ok(()) };
                let outcome = launches.eager.launch(sources, &self.disabled, &self.fence, context);
                // What a run that failed has left in the stream must be waited for too.
                self.fence.count_launch();
                outcome
            }
            None => Ok(()),
        }
    }

    fn run_eager(&mut self, watcher: Option<Watcher>) -> Result<()> {
        self.ready()?;
        let Some(built) = &self.built else { return Ok(()) };
        let eager = match (&built.form, &mut self.eager) {
            (Form::Launches(launches), _) => &launches.eager,
            (Form::Graph(_), Some(eager)) => eager,
            (Form::Graph(_), none) => none.insert(Eager::new(&self.device, &self.plan, &self.fence)?),
        };
        let sources = Sources { generated: eager.generated(), ..built.sources(&self.plan, &self.bindings) };
        // Nodes that share a launch in the graph do not here, so the sites have other numbers.
        self.fence.faults().describe(&self.plan, eager.generated().sites());
        let outcome = eager.run(sources, &self.disabled, &self.fence, (self.device.context(), watcher.as_ref()));
        // What a run that failed has left in the stream must be waited for too.
        self.fence.count_launch();
        self.fence.faults().describe(&self.plan, built.generated().sites());
        outcome
    }

    fn order_after(&mut self, uses: &[Use]) -> Result<()> {
        let doing = || format!("ordering {} behind the graphs that share its buffers", self.fence.what());
        self.device.context().bind().doing(doing)?;
        for one in uses {
            match cuda(one) {
                Some(fence) => fence.hold(self.fence.stream()).doing(doing)?,
                None => one.fence.wait(one.last_launch())?,
            }
        }
        Ok(())
    }

    fn update(&mut self, plan: SharedPlan, bindings: Bindings) -> Result<Taken> {
        update::update(self, plan, bindings)
    }

    fn patch(&mut self, plan: SharedPlan, nodes: &[NodeId]) -> Result<Taken> {
        update::patch(self, plan, nodes)
    }

    fn set_disabled(&mut self, nodes: BTreeSet<NodeId>) {
        self.disabled = nodes;
    }

    fn fence(&self) -> Arc<dyn Fence> {
        Arc::clone(&self.fence) as Arc<dyn Fence>
    }

    fn by_launches(&self) -> Option<ByLaunches> {
        match &self.built.as_ref()?.form {
            Form::Launches(launches) => Some(launches.why.clone()),
            Form::Graph(_) => None,
        }
    }

    fn timings(&self) -> BuildTimings {
        self.built.as_ref().map(|built| built.timings).unwrap_or_default()
    }

    fn loop_state(&self, node: NodeId) -> Result<LoopState> {
        let Some(address) = self.bindings.loop_state(&self.plan, node) else { return Ok(LoopState::default()) };
        let mut state = LoopState::default();
        let bytes = bytemuck::bytes_of_mut(&mut state);
        self.device.read(address, bytes).doing(|| format!("reading a loop's counters of {}", self.fence.what()))?;
        Ok(state)
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        self.replace(None);
    }
}

/// Drops an instance without waiting; its own kernels and their memory stay until its launches are over.
fn retire(device: &DeviceState, fence: &Arc<CudaFence>, built: Option<Built>) {
    if let Some(kept) = built.map(Built::dismantle) {
        keep(device, fence, kept);
    }
}

/// Drops something once everything launched so far is over.
fn keep(device: &DeviceState, fence: &Arc<CudaFence>, kept: impl Send + 'static) {
    let fence = Arc::clone(fence) as Arc<dyn Fence>;
    let until = Some(fence.launched());
    device.defer(vec![Use { fence, until, writes: false }], Box::new(move |_| drop(kept)));
}
