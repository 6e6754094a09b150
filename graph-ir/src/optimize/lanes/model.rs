//! How long a launch of a region takes, by how long its nodes take: time goes by, and kernels leave one behind the other.
//!
//! A model of what was measured (`docs/lanes.md`): a node that waits for nothing costs the host time before it can begin, kernels leave at
//! least so far apart, and no more run at once than the device holds grids. What it says is compared with other dealings of the same region
//! only, so what all of them have in common may be missing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Given;
use super::priorities::most_at_once;
use super::units::Units;
use crate::model::Program;

/// From so many side by side on, a kernel that waits for several costs no more.
const WIDE: usize = 64;

/// What a device takes beside the nodes' own work, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// From the call until the first node begins.
    pub launch: u64,
    /// Of whoever begins them, for each node that waits for nothing.
    pub root: u64,
    /// Between the begins of two kernels.
    pub apart: u64,
    /// More of that for a kernel that waits for several, where 64 or more run side by side; in proportion where fewer do.
    pub join: u64,
    /// More between the last of several kernels and the one that waits for them all.
    pub wait: u64,
    /// Kernels that run at once.
    pub at_once: usize,
}

impl Costs {
    /// Of a graph, on an NVIDIA H200 with driver 580.
    pub const GRAPH: Self = Self { launch: 2000, root: 1100, apart: 170, join: 96, wait: 400, at_once: 128 };
    /// The same where a gate stands in front of what waits for nothing: the host begins the gate, and the device the rest.
    pub const STARTED: Self = Self { launch: 8000, root: 270, join: 16, ..Self::GRAPH };
    /// Of a body, whose nodes the device begins by itself.
    pub const BODY: Self = Self { launch: 0, root: 0, ..Self::GRAPH };
}

/// How long a region takes in nanoseconds. `given` has the edges that it is launched with, and durations in nanoseconds that hold what lies
/// between a node and the one behind it. `None` if what shares a launch waits for what waits for it.
pub fn estimate(program: &Program, given: Given<'_>, costs: Costs) -> Option<u64> {
    let units = Units::of(program, given)?;
    let join = costs.join * most_at_once(&units).min(WIDE) as u64 / WIDE as u64;
    let mut waits: Vec<usize> = (0..units.len()).map(|unit| units.before.of(unit).len()).collect();
    let roots = (0..units.len()).filter(|unit| waits[*unit] == 0);
    let fed = (1..).map(|root: u64| costs.launch.saturating_add(costs.root.saturating_mul(root)));
    let mut ready: BinaryHeap<_> = roots.zip(fed).map(|(unit, time)| Reverse((time, unit))).collect();
    let mut begin = vec![0_u64; units.len()];
    let mut running: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let (mut leaves, mut end) = (0_u64, 0_u64);
    while let Some(Reverse((time, unit))) = ready.pop() {
        let mut start = time.max(leaves);
        if running.len() >= costs.at_once
            && let Some(Reverse(over)) = running.pop()
        {
            start = start.max(over);
        }
        let joins = units.before.of(unit).len() > 1;
        leaves = start.saturating_add(costs.apart + if joins { join } else { 0 });
        let over = start.saturating_add(units.duration[unit]);
        running.push(Reverse(over));
        end = end.max(over);
        for &(next, _) in units.behind.of(unit) {
            let next = next as usize;
            begin[next] = begin[next].max(over);
            waits[next] -= 1;
            if waits[next] == 0 {
                let wait = if units.before.of(next).len() > 1 { costs.wait } else { 0 };
                ready.push(Reverse((begin[next].saturating_add(wait), next)));
            }
        }
    }
    Some(end)
}
