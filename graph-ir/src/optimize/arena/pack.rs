//! Offsets for buffers of which some must not share memory.
//!
//! First each buffer is placed on top of those in its way that are there: always the one that would lie lowest, and of those that would
//! lie equally low the one of the highest rank. The ranks are by how much lies in a buffer's way, by how many buffers do, by its size,
//! whichever is best. If more is taken than is needed at once, a [search] looks for offsets below a limit between the two, by several
//! ranks in turn, and then by the same ranks a little changed, with more time for each try, as long as the work allows. The same input
//! gives the same offsets.
//!
//! That the lowest comes first is no loss: every placement can be brought into such an order without taking more memory (Moffitt,
//! `MiniMalloc`, ASPLOS 2023, from which is also by what ranks the search goes).

mod search;
mod together;

use self::search::{Outcome, Problem, Search};
use self::together::Together;
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

/// The work that a search is worth for so many buffers when a graph is built: half a millisecond to a millisecond each, and
/// two to three tenths of a second at most.
pub fn work(buffers: usize) -> usize {
    buffers.saturating_mul(500_000).min(150_000_000)
}

/// Places buffers of these sizes in bytes, listed in the order of their first uses, such that those which are needed at once do not
/// overlap. `work` limits the search, in buffers that are looked at: one to two nanoseconds each.
pub fn pack(sizes: &[u64], alignment: u64, conflicts: &Conflicts, work: usize) -> Packing {
    let sizes: Vec<u64> =
        sizes.iter().map(|size| size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)).collect();
    let neighbours: Vec<Vec<usize>> = (0..sizes.len()).map(|buffer| conflicts.of(buffer).collect()).collect();
    let together = Together::new(&sizes, conflicts);
    let bound = together.most();
    let mut best: Option<Placed> = None;
    for ranks in greedy_ranks(&sizes, &neighbours) {
        let limit = best.as_ref().map_or(u64::MAX, |best| best.bytes);
        if best.is_some() && limit <= bound {
            break;
        }
        if let Some(placed) = place(&sizes, &neighbours, &ranks, limit)
            && best.as_ref().is_none_or(|best| placed.bytes < best.bytes)
        {
            best = Some(placed);
        }
    }
    let mut best = best.unwrap_or_default();
    if best.bytes > bound && sizes.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size)).is_some() {
        let problem = Problem { sizes: &sizes, neighbours: &neighbours, together: &together };
        best = improve(problem, best, work);
    }
    let Placed { offsets, bytes } = best;
    Packing { offsets, bytes, bound }
}

/// What came of some ranks.
#[derive(Clone, Default)]
struct Placed {
    offsets: Vec<u64>,
    bytes: u64,
}

/// Places all; nothing if that takes more than `limit`.
fn place(sizes: &[u64], neighbours: &[Vec<usize>], ranks: &[u64], limit: u64) -> Option<Placed> {
    let mut offsets = vec![0_u64; sizes.len()];
    let mut left: Vec<usize> = (0..sizes.len()).collect();
    let mut is_left = vec![true; sizes.len()];
    let mut bytes = 0;
    let key = |offsets: &[u64], buffer: usize| (offsets[buffer], std::cmp::Reverse(ranks[buffer]), buffer);
    while let Some(at) = (0..left.len()).min_by_key(|at| key(&offsets, left[*at])) {
        let buffer = left.swap_remove(at);
        is_left[buffer] = false;
        let end = offsets[buffer].saturating_add(sizes[buffer]);
        bytes = bytes.max(end);
        if bytes > limit {
            return None;
        }
        // What takes no memory is in nobody's way.
        for &other in neighbours[buffer].iter().filter(|other| is_left[**other] && sizes[buffer] > 0) {
            offsets[other] = offsets[other].max(end);
        }
    }
    Some(Placed { offsets, bytes })
}

/// How far the limit of a try is from what is needed at once to what was found, in twentieths, one try after another.
const STEPS: [u64; 4] = [10, 15, 12, 18];

/// Searches for less, until there is no less or the work is used up.
fn improve(problem: Problem<'_>, mut best: Placed, work: usize) -> Placed {
    let orders = search_orders(problem);
    let (mut least, mut looks, mut tries) = (problem.together.most(), 0, 2 * problem.sizes.len());
    let mut dice = Dice(0);
    for (round, step) in (0_u64..).zip(STEPS.into_iter().cycle()) {
        let mut found = false;
        for order in &orders {
            let ranks = ranks(order, round, &mut dice);
            while best.bytes > least && looks < work {
                let limit = least + ((best.bytes - least - 1) / 20 * step + (best.bytes - least - 1) % 20 * step / 20);
                let mut search = Search::new(problem, &ranks, limit);
                let outcome = search.run(tries, work - looks);
                looks += search.looks + 1;
                match outcome {
                    Outcome::Found(offsets) => {
                        let ends = offsets.iter().zip(problem.sizes).map(|(offset, size)| offset + size);
                        best = Placed { bytes: ends.max().unwrap_or(0), offsets };
                        found = true;
                    }
                    Outcome::Nothing => least = limit + 1,
                    Outcome::Stopped => break,
                }
            }
            if best.bytes <= least || looks >= work {
                return best;
            }
        }
        if !found {
            tries += tries / 10 + 1;
        }
    }
    best
}

/// Buffers in the order in which they are tried: by what is around them, by how many others they meet, by both and their size.
fn search_orders(problem: Problem<'_>) -> Vec<Vec<usize>> {
    let Problem { sizes, neighbours, together } = problem;
    let around = |buffer: usize| together.around(buffer);
    let meets = |buffer: usize| neighbours[buffer].len() as u64;
    let area = |buffer: usize| meets(buffer).saturating_mul(sizes[buffer]);
    let in_the_way =
        |buffer: usize| neighbours[buffer].iter().fold(sizes[buffer], |sum, other| sum.saturating_add(sizes[*other]));
    let keys: [&dyn Fn(usize) -> [u64; 3]; 7] = [
        &|buffer| [around(buffer), meets(buffer), area(buffer)],
        &|buffer| [meets(buffer), area(buffer), around(buffer)],
        &|buffer| [area(buffer), meets(buffer), around(buffer)],
        &|buffer| [around(buffer), area(buffer), meets(buffer)],
        &|buffer| [meets(buffer), around(buffer), area(buffer)],
        &|buffer| [in_the_way(buffer), 0, 0],
        &|buffer| [sizes[buffer], 0, 0],
    ];
    let order = |key: &&dyn Fn(usize) -> [u64; 3]| {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_cached_key(|buffer| std::cmp::Reverse(key(*buffer)));
        order
    };
    keys.iter().map(order).collect()
}

/// The ranks of an order; from the second round on with some neighbours exchanged.
fn ranks(order: &[usize], round: u64, dice: &mut Dice) -> Vec<u64> {
    let spread = if round == 0 { 1 } else { 1 + order.len() as u64 / 2 };
    let mut ranks = vec![0; order.len()];
    for (buffer, place) in order.iter().zip(0..) {
        ranks[*buffer] = place * 4 + dice.below(spread);
    }
    ranks
}

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
fn greedy_ranks(sizes: &[u64], neighbours: &[Vec<usize>]) -> [Vec<u64>; 3] {
    let in_the_way =
        |(size, others): (&u64, &Vec<usize>)| others.iter().fold(*size, |sum, other| sum.saturating_add(sizes[*other]));
    let count = |others: &Vec<usize>| others.len() as u64;
    [sizes.iter().zip(neighbours).map(in_the_way).collect(), neighbours.iter().map(count).collect(), sizes.to_vec()]
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
            let packing = pack(&sizes, 1, &conflicts, 100_000);
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
