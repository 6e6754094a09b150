//! Work that may take long is told when it begins and when it is over: to `tracing`, to a profiler as a range, and on standard error if
//! the environment variable `CUDA_GRAPH_PROGRESS` asks for it.

use std::sync::OnceLock;
use std::time::Instant;

use tracing::Level;

const TARGET: &str = "graph_runtime::progress";

/// Runs `work`; `what` says what it does: ``planning graph `Cg` ``.
pub(crate) fn phase<T>(what: impl Fn() -> String, work: impl FnOnce() -> T) -> T {
    let shown = asked();
    let _range = range(&what);
    told(shown, what, work)
}

/// A range of a profiler's, until it is dropped.
#[cfg(feature = "cuda")]
pub(crate) use crate::nvtx::range;

/// Without CUDA there is nothing that a profiler of NVIDIA's shows.
#[cfg(not(feature = "cuda"))]
pub(crate) fn range(_: impl FnOnce() -> String) -> Option<()> {
    None
}

fn told<T>(shown: bool, what: impl Fn() -> String, work: impl FnOnce() -> T) -> T {
    if !shown && !tracing::enabled!(target: TARGET, Level::DEBUG) {
        return work();
    }
    let (what, start) = (what(), Instant::now());
    tracing::debug!(target: TARGET, phase = what, "begun");
    if shown {
        eprintln!("cuda_graph: {what} …");
    }
    let result = work();
    let took = start.elapsed();
    tracing::debug!(target: TARGET, phase = what, us = took.as_micros(), "over");
    if shown {
        eprintln!("cuda_graph: {what}: {took:.1?}");
    }
    result
}

/// Any value but nothing, `0` and `off`.
fn asked() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    let is_on = |value: String| !matches!(value.trim(), "" | "0" | "off");
    *ASKED.get_or_init(|| std::env::var("CUDA_GRAPH_PROGRESS").is_ok_and(is_on))
}
