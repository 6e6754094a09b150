//! The launches of one graph, in order, and who waits for them.
//!
//! Work runs on the thread that waits for it. On an ordinary device that is the launching thread, at once; on a deferred one it is
//! whoever first waits for a launch or for one behind it.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::memory::Block;
use super::run::Launch;
use crate::device::{Fence, Use};
use crate::error::{Error, Result, panic_text};

/// A fence and up to which of its launches.
pub(super) type Wait = (Arc<dyn Fence>, u64);

/// What is queued.
enum Entry {
    /// Of other graphs.
    Wait(Vec<Wait>),
    /// Of this graph.
    Launch(Launch),
    /// Memory that the launches before may have used.
    Free(Vec<Wait>, Arc<Block>),
}

#[derive(Default)]
struct State {
    entries: VecDeque<Entry>,
    running: bool,
    failure: Option<Error>,
}

/// A graph's launches.
#[derive(Default)]
pub(super) struct CpuFence {
    state: Mutex<State>,
    changed: Condvar,
    launched: AtomicU64,
    finished: AtomicU64,
}

impl CpuFence {
    /// Queues a launch and returns its number.
    pub(super) fn push(&self, launch: Launch) -> u64 {
        self.lock().entries.push_back(Entry::Launch(launch));
        self.launched.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Launches from here on wait for these uses, as far as they have been launched.
    pub(super) fn order_after(&self, uses: &[Use]) {
        self.wait_before(uses.iter().map(|one| (Arc::clone(&one.fence), one.last_launch())).collect());
    }

    /// Launches from here on wait for these.
    pub(super) fn wait_before(&self, waits: Vec<Wait>) {
        if !waits.is_empty() {
            self.lock().entries.push_back(Entry::Wait(waits));
        }
    }

    /// Frees memory once everything queued here and the other uses are over.
    pub(super) fn free_behind(&self, waits: &[Wait], block: &Arc<Block>) {
        let others = waits
            .iter()
            .filter(|(fence, _)| !fence.as_any().downcast_ref::<Self>().is_some_and(|f| std::ptr::eq(f, self)));
        self.lock().entries.push_back(Entry::Free(others.cloned().collect(), Arc::clone(block)));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the next entry, with the state unlocked.
    fn run<'s>(&'s self, mut state: MutexGuard<'s, State>, entry: Entry) -> MutexGuard<'s, State> {
        state.running = true;
        drop(state);
        let is_launch = matches!(entry, Entry::Launch(_));
        let outcome = catch_unwind(AssertUnwindSafe(|| entry.run()))
            .unwrap_or_else(|panic| Err(Error::Panicked(format!("a launch panicked: {}", panic_text(panic)))));
        let mut state = self.lock();
        state.running = false;
        if let Err(error) = outcome {
            state.failure.get_or_insert(error);
        }
        if is_launch {
            self.finished.fetch_add(1, Ordering::AcqRel);
        }
        self.changed.notify_all();
        state
    }
}

impl Entry {
    fn run(self) -> Result<()> {
        match self {
            Self::Wait(waits) => wait_for(&waits),
            Self::Launch(launch) => launch.run(),
            Self::Free(waits, block) => {
                let outcome = wait_for(&waits);
                block.free();
                outcome
            }
        }
    }
}

/// Waits for all, also behind one that failed.
fn wait_for(waits: &[Wait]) -> Result<()> {
    waits.iter().map(|(fence, launch)| fence.wait(*launch)).fold(Ok(()), Result::and)
}

impl Fence for CpuFence {
    fn launched(&self) -> u64 {
        self.launched.load(Ordering::Acquire)
    }

    fn finished(&self, launch: u64) -> bool {
        self.finished.load(Ordering::Acquire) >= launch
    }

    fn settled(&self, _launch: u64) -> bool {
        // What is left runs in the thread that waits.
        true
    }

    fn wait(&self, launch: u64) -> Result<()> {
        let mut state = self.lock();
        while !self.finished(launch) {
            if state.running {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let Some(entry) = state.entries.pop_front() else { break };
            state = self.run(state, entry);
        }
        while !state.running && matches!(state.entries.front(), Some(Entry::Free(..))) {
            let Some(entry) = state.entries.pop_front() else { break };
            state = self.run(state, entry);
        }
        state.failure.take().map_or(Ok(()), Err)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for CpuFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (launched, finished) = (self.launched(), self.finished.load(Ordering::Acquire));
        write!(f, "CpuFence({finished} of {launched} launches)")
    }
}
