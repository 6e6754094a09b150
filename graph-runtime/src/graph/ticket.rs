//! Tickets: the end of launches, to wait for, to ask about, or to `.await`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::Graph;
use super::watch::{Watched, watch};
use crate::device::Fence;
use crate::error::Result;
use crate::program::Program;

#[cfg(test)]
mod tests;

/// The end of all launches that a graph had made when the ticket was taken.
///
/// It is a future for any executor: `graph.ticket().await?`. It belongs to nobody: the graph may be launched again or dropped, and the
/// ticket may go to another thread. Dropping it changes nothing. An error of these launches goes to whoever asks first.
#[must_use = "a ticket does nothing unless it is awaited or waited for"]
pub struct Ticket {
    fence: Arc<dyn Fence>,
    launch: u64,
    /// Once somebody wants to be woken.
    watched: Option<Arc<Watched>>,
}

impl Ticket {
    /// Whether the launches are over. Never blocks.
    pub fn is_complete(&self) -> bool {
        self.fence.finished(self.launch)
    }

    /// Blocks until they are.
    ///
    /// # Errors
    /// What went wrong in them, if nobody was told yet.
    pub fn wait(self) -> Result<()> {
        self.fence.wait(self.launch)
    }

    /// Whom to wake from here on.
    fn wake(&mut self, waker: &Waker) {
        if let Some(watched) = &self.watched {
            return watched.wake_instead(waker);
        }
        let watched = Watched::new(Arc::clone(&self.fence), self.launch, waker);
        watch(Arc::clone(&watched));
        self.watched = Some(watched);
    }
}

impl Future for Ticket {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !self.fence.settled(self.launch) {
            self.wake(context.waker());
            // It may have ended just before it was known whom to wake.
            if !self.fence.settled(self.launch) {
                return Poll::Pending;
            }
        }
        Poll::Ready(self.fence.wait(self.launch))
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ticket(launch {})", self.launch)
    }
}

impl<P: Program> Graph<'_, P> {
    /// The end of all launches so far.
    pub fn ticket(&self) -> Ticket {
        let launch = self.fence.launched();
        // Marks the place behind this launch, before there are others.
        self.fence.finished(launch);
        Ticket { fence: Arc::clone(&self.fence), launch, watched: None }
    }

    /// For the backend that made it.
    #[cfg(feature = "cuda")]
    pub(crate) fn fence(&self) -> &Arc<dyn Fence> {
        &self.fence
    }
}
