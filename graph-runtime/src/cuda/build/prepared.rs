//! The plain nodes of a region, with every address, value and wait in place, so that adding them is nothing but calls of the driver.

use std::ops::Range;

use graph_ir::model::{NodeId, NodeKind, RegionId};

use super::arguments::Arguments;
use super::order::Order;
use super::placed::Placed;
use super::sources::{Slot, Sources};
use super::work::{Reused, Spec, Work};
use crate::cuda::driver::{Context, NodeParams};
use crate::error::Result;
use crate::plan::Part;

/// A region's nodes in order.
pub(super) struct Prepared {
    nodes: Vec<PreparedNode>,
    waits: Vec<NodeId>,
    arguments: Arguments,
    params: Reused,
}

/// One node of the plan.
struct PreparedNode {
    id: NodeId,
    /// `None` for conditionals, which are more than one node.
    work: Option<Work>,
    waits: Range<u32>,
    arguments: Range<u32>,
    /// Whether it may begin before those in front of it are over.
    overlaps: bool,
}

impl Prepared {
    /// The nodes of a region.
    pub(super) fn of(sources: Sources<'_>, placed: &Placed, order: &Order<'_>, region: RegionId) -> Result<Self> {
        let plan = sources.plan.region(region);
        let ids = plan.map_or(&[][..], |region| &region.order);
        let mut prepared = Self {
            nodes: Vec::with_capacity(ids.len()),
            waits: Vec::with_capacity(plan.map_or(0, |region| region.edges.len())),
            arguments: Arguments::default(),
            params: Reused::new(),
        };
        for id in ids.iter().filter(|id| !matches!(order.part(**id), Part::Behind(_) | Part::Tail)) {
            prepared.push(sources, placed, order, region, *id)?;
        }
        prepared.arguments.point();
        Ok(prepared)
    }

    fn push(
        &mut self,
        sources: Sources<'_>,
        placed: &Placed,
        order: &Order<'_>,
        region: RegionId,
        id: NodeId,
    ) -> Result<()> {
        let first_wait = self.waits.len() as u32;
        self.waits.extend(order.before(sources.plan, region, id));
        let first_argument = self.arguments.count();
        let node = sources.plan.program.node(id);
        let conditional = matches!(node.kind, NodeKind::If { .. } | NodeKind::Match { .. } | NodeKind::Loop(_));
        let overlaps = sources.plan.region(region).is_some_and(|region| region.overlap.begins(id));
        let work = if conditional {
            None
        } else {
            Some(sources.work(id, Slot::Main, placed.decision(sources.decides(id)), &mut self.arguments)?)
        };
        let waits = first_wait..self.waits.len() as u32;
        let arguments = first_argument..self.arguments.count();
        self.nodes.push(PreparedNode { id, work, waits, arguments, overlaps });
        Ok(())
    }

    /// How many nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at a position, and what it waits for.
    pub(super) fn node(&self, position: usize) -> (NodeId, &[NodeId]) {
        let node = &self.nodes[position];
        (node.id, &self.waits[node.waits.start as usize..node.waits.end as usize])
    }

    /// Whether the node at a position may begin before those in front of it are over.
    pub(super) fn overlaps(&self, position: usize) -> bool {
        self.nodes[position].overlaps
    }

    /// The launch of the node at a position, if it is one.
    pub(super) fn launch(&self, position: usize) -> Option<Spec> {
        match self.nodes[position].work {
            Some(Work::Launch(spec)) => Some(spec),
            _ => None,
        }
    }

    /// The parameters of the node at a position, if it is one node of the CUDA graph.
    pub(super) fn params(&mut self, position: usize, context: Context) -> Option<&mut NodeParams> {
        let node = &self.nodes[position];
        let pointers = self.arguments.pointers(node.arguments.clone());
        Some(self.params.params(node.work.as_ref()?, pointers, context))
    }
}
