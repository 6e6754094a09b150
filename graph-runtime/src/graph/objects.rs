//! The host objects that a graph is bound to, and whose launches may still use them.

use std::sync::Arc;

use crate::call::Objects;
use crate::device::Fence;

/// The objects, with the launches of graphs that had them before.
pub(super) struct HeldObjects {
    table: Arc<Objects>,
    /// Fences, each up to which launch.
    earlier: Vec<(Arc<dyn Fence>, u64)>,
}

impl HeldObjects {
    pub(super) fn new(objects: Objects) -> Self {
        Self { table: Arc::new(objects), earlier: Vec::new() }
    }

    /// For evaluators.
    pub(super) fn table(&self) -> &Arc<Objects> {
        &self.table
    }

    /// The same for a graph that takes the place of the one with this fence, whose launches may run on.
    pub(super) fn handed_over(mut self, fence: Arc<dyn Fence>) -> Self {
        self.earlier.retain(|(fence, launch)| !fence.finished(*launch));
        let launched = fence.launched();
        if self.table.len() > 0 && !fence.finished(launched) {
            self.earlier.push((fence, launched));
        }
        self
    }

    /// Whether no callback uses them any more, behind the launches of the graph that has them now: waits for both.
    pub(super) fn are_free(&self, fence: &Arc<dyn Fence>) -> bool {
        let earlier = self.earlier.iter().map(|(fence, launch)| (fence, *launch));
        let mut all = earlier.chain([(fence, fence.launched())]);
        self.table.len() == 0 || all.all(|(fence, launch)| fence.wait(launch).is_ok())
    }

    pub(super) fn into_table(self) -> Arc<Objects> {
        self.table
    }
}
