//! What an eager run tells of itself.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use graph_ir::model::{NodeId, NodeKind};

use crate::error::Result;

/// Told of everything that a run does, in its order. An error ends the run.
pub(crate) trait Watch: Send {
    /// A node runs next; everything before it is over. Not told of conditionals, whose tests change nothing.
    fn before(&mut self, _node: NodeId) -> Result<()> {
        Ok(())
    }

    /// A node, or a conditional's test, is over.
    fn after(&mut self, node: NodeId, time: Duration) -> Result<()>;

    /// A loop begins another pass: the statements between two of its tests.
    fn pass(&mut self, _node: NodeId) -> Result<()> {
        Ok(())
    }

    /// A loop has ended.
    fn over(&mut self, _node: NodeId) -> Result<()> {
        Ok(())
    }
}

/// As the run and whoever asked for it share it.
pub(crate) type Watcher = Arc<Mutex<dyn Watch>>;

/// Whether a kind of node is a conditional, which a run tells of by its test alone.
pub(crate) fn is_conditional(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::If { .. } | NodeKind::Match { .. } | NodeKind::Loop(_))
}
