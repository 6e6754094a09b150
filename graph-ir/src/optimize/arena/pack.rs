//! Offsets for buffers of which some must not share memory.
//!
//! Buffers are placed one after another, each on top of those in its way that are there: always the one that would lie lowest, and of
//! those that would lie equally low the one of the highest rank. The ranks are by how much lies in a buffer's way, by how many buffers
//! do, by its size, whichever is best; then single ranks are changed as long as it pays and the work allows. The same input gives the
//! same offsets.
//!
//! That the lowest comes first is no loss: every placement can be brought into such an order without taking more memory (Moffitt,
//! `MiniMalloc`, ASPLOS 2023).

use super::Conflicts;

/// Where buffers lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// In bytes, for each buffer: a multiple of the alignment.
    pub offsets: Vec<u64>,
    /// The end of the last one.
    pub bytes: u64,
    /// Nobody can do with less: so much is needed at once.
    pub bound: u64,
}

/// Places buffers of these sizes in bytes, listed in the order of their first uses, such that those which are needed at once do not
/// overlap. `work` limits the search, in buffers that are looked at: a few nanoseconds each.
pub fn pack(sizes: &[u64], alignment: u64, conflicts: &Conflicts, work: usize) -> Packing {
    let sizes: Vec<u64> =
        sizes.iter().map(|size| size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)).collect();
    let neighbours: Vec<Vec<usize>> = (0..sizes.len()).map(|buffer| conflicts.of(buffer).collect()).collect();
    let bound = bound(&sizes, conflicts);
    let mut packer = Packer { sizes: &sizes, neighbours: &neighbours, looks: 0 };
    let mut best: Option<(Vec<u64>, Placed)> = None;
    for ranks in ranks(&sizes, &neighbours) {
        let limit = best.as_ref().map_or(u64::MAX, |(_, best)| best.bytes);
        if best.is_some() && limit <= bound {
            break;
        }
        if let Some(placed) = packer.place(&ranks, limit)
            && best.as_ref().is_none_or(|(_, best)| placed.bytes < best.bytes)
        {
            best = Some((ranks, placed));
        }
    }
    let best = best.map(|(ranks, placed)| packer.improve(&ranks, placed, bound, work));
    let Placed { offsets, bytes } = best.unwrap_or_default();
    Packing { offsets, bytes, bound }
}

/// What came of some ranks.
#[derive(Clone, Default)]
struct Placed {
    offsets: Vec<u64>,
    bytes: u64,
}

struct Packer<'a> {
    sizes: &'a [u64],
    /// What is needed at once with each.
    neighbours: &'a [Vec<usize>],
    looks: usize,
}

impl Packer<'_> {
    /// Places all; nothing if that takes more than `limit`.
    fn place(&mut self, ranks: &[u64], limit: u64) -> Option<Placed> {
        let mut offsets = vec![0_u64; self.sizes.len()];
        let mut left: Vec<usize> = (0..self.sizes.len()).collect();
        let mut is_left = vec![true; self.sizes.len()];
        let mut bytes = 0;
        let key = |offsets: &[u64], buffer: usize| (offsets[buffer], std::cmp::Reverse(ranks[buffer]), buffer);
        while let Some(at) = (0..left.len()).min_by_key(|at| key(&offsets, left[*at])) {
            let buffer = left.swap_remove(at);
            is_left[buffer] = false;
            let end = offsets[buffer].saturating_add(self.sizes[buffer]);
            bytes = bytes.max(end);
            self.looks += left.len() + self.neighbours[buffer].len() + 1;
            if bytes > limit {
                return None;
            }
            // What takes no memory is in nobody's way.
            for &other in self.neighbours[buffer].iter().filter(|other| is_left[**other] && self.sizes[buffer] > 0) {
                offsets[other] = offsets[other].max(end);
            }
        }
        Some(Placed { offsets, bytes })
    }

    /// Changes one rank after another, mostly around what reaches the end, and keeps what is no worse.
    fn improve(&mut self, ranks: &[u64], mut placed: Placed, bound: u64, work: usize) -> Placed {
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|buffer| (ranks[*buffer], std::cmp::Reverse(*buffer)));
        let mut now = vec![0; ranks.len()];
        order.iter().zip(1..).for_each(|(buffer, rank)| now[*buffer] = rank * BETWEEN);
        let highest = (ranks.len() as u64 + 1).saturating_mul(BETWEEN);
        let mut dice = Dice(0);
        let stop = self.looks.saturating_add(work);
        while placed.bytes > bound && self.looks < stop {
            let changed = self.promising(&placed, &mut dice);
            let before = std::mem::replace(&mut now[changed], dice.below(highest));
            match self.place(&now, placed.bytes) {
                Some(better) => placed = better,
                None => now[changed] = before,
            }
        }
        placed
    }

    /// A buffer that reaches the end, one in the way of that, or any.
    fn promising(&self, placed: &Placed, dice: &mut Dice) -> usize {
        let reaches = |buffer: &usize| placed.offsets[*buffer].saturating_add(self.sizes[*buffer]) == placed.bytes;
        let pick = |from: &[usize], dice: &mut Dice| from.get(dice.below(from.len() as u64) as usize).copied();
        let any = dice.below(self.sizes.len() as u64) as usize;
        if dice.below(2) == 0 {
            return any;
        }
        let highest: Vec<usize> = (0..self.sizes.len()).filter(reaches).collect();
        let Some(high) = pick(&highest, dice) else { return any };
        if dice.below(2) == 0 { high } else { pick(&self.neighbours[high], dice).unwrap_or(high) }
    }
}

/// Room for other ranks between those of two buffers.
const BETWEEN: u64 = 16;

/// Numbers that look random, and are the same each time (splitmix64, Steele and others 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % count.max(1)
    }
}

/// The ranks to begin with.
fn ranks(sizes: &[u64], neighbours: &[Vec<usize>]) -> [Vec<u64>; 3] {
    let in_the_way =
        |(size, others): (&u64, &Vec<usize>)| others.iter().fold(*size, |sum, other| sum.saturating_add(sizes[*other]));
    let count = |others: &Vec<usize>| others.len() as u64;
    [sizes.iter().zip(neighbours).map(in_the_way).collect(), neighbours.iter().map(count).collect(), sizes.to_vec()]
}

/// The largest sum of sizes that are found to be needed at once, each with each: of every buffer and those that are there before it.
fn bound(sizes: &[u64], conflicts: &Conflicts) -> u64 {
    let at_once = |buffer: usize| {
        let mut others: Vec<usize> = conflicts.of(buffer).take_while(|other| *other < buffer).collect();
        others.sort_by_key(|other| std::cmp::Reverse(sizes[*other]));
        let mut chosen: Vec<usize> = Vec::new();
        for other in others {
            if chosen.iter().all(|known| conflicts.hold(*known, other)) {
                chosen.push(other);
            }
        }
        chosen.iter().fold(sizes[buffer], |sum, other| sum.saturating_add(sizes[*other]))
    };
    (0..sizes.len()).map(at_once).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn overlap((one, size): (u64, u64), (other, length): (u64, u64)) -> bool {
        one < other + length && other < one + size
    }

    #[test]
    fn a_chain_needs_two_neighbours() {
        let spans: Vec<_> = (0..100).map(|at| (at, at + 2)).collect();
        let packing = pack(&[1000; 100], 256, &Conflicts::of_spans(&spans), 0);
        assert_eq!((packing.bytes, packing.bound), (2048, 2048));
    }

    #[test]
    fn what_cannot_fit_does_not_overflow() {
        let packing = pack(&[u64::MAX, 1, u64::MAX / 2], 256, &Conflicts::all(3), 1000);
        assert_eq!(packing.bytes, u64::MAX);
    }

    #[test]
    fn nothing_needs_nothing() {
        assert_eq!(pack(&[], 256, &Conflicts::all(0), 1000), Packing { offsets: Vec::new(), bytes: 0, bound: 0 });
        assert_eq!(pack(&[0, 0], 256, &Conflicts::all(2), 1000).bytes, 0);
    }

    /// The least bytes of all: each order in turn, and each buffer at the lowest place that is free.
    fn least(sizes: &[u64], conflicts: &Conflicts, placed: &mut Vec<(usize, u64)>) -> u64 {
        let end = placed.iter().map(|(buffer, offset)| offset + sizes[*buffer]).max().unwrap_or(0);
        let mut best = if placed.len() == sizes.len() { end } else { u64::MAX };
        for next in 0..sizes.len() {
            if placed.iter().any(|(buffer, _)| *buffer == next) {
                continue;
            }
            let free = |offset: u64| {
                !placed.iter().any(|(other, place)| {
                    conflicts.hold(*other, next) && overlap((*place, sizes[*other]), (offset, sizes[next]))
                })
            };
            let lowest = (0..=end).find(|offset| free(*offset)).unwrap();
            placed.push((next, lowest));
            best = best.min(least(sizes, conflicts, placed));
            placed.pop();
        }
        best
    }

    proptest! {
        #[test]
        fn what_is_needed_at_once_does_not_overlap(
            sizes in proptest::collection::vec(0_u64..9, 0..6),
            allowed in proptest::collection::vec((0_usize..6, 0_usize..6), 0..12),
        ) {
            let mut conflicts = Conflicts::all(sizes.len());
            for (one, other) in allowed.into_iter().filter(|(one, other)| one != other && *one.max(other) < sizes.len()) {
                conflicts.allow(one, other);
            }
            let packing = pack(&sizes, 1, &conflicts, 1000);
            for one in 0..sizes.len() {
                for other in 0..one {
                    let places = [one, other].map(|at| (packing.offsets[at], sizes[at]));
                    prop_assert!(!(conflicts.hold(one, other) && overlap(places[0], places[1])), "{:?}", packing);
                }
            }
            let least = least(&sizes, &conflicts, &mut Vec::new());
            prop_assert!(packing.bound <= least && least <= packing.bytes, "{:?} {}", packing, least);
            prop_assert_eq!(packing.bytes, least, "{:?}", packing);
        }
    }
}
