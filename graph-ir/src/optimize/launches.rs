//! A region's edges between launches: nodes that share one are one.

use std::collections::HashMap;

use super::Fusion;
use crate::analysis::Edge;
use crate::analysis::order::positions;
use crate::model::NodeId;

/// By position in the order: the launches that it waits for, by position, ascending. What is in another's launch waits for nothing.
pub(super) struct Waits(pub(super) Vec<Vec<u32>>);

impl Waits {
    pub(super) fn of(order: &[NodeId], edges: &[Edge], fusion: &Fusion) -> Self {
        // Of those that have no launch of their own: whose they are in, by position. What the test of a loop does waits with that.
        let mut within: HashMap<u32, Option<u32>> = HashMap::new();
        if !fusion.groups.is_empty() || !fusion.tail.is_empty() {
            let position: HashMap<NodeId, u32> = order.iter().copied().zip(0..).collect();
            for group in &fusion.groups {
                within.extend(group[1..].iter().map(|node| (position[node], Some(position[&group[0]]))));
            }
            within.extend(fusion.tail.iter().map(|node| (position[node], None)));
        }
        let mut waits = vec![Vec::new(); order.len()];
        for (from, to) in positions(order, edges).into_iter().flatten() {
            let from = within.get(&from).copied().unwrap_or(Some(from));
            if let (Some(from), None) = (from, within.get(&to)) {
                waits[to as usize].push(from);
            }
        }
        for list in &mut waits {
            list.sort_unstable();
            list.dedup();
        }
        Self(waits)
    }

    /// Without the edges from each of these, ascending, to each of those.
    pub(super) fn leave_out(&mut self, before: &[u32], behind: &[u32]) {
        for to in behind {
            self.0[*to as usize].retain(|from| before.binary_search(from).is_err());
        }
    }
}
