//! Other parameters for a node of an exec (rules R230 to R236).

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::objects::Id;
use crate::report::Work;

/// Whether one can become the other.
pub(crate) fn check(driver: &mut Driver, old: &Work, new: &Work) -> Outcome {
    match (old, new) {
        (Work::Kernel { .. }, Work::Kernel { .. }) => super::kernel::check(driver, new),
        (Work::Copy { memory: was, sizes: before, .. }, Work::Copy { memory, sizes, .. }) => {
            if before[1..] != [1, 1] || sizes[1..] != [1, 1] {
                return driver.refuse("R231", Refusal::INVALID_VALUE, "a copy in rows is changed");
            }
            if was != memory {
                return driver.refuse("R231", Refusal::INVALID_VALUE, "a copy's direction is changed");
            }
            Ok(())
        }
        (Work::Child { graph: was }, Work::Child { graph }) => {
            if shape(driver, Id(*was)) == shape(driver, Id(*graph)) {
                return Ok(());
            }
            driver.refuse("R234", Refusal::INVALID_VALUE, "a child graph of another shape")
        }
        (Work::Record { .. }, Work::Record { event }) | (Work::Wait { .. }, Work::Wait { event }) => {
            if driver.events.contains_key(&Id(*event)) { Ok(()) } else { driver.dead("event", Id(*event)) }
        }
        _ => Ok(()),
    }
}

/// The kinds of a graph's nodes, and which ones each waits for, by position.
fn shape(driver: &Driver, graph: Id) -> Option<Vec<(u32, Vec<usize>)>> {
    let graph = driver.graphs.get(&graph).filter(|graph| graph.alive)?;
    let position = |node: u64| graph.nodes.iter().position(|known| known.0 == node).unwrap_or(usize::MAX);
    let nodes = graph.nodes.iter().filter_map(|node| driver.nodes.get(node));
    let shape = |node: &crate::objects::Node| {
        (super::node::kind(&node.work), node.edges.iter().map(|edge| position(edge.from)).collect())
    };
    Some(nodes.map(shape).collect())
}
