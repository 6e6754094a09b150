//! Runs that are looked at node by node: checked against the CPU, and measured.

use std::sync::{Arc, Mutex, PoisonError};

use super::Graph;
use crate::debug::{Checked, Clock, Profile, Tolerance, Watch, check};
use crate::error::Result;
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Runs node by node, and after each node compares the whole memory of the graph, copied to the host, with what the CPU makes of the
    /// same node and the same memory: the elements that the node says it writes within [`Tolerance::default`], all others bit by bit. So
    /// it finds the first node whose kernel computes something else than its CPU body, and the first that writes what its statement does
    /// not say: outside of its range, or to what it only reads.
    ///
    /// It costs as many bytes of host memory as the graph's buffers have, and copies them once for each node. Kernels without a CPU body,
    /// callbacks and captured calls are only looked at for what they do not write; [`Checked::skipped`] lists them. A write beyond all
    /// buffers of the graph is not seen: `compute-sanitizer` sees it.
    ///
    /// # Errors
    /// [`Error::Differs`](crate::Error::Differs) with the node, the buffer, the index and both values; the run stops there, and what the
    /// later nodes write is as it was before.
    pub fn run_checked(&mut self) -> Result<Checked> {
        self.run_checked_within(Tolerance::default())
    }

    /// The same with another tolerance.
    ///
    /// # Errors
    /// As [`Graph::run_checked`].
    pub fn run_checked_within(&mut self, tolerance: Tolerance) -> Result<Checked> {
        let check = |graph: &Self| {
            let bindings = graph.memory.bindings(&graph.plan);
            check(Arc::clone(&graph.plan), Arc::clone(graph.device.backend()), bindings, tolerance)
        };
        Ok(self.watched_by(check)?.result())
    }

    /// Runs node by node and measures each node, on a CUDA device by its own clock.
    ///
    /// # Errors
    /// As [`Graph::run_eager`].
    pub fn profile(&mut self) -> Result<Profile> {
        Ok(self.watched_by(|_| Clock::new())?.profile(&self.plan(), self.device.name()))
    }

    /// Runs node by node, tells who watches of everything, and gives it back. It is made once nothing else uses the graph's memory.
    fn watched_by<W: Watch + 'static>(&mut self, make: impl FnOnce(&Self) -> W) -> Result<W> {
        self.whole()?;
        self.make_spare()?;
        let mut watch = None;
        self.in_turn_with(make, |executable, made| {
            let shared = Arc::clone(watch.insert(Arc::new(Mutex::new(made))));
            executable.run_eager(Some(shared))
        })?;
        let alone = watch.and_then(|watch| Arc::try_unwrap(watch).ok()).ok_or_else(internal)?;
        Ok(alone.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

fn internal() -> crate::Error {
    crate::Error::Fault("cuda_graph! internal error: a run that is over is still watched".to_owned())
}
