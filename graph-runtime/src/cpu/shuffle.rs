//! Random orders that the edges allow.

use super::schedule::Schedule;

/// `SplitMix64`: every seed gives another sequence, and the same seed the same.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The numbers up to `count`, in random order.
    pub(super) fn permutation(&mut self, count: u64) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..count).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, self.below(last + 1));
        }
        numbers
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Positions of the schedule in a random topological order.
pub(super) fn order(schedule: &Schedule, random: &mut Random) -> Vec<usize> {
    let mut waits = schedule.waits.clone();
    let mut ready: Vec<_> = (0..waits.len()).filter(|index| waits[*index] == 0).collect();
    let mut order = Vec::with_capacity(waits.len());
    while !ready.is_empty() {
        let next = ready.swap_remove(random.below(ready.len()));
        order.push(next);
        for &behind in &schedule.behind[next] {
            waits[behind] -= 1;
            if waits[behind] == 0 {
                ready.push(behind);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use graph_ir::model::NodeId;

    use super::*;

    #[test]
    fn every_permutation_comes_up() {
        let orders: HashSet<_> = (0..64).map(|seed| Random::new(seed).permutation(3)).collect();
        assert_eq!(orders.len(), 6);
        assert!(Random::new(0).permutation(0).is_empty());
    }

    #[test]
    fn every_order_that_the_edges_allow_comes_up_and_no_other() {
        let schedule = Schedule {
            nodes: (0..4).map(NodeId).collect(),
            behind: vec![vec![1, 2], vec![3], vec![3], vec![]],
            waits: vec![0, 1, 1, 2],
            line: false,
            poisoned: Vec::new(),
        };
        let orders: HashSet<_> = (0..64).map(|seed| order(&schedule, &mut Random::new(seed))).collect();
        assert_eq!(orders, HashSet::from([vec![0, 1, 2, 3], vec![0, 2, 1, 3]]));
    }
}
