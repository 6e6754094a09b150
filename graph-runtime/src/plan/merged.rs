//! Which fills and copies of a plan one node does.

use graph_ir::concrete::FrameId;
use graph_ir::model::{HostValue, NodeId, NodeKind, Program, SymbolId};
use graph_ir::optimize::{Merged, leave_out, merging};

use super::build::Ordered;
use super::{Origins, Plan, Step};
use crate::program::Sink;

/// What makes fills write the same, whatever is set: their bytes, and the value that these come from if it can be set.
type Written = (Option<Box<[u8]>>, Option<(FrameId, SymbolId)>);

/// Where what fills write comes from.
#[derive(Clone, Copy)]
pub(super) struct Filled<'a> {
    pub(super) origins: &'a Origins,
    pub(super) sink: &'a Sink,
}

impl Filled<'_> {
    fn written(self, program: &Program, steps: &[Option<Step>], node: NodeId) -> Option<Written> {
        match (steps.get(node.0 as usize)?.as_ref()?, &program.node(node).kind) {
            (Step::Copy, _) => Some((None, None)),
            (Step::Fill { pattern }, NodeKind::Fill { value }) => {
                let holder = match value {
                    HostValue::Literal(_) => None,
                    HostValue::Symbol(symbol) => {
                        let (frame, _) = self.origins.of(node);
                        self.sink.holder(frame, *symbol).map(|holder| (holder, *symbol))
                    }
                };
                Some((Some(pattern[..].into()), holder))
            }
            _ => None,
        }
    }

    /// Lets one node do what it can of others, in each region. Says which are gone, each with the one that does it, in order.
    pub(super) fn merge(
        self,
        program: &mut Program,
        steps: &mut [Option<Step>],
        regions: &mut [Option<Ordered>],
    ) -> Vec<(NodeId, NodeId)> {
        let mut all = Vec::new();
        for Ordered { order, edges, .. } in regions.iter_mut().flatten() {
            let merged = merging(program, order, edges, &|node| self.written(program, steps, node));
            Merged::drop_from(&merged, order, edges);
            all.extend(merged);
        }
        let mut gone = Vec::new();
        for merged in all {
            merged.widen(program);
            gone.extend(merged.nodes.iter().map(|node| (*node, merged.into)));
        }
        gone.sort_unstable();
        let nodes: Vec<NodeId> = gone.iter().map(|(node, _)| *node).collect();
        nodes.iter().for_each(|node| steps[node.0 as usize] = None);
        leave_out(program, &nodes);
        gone
    }
}

impl Plan {
    /// The node that does what a node does: itself, or the one that it was merged into.
    pub(crate) fn done_by(&self, node: NodeId) -> NodeId {
        let merged = self.merged.binary_search_by_key(&node, |(gone, _)| *gone);
        merged.map_or(node, |found| self.merged[found].1)
    }

    /// What `plan()` says about a fill or a copy that does what others do.
    pub(super) fn merged_text(&self, node: NodeId) -> Option<String> {
        let others = self.merged.iter().filter(|(_, into)| *into == node);
        let labels: Vec<&str> = others.map(|(gone, _)| &*self.program.node(*gone).label).collect();
        let word = self.program.node(node).kind.word();
        (!labels.is_empty()).then(|| format!("one {word} with {}", labels.join(", ")))
    }
}
