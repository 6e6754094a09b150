//! Labels of statements, as constants.

use graph_ir::model::NodeId;

/// How many `for`s a label may stand in.
const DEPTH: usize = 6;

/// A label of a graph: `'solve:` is `Cg::SOLVE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    node: u32,
    depth: u8,
    passes: [u32; DEPTH],
}

impl Label {
    /// The label of the node with this number.
    #[doc(hidden)]
    pub const fn new(node: u32) -> Self {
        Self { node, depth: 0, passes: [0; DEPTH] }
    }

    /// The statement in one pass of the `for` around it, counted from 0: `Sweeps::SOLVE.pass(3)`. In nested `for`s one `pass` for
    /// each, the outermost first.
    #[must_use]
    pub const fn pass(mut self, number: u32) -> Self {
        if (self.depth as usize) < DEPTH {
            self.passes[self.depth as usize] = number;
        }
        self.depth = self.depth.saturating_add(1);
        self
    }

    pub(crate) fn node(self) -> NodeId {
        NodeId(self.node)
    }

    /// Which pass of each `for`; `None` if more were named than a label can hold.
    pub(crate) fn passes(&self) -> Option<&[u32]> {
        self.passes.get(..self.depth as usize)
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
