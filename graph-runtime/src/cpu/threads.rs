//! The threads that run what may run side by side.
//!
//! A launch may hold the turn of memory that graphs share. A thread of a pool that waits for a part of its own work takes other work of the
//! pool meanwhile: in the program's pool that may be a launch that waits for that turn, and neither would end. So there is a pool for
//! nodes alone, and a thread of another pool that launches a graph sleeps until it has run.

use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// One thread per core; none if the system starts none.
static OWN: LazyLock<Option<Arc<ThreadPool>>> = LazyLock::new(|| {
    let named = ThreadPoolBuilder::new().thread_name(|index| format!("graph nodes {index}"));
    named.build().ok().map(Arc::new)
});

/// The pool of every device that was not given another.
pub(super) fn own() -> Option<&'static Arc<ThreadPool>> {
    OWN.as_ref()
}

/// Runs a launch that uses the pool, from any thread. Where the system starts no thread for it, here.
pub(super) fn launch(pool: Option<&ThreadPool>, work: impl FnOnce() + Send) {
    let of_another =
        |pool: &ThreadPool| rayon::current_thread_index().is_some() && pool.current_thread_index().is_none();
    if !pool.is_some_and(of_another) {
        return work();
    }
    let mut work = Some(work);
    let ran = thread::scope(|scope| {
        let run = || work.take().into_iter().for_each(|work| work());
        thread::Builder::new().spawn_scoped(scope, run).map(thread::ScopedJoinHandle::join)
    });
    ran.unwrap_or(Ok(())).unwrap_or_else(|panic| resume_unwind(panic));
    work.into_iter().for_each(|work| work());
}
