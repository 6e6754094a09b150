//! Edges that are not full ones (rules R026 and R027).

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::objects::Id;
use crate::report::{Edge, Work};

/// A port needs a kernel before it; a programmatic edge, kernels on both sides, of which the second waits.
pub(crate) fn check(driver: &mut Driver, work: &Work, edges: &[Edge]) -> Outcome {
    for edge in edges.iter().filter(|edge| edge.port != 0 || edge.kind != 0) {
        let from_kernel = driver.nodes.get(&Id(edge.from)).is_some_and(|node| matches!(node.work, Work::Kernel { .. }));
        if edge.port > 2 || !from_kernel {
            return driver.refuse("R026", Refusal::INVALID_VALUE, "an edge with a port does not begin at a kernel");
        }
        let Work::Kernel { function, name, .. } = work else {
            return driver.refuse("R027", Refusal::INVALID_VALUE, "a programmatic edge does not end at a kernel");
        };
        if edge.kind != 1 {
            return driver.refuse("R027", Refusal::INVALID_VALUE, "the programmatic port has an edge of another type");
        }
        if !driver.functions.get(&Id(*function)).is_some_and(|function| function.entry.waits) {
            driver.note("R029", format!("`{name}` begins early and never waits"));
        }
    }
    Ok(())
}
