//! What the nodes of a plan do, by node id. Plans that differ in a few nodes share the rest, so a patch copies no more than it touches.

use std::sync::Arc;

use graph_ir::model::NodeId;

use super::Step;

/// So many nodes are copied for one that does something else.
const PIECE: usize = 32;

/// By node id; `None` for nodes that are not part of the graph.
#[derive(Clone, Default)]
pub(crate) struct StepList {
    /// Each of [`PIECE`] nodes, but for the last.
    pieces: Vec<Arc<[Option<Step>]>>,
    /// How many are part of the graph.
    count: usize,
}

impl StepList {
    /// What a node does, if it is part of the graph.
    pub(crate) fn get(&self, node: NodeId) -> Option<&Step> {
        let index = node.0 as usize;
        self.pieces.get(index / PIECE)?.get(index % PIECE)?.as_ref()
    }

    /// The nodes that are part of the graph.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeId, &Step)> {
        let all = self.pieces.iter().flat_map(|piece| piece.iter());
        (0..).map(NodeId).zip(all).filter_map(|(node, step)| Some((node, step.as_ref()?)))
    }

    /// How many nodes are part of the graph.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Lets a node of the graph do something else.
    pub(super) fn set(&mut self, node: NodeId, step: Step) {
        let index = node.0 as usize;
        Arc::make_mut(&mut self.pieces[index / PIECE])[index % PIECE] = Some(step);
    }
}

impl From<Vec<Option<Step>>> for StepList {
    fn from(steps: Vec<Option<Step>>) -> Self {
        let (count, length) = (steps.iter().flatten().count(), steps.len());
        let mut steps = steps.into_iter();
        let pieces = (0..length.div_ceil(PIECE)).map(|_| steps.by_ref().take(PIECE).collect());
        Self { pieces: pieces.collect(), count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(list: &StepList) -> Vec<(u32, bool)> {
        list.iter().map(|(node, step)| (node.0, matches!(step, Step::Copy))).collect()
    }

    #[test]
    fn lists_share_what_was_not_set() {
        let nothing = || Step::Fill { pattern: [0].into() };
        let steps: Vec<_> = (0..100).map(|node| (node % 3 != 0).then(nothing)).collect();
        let before = StepList::from(steps);
        let mut now = before.clone();
        now.set(NodeId(70), Step::Copy);
        assert_eq!((before.count(), now.count()), (66, 66));
        let expected = |copies: bool| -> Vec<_> {
            (0..100).filter(|node| node % 3 != 0).map(|node| (node, copies && node == 70)).collect()
        };
        assert_eq!((kinds(&before), kinds(&now)), (expected(false), expected(true)));
        assert!(now.get(NodeId(70)).is_some_and(|step| matches!(step, Step::Copy)));
        assert!(now.get(NodeId(69)).is_none() && now.get(NodeId(100)).is_none() && now.get(NodeId(128)).is_none());
        let shared = before.pieces.iter().zip(&now.pieces).map(|(before, now)| Arc::ptr_eq(before, now));
        assert_eq!(shared.collect::<Vec<_>>(), [true, true, false, true]);
    }
}
