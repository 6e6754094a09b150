//! Labels of statements, as constants.

use graph_ir::model::NodeId;

/// How many `for`s a label may stand in, those around graphs inside graphs among them.
const DEPTH: usize = 6;

/// How many graphs inside each other a label may lead through.
const LEVELS: usize = 4;

/// A label of a graph: `'solve:` is `Cg::SOLVE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The statement, behind those that name the graphs around it.
    nodes: [u32; LEVELS],
    /// How many `pass`es belong to each.
    depths: [u8; LEVELS],
    levels: u8,
    passes: [u32; DEPTH],
    depth: u8,
}

impl Label {
    /// The label of the node with this number.
    #[doc(hidden)]
    pub const fn new(node: u32) -> Self {
        let mut nodes = [0; LEVELS];
        nodes[0] = node;
        Self { nodes, depths: [0; LEVELS], levels: 1, passes: [0; DEPTH], depth: 0 }
    }

    /// The statement in one pass of the `for` around it, counted from 0: `Sweeps::SOLVE.pass(3)`. In nested `for`s one `pass` for
    /// each, the outermost first.
    #[must_use]
    pub const fn pass(mut self, number: u32) -> Self {
        if (self.depth as usize) < DEPTH {
            self.passes[self.depth as usize] = number;
        }
        if 0 < self.levels && self.levels as usize <= LEVELS {
            self.depths[self.levels as usize - 1] += 1;
        }
        self.depth = self.depth.saturating_add(1);
        self
    }

    /// A statement of the graph that this statement names: `Outer::STEP.inner(Cg::SOLVE)`.
    #[must_use]
    pub const fn inner(mut self, label: Self) -> Self {
        let (mut level, mut pass) = (0, 0);
        while level < label.levels as usize && level < LEVELS {
            if (self.levels as usize) < LEVELS {
                self.nodes[self.levels as usize] = label.nodes[level];
            }
            self.levels = self.levels.saturating_add(1);
            let mut own = 0;
            while own < label.depths[level] && pass < DEPTH {
                self = self.pass(label.passes[pass]);
                (own, pass) = (own + 1, pass + 1);
            }
            level += 1;
        }
        self
    }

    /// The statements that lead to it, outermost first, itself among them, each with which pass of each `for` around it. `None` if it is
    /// longer than a label can be.
    pub(crate) fn path(&self) -> Option<Vec<(NodeId, Vec<u32>)>> {
        let (levels, depth) = (self.levels as usize, self.depth as usize);
        let (nodes, depths) = (self.nodes.get(..levels)?, self.depths.get(..levels)?);
        let mut passes = self.passes.get(..depth)?.iter().copied();
        let of = |(node, depth): (&u32, &u8)| (NodeId(*node), passes.by_ref().take(usize::from(*depth)).collect());
        Some(nodes.iter().zip(depths).map(of).collect())
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

/// A constant for each label, inside `impl OwnType`: `cuda_graph!` writes a name and a number, and rustc copies the rest.
#[doc(hidden)]
#[macro_export]
macro_rules! __labels {
    ($($name:ident $node:literal)*) => {
        $(
            #[doc = "A statement of the block, by its label."]
            #[allow(unreachable_pub, reason = "the graph's type may be private")]
            pub const $name: $crate::Label = $crate::Label::new($node);
        )*
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_through_graphs_and_passes() {
        let label = Label::new(7).pass(2).inner(Label::new(3).inner(Label::new(1).pass(4).pass(5)));
        let expected = vec![(NodeId(7), vec![2]), (NodeId(3), vec![]), (NodeId(1), vec![4, 5])];
        assert_eq!(label.path(), Some(expected));
        assert_eq!(Label::new(0).inner(label).inner(Label::new(0)).path(), None, "too deep");
        assert_eq!((0..7).fold(Label::new(0), Label::pass).path(), None, "too many passes");
    }
}
