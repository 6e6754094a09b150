//! What tests make of the launches of programs that know nothing of tests.

use std::sync::atomic::{AtomicU32, Ordering};

use graph_runtime::__private::{Launchable, Launcher};
use graph_runtime::Result;

/// Launches many times in the place of once.
#[derive(Debug)]
pub struct Repeated {
    launches: u32,
    ran: AtomicU32,
}

impl Repeated {
    /// So many launches in the place of each.
    pub fn new(launches: u32) -> Self {
        Self { launches, ran: AtomicU32::new(0) }
    }

    /// How often programs have launched, whatever became of it.
    pub fn ran(&self) -> u32 {
        self.ran.load(Ordering::Relaxed)
    }
}

impl Launcher for Repeated {
    /// Without a wait, but for one in front of the last launch, which begins as the first one did: what it leaves is what one launch
    /// leaves.
    fn launch(&self, graph: &mut dyn Launchable) -> Result<()> {
        self.ran.fetch_add(1, Ordering::Relaxed);
        repeat(graph, self.launches)
    }
}

/// Launches so often; the last launch begins as the first one did.
pub(crate) fn repeat(graph: &mut dyn Launchable, launches: u32) -> Result<()> {
    if launches > 1 {
        let begun = graph.contents()?;
        (1..launches).try_for_each(|_| graph.launch())?;
        graph.put_contents(&begun)?;
    }
    graph.launch()
}
