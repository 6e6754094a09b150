//! A run whose nodes are compared, one by one, with what the CPU makes of the same memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use graph_ir::model::NodeId;

use super::compare::Tolerance;
use super::mirror::Mirror;
use super::watch::Watch;
use crate::device::{Backend, Bindings};
use crate::error::{Error, NodeName, Result};
use crate::plan::{SharedPlan, Step};

/// What a checked run has compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many nodes have the results that the CPU has.
    pub compared: usize,
    /// The nodes of which only that was looked at what they do not write, each with the reason.
    pub skipped: Vec<(NodeName, &'static str)>,
}

/// A checked run while it runs.
pub(crate) struct Check {
    plan: SharedPlan,
    backend: Arc<dyn Backend>,
    bindings: Bindings,
    tolerance: Tolerance,
    /// Made when everything before the run is over.
    mirror: Option<Mirror>,
    /// Whether the CPU has run the node that runs now.
    computed: bool,
    compared: BTreeSet<NodeId>,
    skipped: BTreeMap<NodeId, &'static str>,
}

/// A run of this plan over this memory.
pub(crate) fn check(plan: SharedPlan, backend: Arc<dyn Backend>, bindings: Bindings, tolerance: Tolerance) -> Check {
    let (compared, skipped) = (BTreeSet::new(), BTreeMap::new());
    Check { plan, backend, bindings, tolerance, mirror: None, computed: false, compared, skipped }
}

impl Check {
    pub(crate) fn result(&self) -> Checked {
        let named = |(node, why): (&NodeId, &&'static str)| (NodeName::of(&self.plan.program, *node), *why);
        Checked { compared: self.compared.len(), skipped: self.skipped.iter().map(named).collect() }
    }

    fn mirror(&mut self) -> Result<&mut Mirror> {
        let mirror = match self.mirror.take() {
            Some(mirror) => mirror,
            None => Mirror::new(&self.plan, &self.backend, self.bindings.clone())?,
        };
        Ok(self.mirror.insert(mirror))
    }
}

impl Watch for Check {
    fn before(&mut self, node: NodeId) -> Result<()> {
        let plan = Arc::clone(&self.plan);
        let mirror = self.mirror()?;
        match plan.step(node).map(comparable) {
            Some(Ok(true)) => {
                let name = || NodeName::of(&plan.program, node);
                mirror.shadow.run(node).map_err(|error| {
                    Error::Fault(format!("{} cannot be compared, since on the CPU it fails: {error}", name()))
                })?;
                self.computed = true;
                self.compared.insert(node);
            }
            Some(Err(why)) => _ = self.skipped.insert(node, why),
            Some(Ok(false)) | None => {}
        }
        Ok(())
    }

    fn after(&mut self, node: NodeId, _: Duration) -> Result<()> {
        let (computed, tolerance) = (std::mem::take(&mut self.computed), self.tolerance);
        match self.mirror()?.compare(node, computed, &tolerance)? {
            Some(found) => Err(Error::Differs(Box::new(found))),
            None => Ok(()),
        }
    }
}

/// Whether the CPU can run the node beside the device; `false` for what has no results. The reason if it cannot.
fn comparable(step: &Step) -> Result<bool, &'static str> {
    match step {
        Step::Kernel(step) if step.declaration.cpu.is_none() => Err("the kernel has no CPU body"),
        Step::Kernel(_) | Step::Copy | Step::Fill { .. } | Step::Scalar(_) | Step::Compute(_) => Ok(true),
        Step::Host(_) => Err("a callback runs once"),
        Step::Capture(_) => Err("a captured call runs on the device only"),
        Step::Assert { .. } | Step::If(_) | Step::Match(_) | Step::Loop(_) | Step::Record(_) | Step::Wait(_) => {
            Ok(false)
        }
    }
}
