//! Labels of statements, as constants.

use graph_ir::model::NodeId;

/// A label of a graph: `'solve:` is `Cg::SOLVE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(u32);

impl Label {
    /// The label of the node with this number.
    #[doc(hidden)]
    pub const fn new(node: u32) -> Self {
        Self(node)
    }

    pub(crate) fn node(self) -> NodeId {
        NodeId(self.0)
    }
}

/// How a loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Its condition ended it.
    Condition,
    /// `limit` ended it while the condition still held.
    Limit,
    /// The last launch did not reach it, or there was none.
    NotRun,
}
