//! Where the time of a build went.

use std::time::{Duration, Instant};

/// How long the parts of a build took. Loading kernels and allocating the arena are in none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildTimings {
    /// Host expressions.
    pub evaluate: Duration,
    /// Rules, dependences, reduction, arena.
    pub plan: Duration,
    /// Putting every address, value and wait of the CUDA graph's nodes in place; zero on the CPU.
    pub lower: Duration,
    /// Adding the nodes to the CUDA graph; zero on the CPU.
    pub add_nodes: Duration,
    /// Instantiating the CUDA graph; zero on the CPU.
    pub instantiate: Duration,
    /// Asking for the upload to the device; zero on the CPU.
    pub upload: Duration,
}

/// Runs `work` and says how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}
