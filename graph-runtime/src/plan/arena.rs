//! Where transients lie: one behind another, each at an address that is good for any element.

use graph_ir::model::{Memory, NodeKind, Origin, Program};

use super::{Arena, LoopState};
use crate::element::ElementLayout;

const ALIGNMENT: u64 = 256;

impl Arena {
    /// Gives every live transient and every live loop a place.
    pub(super) fn of(program: &Program, elements: &[ElementLayout]) -> Self {
        let mut arena = Self { loops: vec![None; program.nodes.len()], ..Self::default() };
        let live = live(program);
        for (buffer, element) in program.buffers.iter().zip(elements) {
            let placed = buffer.origin == Origin::Transient && live[buffer.region.0 as usize];
            let bytes = buffer.length().unwrap_or(0).saturating_mul(element.size as u64);
            arena
                .offsets
                .push(placed.then(|| arena_end(&mut arena.device_bytes, &mut arena.host_bytes, buffer.memory, bytes)));
        }
        for (index, node) in program.nodes.iter().enumerate() {
            if live[node.region.0 as usize] && matches!(node.kind, NodeKind::Loop(_)) {
                arena.loops[index] = Some(arena.counter_bytes);
                arena.counter_bytes += size_of::<LoopState>() as u64;
            }
        }
        arena
    }
}

/// Appends to the arena of a memory kind and returns the offset.
fn arena_end(device: &mut u64, host: &mut u64, memory: Memory, bytes: u64) -> u64 {
    let end = match memory {
        Memory::Device => device,
        Memory::Host | Memory::Mailbox => host,
    };
    let offset = *end;
    *end = offset.saturating_add(bytes).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX);
    offset
}

/// By region id: whether it is part of the graph.
pub(super) fn live(program: &Program) -> Vec<bool> {
    let mut live = vec![false; program.regions.len()];
    for region in program.live_regions() {
        live[region.0 as usize] = true;
    }
    live
}
