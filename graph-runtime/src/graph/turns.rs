//! Memory that other graphs may write: each launch waits for theirs.
//!
//! Whoever launches holds the turn of every such allocation, so nobody else launches with it or touches it on the host between the
//! look at what others have launched and the launch itself. Turns are taken in the order of addresses, so two graphs that share two
//! allocations cannot wait for each other.

use std::sync::Arc;

use crate::buffer::Allocation;
use crate::device::{Executable, Fence, Use};
use crate::error::Result;

/// The shared allocations of a graph, and up to where it waits for others already.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// By address, each once, with whether this graph writes it.
    shared: Vec<(Arc<Allocation>, bool)>,
    waited: Vec<(Arc<dyn Fence>, u64)>,
}

impl Turns {
    /// What is shared from here on.
    pub(super) fn set(&mut self, mut shared: Vec<(Arc<Allocation>, bool)>) {
        shared.sort_by_key(|(allocation, writes)| (allocation.address(), !writes));
        shared.dedup_by(|later, first| Arc::ptr_eq(&later.0, &first.0));
        self.shared = shared;
    }

    /// Launches when nobody else uses what is shared, behind whoever has.
    pub(super) fn launch(
        &mut self,
        executable: &mut dyn Executable,
        launch: impl FnOnce(&mut dyn Executable) -> Result<()>,
    ) -> Result<()> {
        if self.shared.is_empty() {
            return launch(executable);
        }
        let Self { shared, waited } = self;
        let _turns: Vec<_> = shared.iter().map(|(allocation, _)| allocation.turn()).collect();
        let fence = executable.fence();
        let uses: Vec<_> = shared.iter().flat_map(|(shared, writes)| shared.conflicts(&fence, *writes)).collect();
        executable.order_after(&news(waited, uses))?;
        launch(executable)
    }
}

/// The uses that have gone on since they were waited for.
fn news(waited: &mut Vec<(Arc<dyn Fence>, u64)>, uses: Vec<Use>) -> Vec<Use> {
    waited.retain(|(fence, _)| uses.iter().any(|one| Arc::ptr_eq(&one.fence, fence)));
    let mut news = Vec::new();
    for one in uses {
        let last = one.last_launch();
        match waited.iter_mut().find(|(fence, _)| Arc::ptr_eq(fence, &one.fence)) {
            Some((_, known)) if *known >= last => continue,
            Some((_, known)) => *known = last,
            None => waited.push((Arc::clone(&one.fence), last)),
        }
        if last > 0 {
            news.push(one);
        }
    }
    news
}
