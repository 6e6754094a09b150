//! Whether the edges of graphs are needed: an oracle that knows elements, and runs with edges turned around.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use graph_runtime::__private::{Mode, Reversal, SeenEdge, SeenUse};
use graph_runtime::Device;

/// Whether both nodes use an element, and one of them writes it, other than by two atomic updates.
pub fn is_hazard(edge: &SeenEdge) -> bool {
    edge.from.iter().any(|one| edge.to.iter().any(|other| meet(one, other)))
}

fn meet(one: &SeenUse, other: &SeenUse) -> bool {
    let agree = one.mode == other.mode && matches!(one.mode, Mode::Read | Mode::Atomic);
    let mut dimensions = one.ranges.iter().zip(&other.ranges);
    let common = |(one, other): (&(u64, u64), &(u64, u64))| one.0.max(other.0) < one.1.min(other.1);
    !agree && one.buffer == other.buffer && dimensions.all(common)
}

/// The edges of all that `run` builds, which must succeed.
pub fn edges(run: impl Fn(&Device) -> bool) -> BTreeMap<String, SeenEdge> {
    let none = Arc::new(Reversal::none());
    assert!(run(&Device::cpu().shuffled(0).reversing(Arc::clone(&none))), "fails as it is");
    none.seen()
}

/// Whether `run` fails with an edge turned around: the node that should wait runs first, in every launch.
pub fn fails_without(edge: &str, run: impl Fn(&Device) -> bool) -> bool {
    let device = Device::cpu().shuffled(0).reversing(Arc::new(Reversal::of(edge)));
    !matches!(catch_unwind(AssertUnwindSafe(|| run(&device))), Ok(true))
}
