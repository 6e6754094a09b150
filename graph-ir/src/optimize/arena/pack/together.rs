//! Sets of buffers of which each is needed at once with each other: no two of them share a byte.

use super::super::Conflicts;

/// Some of these sets: one for each buffer, with those that are there before it, as far as one does not hold another.
pub(super) struct Together {
    /// The buffers of each.
    pub(super) sets: Vec<Vec<usize>>,
    /// The sets that each buffer is in.
    pub(super) of: Vec<Vec<usize>>,
    /// The bytes of each.
    pub(super) bytes: Vec<u64>,
}

impl Together {
    pub(super) fn new(sizes: &[u64], conflicts: &Conflicts) -> Self {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for buffer in 0..sizes.len() {
            let set = at_once(sizes, conflicts, buffer);
            // Where nothing has ended since the buffer before, its set is a part of this one.
            if sets.last().is_some_and(|last| last.iter().all(|known| set.binary_search(known).is_ok())) {
                sets.pop();
            }
            sets.push(set);
        }
        let mut of = vec![Vec::new(); sizes.len()];
        for (number, set) in sets.iter().enumerate() {
            set.iter().for_each(|buffer| of[*buffer].push(number));
        }
        let bytes = sets.iter().map(|set| set.iter().fold(0, |sum: u64, buffer| sum.saturating_add(sizes[*buffer])));
        Self { bytes: bytes.collect(), sets, of }
    }

    /// The most bytes of one: nobody can do with less.
    pub(super) fn most(&self) -> u64 {
        self.bytes.iter().copied().max().unwrap_or(0)
    }

    /// The most bytes of those that a buffer is in.
    pub(super) fn around(&self, buffer: usize) -> u64 {
        self.of[buffer].iter().map(|set| self.bytes[*set]).max().unwrap_or(0)
    }
}

/// A buffer and those before it that are needed at once with it and with each other, the largest first taken; in order.
fn at_once(sizes: &[u64], conflicts: &Conflicts, buffer: usize) -> Vec<usize> {
    let mut others: Vec<usize> = conflicts.of(buffer).take_while(|other| *other < buffer).collect();
    others.sort_by_key(|other| std::cmp::Reverse(sizes[*other]));
    let mut chosen: Vec<usize> = vec![buffer];
    for other in others {
        if chosen.iter().all(|known| conflicts.hold(*known, other)) {
            chosen.push(other);
        }
    }
    chosen.sort_unstable();
    chosen
}
