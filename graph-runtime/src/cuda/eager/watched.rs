//! Times of single nodes, for who watches a run.

use std::sync::PoisonError;
use std::time::Duration;

use crate::cuda::driver::{Context, Event, Failure, Stream};
use crate::debug::{Watch, Watcher};
use crate::error::Result;

/// Who watches, and the events that measure.
pub(super) struct Watched<'a> {
    watcher: &'a Watcher,
    events: [Event; 2],
}

impl<'a> Watched<'a> {
    pub(super) fn new(watcher: &'a Watcher, context: Context) -> Result<Self, Failure> {
        Ok(Self { watcher, events: [Event::timed(context)?, Event::timed(context)?] })
    }

    pub(super) fn tell(&self, what: impl FnOnce(&mut dyn Watch) -> Result<()>) -> Result<()> {
        what(&mut *self.watcher.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// In front of a node's work.
    pub(super) fn begin(&self, stream: &Stream) -> Result<(), Failure> {
        stream.record(self.events[0].handle())
    }

    /// Behind it: how long it took.
    pub(super) fn end(&self, stream: &Stream) -> Result<Duration, Failure> {
        stream.record(self.events[1].handle())?;
        self.events[1].synchronize()?;
        self.events[0].elapsed(&self.events[1])
    }
}
