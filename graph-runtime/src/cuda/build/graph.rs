//! A graph on a CUDA device.

use std::sync::Arc;

use graph_ir::model::NodeId;

use super::{Built, Lowering, Sources};
use crate::cuda::device::DeviceState;
use crate::cuda::driver::Doing;
use crate::cuda::eager::Eager;
use crate::cuda::fence::CudaFence;
use crate::cuda::memory::cuda;
use crate::cuda::update;
use crate::device::{Bindings, Executable, Fence, Use};
use crate::error::Result;
use crate::graph::BuildTimings;
use crate::plan::{LoopState, SharedPlan};

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
        let built = Built::new(&device, lowering, &plan, &bindings, &fence)?;
        fence.faults().describe(&plan, built.generated.sites());
        Ok(Self { device, lowering, fence, built: Some(built), plan, bindings, eager: None })
    }

    /// Builds another plan beside what is there.
    pub(in crate::cuda) fn build_again(&self, plan: &SharedPlan, bindings: &Bindings) -> Result<Built> {
        Built::new(&self.device, self.lowering, plan, bindings, &self.fence)
    }

    /// Puts another instance in place; the old one goes once its launches are over.
    pub(in crate::cuda) fn replace(&mut self, built: Option<Built>) {
        self.eager = None;
        let old = std::mem::replace(&mut self.built, built);
        retire(&self.device, &self.fence, old);
    }

    /// Says what faults of launches from here on are about.
    pub(in crate::cuda) fn describe(&self) {
        if let Some(built) = &self.built {
            self.fence.faults().describe(&self.plan, built.generated.sites());
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
        let launched = self.device.context().bind().and_then(|()| match &mut self.built {
            Some(built) => built.exec.launch(self.fence.stream()),
            None => Ok(()),
        });
        launched.doing(|| format!("launching {}", self.fence.what()))?;
        self.fence.count_launch();
        Ok(())
    }

    fn run_eager(&mut self) -> Result<()> {
        if self.eager.is_none() {
            self.eager = Some(Eager::new(&self.device, &self.plan, self.fence.faults())?);
        }
        self.ready()?;
        let (Some(built), Some(eager)) = (&self.built, &self.eager) else { return Ok(()) };
        let (plan, bindings) = (&*self.plan, &self.bindings);
        let sources = Sources { plan, bindings, kernels: &built.kernels, generated: eager.generated() };
        let outcome = eager.run(sources, &self.fence, self.device.context());
        // What a run that failed has left in the stream must be waited for too.
        self.fence.count_launch();
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

    fn update(&mut self, plan: SharedPlan, bindings: Bindings) -> Result<()> {
        update::update(self, plan, bindings)
    }

    fn fence(&self) -> Arc<dyn Fence> {
        Arc::clone(&self.fence) as Arc<dyn Fence>
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
    let Some(kept) = built.map(Built::dismantle) else { return };
    let fence = Arc::clone(fence) as Arc<dyn Fence>;
    let until = Some(fence.launched());
    device.defer(vec![Use { fence, until, writes: false }], Box::new(move |_| drop(kept)));
}
