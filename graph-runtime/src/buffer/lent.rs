//! Views of a graph's buffers to which other graphs are bound.
//!
//! Such a graph borrows the one whose view it has, which cannot be launched meanwhile. What it has launched may run on when it is gone, so
//! the lender's next launch must wait for it. A launch that nobody was bound in front of looks at one word.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a graph was bound to a view of another graph's buffers since that one was launched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lent(Arc<AtomicBool>);

impl Lent {
    /// A graph is bound to a view.
    pub(crate) fn lend(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether one was since this was last asked.
    pub(crate) fn take(&self) -> bool {
        self.0.load(Ordering::Acquire) && self.0.swap(false, Ordering::AcqRel)
    }
}
