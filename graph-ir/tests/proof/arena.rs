//! Transients in an arena: the orders are run with those places, so that whoever shares memory too early is seen.

use std::collections::BTreeMap;

use graph_ir::model::{BufferId, Origin, Program};
use graph_ir::optimize::arena::{Order, conflicts, pack};

use crate::judge::bodies;
use crate::lanes::Ordered;
use crate::machine::Places;
use crate::unfold::Region;

/// More than any buffer has.
const SIZE: u64 = 64;

/// Where the transients of an accepted program lie if its nodes are ordered so, and how many pairs of them share memory.
pub(crate) fn places(program: &Program, graph: &Region, regions: &Ordered, sharing: &mut usize) -> Places {
    let live = program.live_regions();
    let transient = |buffer: &BufferId| {
        let buffer = program.buffer(*buffer);
        buffer.origin == Origin::Transient && live.contains(&buffer.region)
    };
    let transients: Vec<_> = program.buffer_ids().filter(transient).collect();
    let order = |region| regions.get(&region).map(|(nodes, edges)| Order { nodes, edges });
    let conflicts = conflicts(program, &transients, &order, &|node| vec![node]);
    let packing = pack(&vec![SIZE; transients.len()], 1, &conflicts, 1000);
    for one in 0..transients.len() {
        *sharing += packing.offsets[..one].iter().filter(|offset| **offset == packing.offsets[one]).count();
    }
    let mut placed: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (buffer, offset) in transients.iter().zip(packing.offsets).rev() {
        placed.entry(&program.buffer(*buffer).name).or_default().push(offset);
    }
    let mut locals = Vec::new();
    all_locals(graph, &mut locals);
    // A name has a buffer in each pass, in the same order: `l0[1]` is the second `l0`.
    let mut place = |local: &String| Some((local.clone(), placed.get_mut(written(local))?.pop()?));
    let places: Places = locals.iter().filter_map(&mut place).collect();
    assert!(placed.values().all(Vec::is_empty), "{placed:?} {locals:?}");
    places
}

fn all_locals(region: &Region, found: &mut Vec<String>) {
    found.extend(region.locals.iter().cloned());
    for item in &region.items {
        bodies(item).into_iter().for_each(|(_, body)| all_locals(body, found));
    }
}

/// Without the passes.
fn written(local: &str) -> &str {
    if local.starts_with('w') { local } else { local.split('[').next().unwrap_or(local) }
}
