//! Where transients lie: those that are never needed at once in the same memory, each at an address that is good for any element.

use std::collections::HashMap;

use graph_ir::model::{BufferId, Memory, NodeId, NodeKind, Origin, Program, RegionId};
use graph_ir::optimize::arena::{Conflicts, Order, Packing, conflicts, pack, work};

use super::{Arena, LoopState, RegionPlan};

const ALIGNMENT: u64 = 256;

/// More transients each have memory of their own: the pairs of these are 8 MiB of bits, and take about a second.
const MOST: usize = 8192;

/// Which memory a transient lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The device's.
    Device,
    /// The host's.
    Host,
    /// None where launches are shared, since it stays in registers; else the device's, apart from the others.
    Spare,
}

impl Place {
    const ALL: [Self; 3] = [Self::Device, Self::Host, Self::Spare];
}

impl Arena {
    /// Gives every live transient and every live loop a place. `bytes` is how much a transient may need; `shares`: whether transients that
    /// are never needed at once may lie in the same memory.
    pub(super) fn of(
        program: &Program,
        bytes: &dyn Fn(BufferId) -> u64,
        regions: &[Option<RegionPlan>],
        shares: bool,
    ) -> Self {
        let mut arena = Self { loops: vec![None; program.nodes.len()], ..Self::default() };
        let live = live(program);
        arena.offsets = vec![None; program.buffers.len()];
        let kept = regions.iter().flatten().flat_map(|region| &region.fusion.registers);
        arena.spare = kept.map(|(buffer, _)| *buffer).collect();
        let transients = transients(program, regions, &live);
        let mut ends = [0; 3];
        for (place, end) in Place::ALL.into_iter().zip(&mut ends) {
            let lies_here = |buffer: &BufferId| arena.place(program, *buffer) == place;
            let here: Vec<BufferId> = transients.iter().copied().filter(lies_here).collect();
            let sizes: Vec<u64> = here.iter().map(|buffer| bytes(*buffer)).collect();
            // Where a kept transient needs memory, nodes run one by one.
            let launches = if place == Place::Spare { HashMap::new() } else { launches(regions) };
            let conflicts = at_once(program, regions, &launches, &here, shares);
            let work = if place == Place::Spare { 0 } else { work(here.len()) };
            let Packing { offsets, bytes, bound } = pack(&sizes, ALIGNMENT, &conflicts, work);
            here.iter().zip(offsets).for_each(|(buffer, offset)| arena.offsets[buffer.0 as usize] = Some(offset));
            let apart = sizes.iter().fold(0, |end: u64, size| {
                end.saturating_add(*size).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX)
            });
            arena.apart = arena.apart.saturating_add(apart);
            arena.bound = arena.bound.saturating_add(if place == Place::Spare { 0 } else { bound });
            *end = bytes;
        }
        [arena.device_bytes, arena.host_bytes, arena.spare_bytes] = ends;
        for (index, node) in program.nodes.iter().enumerate() {
            if live[node.region.0 as usize] && matches!(node.kind, NodeKind::Loop(_)) {
                arena.loops[index] = Some(arena.counter_bytes);
                arena.counter_bytes += size_of::<LoopState>() as u64;
            }
        }
        arena
    }

    /// Which memory a transient lies in.
    pub(crate) fn place(&self, program: &Program, buffer: BufferId) -> Place {
        match program.buffer(buffer).memory {
            Memory::Device if self.spare.contains(&buffer) => Place::Spare,
            Memory::Device => Place::Device,
            Memory::Host | Memory::Mailbox => Place::Host,
        }
    }

    /// Whether two buffers have bytes in common: transients of these sizes that are needed one behind the other.
    pub(crate) fn overlap(
        &self,
        program: &Program,
        (one, size): (BufferId, u64),
        (other, length): (BufferId, u64),
    ) -> bool {
        let place = |buffer: BufferId| self.offsets.get(buffer.0 as usize).copied().flatten();
        let (Some(start), Some(begin)) = (place(one), place(other)) else { return false };
        let same = self.place(program, one) == self.place(program, other);
        same && start < begin.saturating_add(length) && begin < start.saturating_add(size)
    }
}

/// Those of the parts of the graph that run, in the order of their first uses.
fn transients(program: &Program, regions: &[Option<RegionPlan>], live: &[bool]) -> Vec<BufferId> {
    let mut first = vec![usize::MAX; program.buffers.len()];
    let mut known = 0;
    let mut open: Vec<(RegionId, usize)> = vec![(RegionId::GRAPH, 0)];
    while let Some((region, at)) = open.pop() {
        let nodes = regions.get(region.0 as usize).and_then(Option::as_ref).map_or(&[][..], |region| &region.order);
        let Some(node) = nodes.get(at).map(|node| program.node(*node)) else { continue };
        for access in &node.accesses {
            let first = &mut first[access.buffer.0 as usize];
            if *first == usize::MAX {
                *first = known;
                known += 1;
            }
        }
        open.push((region, at + 1));
        open.extend(node.kind.bodies().into_iter().rev().map(|body| (body, 0)));
    }
    let transient = |id: &BufferId| {
        let buffer = program.buffer(*id);
        let is_used = first[id.0 as usize] != usize::MAX;
        buffer.origin == Origin::Transient && live[buffer.region.0 as usize] && is_used
    };
    let mut transients: Vec<BufferId> = program.buffer_ids().filter(transient).collect();
    transients.sort_by_key(|buffer| first[buffer.0 as usize]);
    transients
}

/// Which of them are needed at once. `launches`: the nodes with which a node shares its launch.
fn at_once(
    program: &Program,
    regions: &[Option<RegionPlan>],
    launches: &HashMap<NodeId, Vec<NodeId>>,
    transients: &[BufferId],
    shares: bool,
) -> Conflicts {
    if !shares || !(2..=MOST).contains(&transients.len()) {
        return Conflicts::all(transients.len());
    }
    let plan = |region: RegionId| regions.get(region.0 as usize).and_then(Option::as_ref);
    let order = |region| plan(region).map(|plan| Order { nodes: &plan.order, edges: &plan.edges });
    conflicts(program, transients, &order, &|node| launches.get(&node).cloned().unwrap_or_else(|| vec![node]))
}

/// The nodes that do their work in the same launch, for each of them. A reduction's value is also stored by the launch that combines it.
fn launches(regions: &[Option<RegionPlan>]) -> HashMap<NodeId, Vec<NodeId>> {
    let mut launches: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for fusion in regions.iter().flatten().map(|region| &region.fusion) {
        for together in fusion.groups.iter().chain([&fusion.tail]) {
            launches.extend(together.iter().map(|node| (*node, together.clone())));
        }
        for deferral in &fusion.deferrals {
            let into = launches.get(&deferral.into).cloned().unwrap_or_else(|| vec![deferral.into]);
            launches.entry(deferral.reduction).or_insert_with(|| vec![deferral.reduction]).extend(into);
        }
    }
    launches
}

/// By region id: whether it is part of the graph.
pub(super) fn live(program: &Program) -> Vec<bool> {
    let mut live = vec![false; program.regions.len()];
    for region in program.live_regions() {
        live[region.0 as usize] = true;
    }
    live
}
