//! Gates: kernels that do nothing, in the place of many edges. Each is added in front of the first node that waits for it.

use std::collections::BTreeMap;

use graph_ir::model::{NodeId, RegionId};

use super::region::Builder;
use crate::cuda::driver::{GraphRef, Node};
use crate::error::Result;

/// The gates of a region that are there, by number.
#[derive(Default)]
pub(super) struct Gates {
    added: BTreeMap<usize, Node>,
}

impl Builder<'_> {
    /// The gates that a node waits for.
    pub(super) fn gates(
        &mut self,
        graph: GraphRef,
        region: RegionId,
        node: NodeId,
        gates: &mut Gates,
    ) -> Result<Vec<Node>> {
        let numbers = self.order.gates(node);
        for number in &numbers {
            if !gates.added.contains_key(number) {
                let added = self.gate(graph, region, *number, node)?;
                gates.added.insert(*number, added);
            }
        }
        Ok(numbers.iter().filter_map(|number| gates.added.get(number)).copied().collect())
    }

    fn gate(&mut self, graph: GraphRef, region: RegionId, number: usize, node: NodeId) -> Result<Node> {
        let plan = self.sources.plan;
        let Some(here) = plan.region(region) else { return Ok(Node::NONE) };
        let before = &here.gates[number].before;
        // What has nothing to do for these numbers is no kernel.
        let begins = here.overlap.gate(number) && before.iter().all(|from| self.placed.is_launch(*from));
        self.after.clear();
        self.after.extend(before.iter().filter_map(|from| self.placed.exit(*from)));
        self.edges.clear();
        if begins {
            self.overlap_all();
        }
        self.arguments.clear();
        let work = self.sources.gate();
        let mut params = work.params(self.arguments.all_pointers(), self.context);
        let added = self.add(graph, node, &mut params)?;
        self.placed.belongs(added, node);
        Ok(added)
    }
}
