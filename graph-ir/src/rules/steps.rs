//! Ways from one node to another, and how each step is told.

use std::collections::{BTreeMap, VecDeque};

use super::subject;
use crate::analysis::{Edge, HazardKind, Reason};
use crate::model::{BufferId, NodeId, Place, Program};

/// Edges by the node that they start at.
pub(super) struct Behind<'e>(BTreeMap<NodeId, Vec<&'e Edge>>);

impl<'e> Behind<'e> {
    pub(super) fn of(edges: impl IntoIterator<Item = &'e Edge>) -> Self {
        let mut behind = BTreeMap::<_, Vec<_>>::new();
        for edge in edges {
            behind.entry(edge.from).or_default().push(edge);
        }
        Self(behind)
    }

    /// The fewest edges from one node to another.
    pub(super) fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<Edge>> {
        let mut reached: BTreeMap<NodeId, Option<&Edge>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().filter(|node| *node != to) {
            for edge in self.0.get(&node).into_iter().flatten() {
                reached.entry(edge.to).or_insert_with(|| {
                    queue.push_back(edge.to);
                    Some(edge)
                });
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while let Some(edge) = *reached.get(&at)? {
            path.push(*edge);
            at = edge.from;
        }
        path.reverse();
        Some(path)
    }
}

/// ``"`b` waits for `a`: it reads `x`, which kernel `a` writes"``, and the place that shows it.
pub(super) fn step(program: &Program, edge: &Edge) -> (String, Place) {
    let waits = format!("`{}` waits for `{}`", program.node(edge.to).label, program.node(edge.from).label);
    match edge.reason {
        Reason::Hazard { kind, buffer, to, .. } => (format!("{waits}: {}", hazard(program, kind, buffer, edge)), to),
        Reason::After { place } => (format!("{waits} because of this `after`"), place),
        Reason::Object { object } => {
            let name = &program.object(object).name;
            (format!("{waits}: both use `{name}` alone"), program.node(edge.to).place)
        }
        Reason::Fence { place } => (format!("{waits}: nothing passes this fence"), place),
        Reason::Effects => (format!("{waits}: both have effects and keep their order"), program.node(edge.to).place),
    }
}

fn hazard(program: &Program, kind: HazardKind, buffer: BufferId, edge: &Edge) -> String {
    let (name, from) = (&program.buffer(buffer).name, subject(program.node(edge.from)));
    match kind {
        HazardKind::ReadAfterWrite => format!("it reads `{name}`, which {from} writes"),
        HazardKind::WriteAfterWrite => format!("it writes `{name}`, which {from} writes first"),
        HazardKind::WriteAfterRead => format!("it writes `{name}`, which {from} reads first"),
    }
}
