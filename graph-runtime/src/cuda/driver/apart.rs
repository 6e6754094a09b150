//! What must not happen while anybody captures.
//!
//! A call that waits for the whole device invalidates the captures of all threads, and libraries make such calls when they are opened and
//! closed.

use std::cell::Cell;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

static CAPTURES: RwLock<()> = RwLock::new(());

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// A capture in this thread, until it is dropped. Others may capture at the same time.
pub(super) struct Capturing(#[expect(dead_code, reason = "held")] RwLockReadGuard<'static, ()>);

impl Capturing {
    pub(super) fn start() -> Self {
        let shared = CAPTURES.read().unwrap_or_else(PoisonError::into_inner);
        HERE.set(true);
        Self(shared)
    }
}

impl Drop for Capturing {
    fn drop(&mut self) {
        HERE.set(false);
    }
}

/// Waits until no other thread of this process captures, and keeps them from it for so long.
#[cfg(any(feature = "cublas", feature = "cufft"))]
pub(in crate::cuda) fn apart_from_captures<R>(work: impl FnOnce() -> R) -> R {
    if HERE.get() {
        return work();
    }
    // Whoever queued for the lock would stop captures that wait for one another, as those of NCCL's ranks do.
    let _alone = loop {
        match CAPTURES.try_write() {
            Ok(alone) => break alone,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_micros(100)),
        }
    };
    work()
}
