//! Which buffers must not share memory.

/// A symmetric relation among buffers by their position in a list: those that are needed at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflicts {
    count: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Conflicts {
    /// All of them with all others.
    pub fn all(count: usize) -> Self {
        let words = count.div_ceil(64);
        let mut conflicts = Self { count, words, bits: vec![u64::MAX; count * words] };
        for one in 0..count {
            conflicts.clear(one, one);
            if !count.is_multiple_of(64) {
                conflicts.bits[one * words + words - 1] &= (1 << (count % 64)) - 1;
            }
        }
        conflicts
    }

    /// Those whose half-open spans of time overlap.
    pub fn of_spans(spans: &[(u64, u64)]) -> Self {
        let mut conflicts = Self::all(spans.len());
        for (one, (start, end)) in spans.iter().enumerate() {
            for (other, (begin, stop)) in spans.iter().enumerate().take(one) {
                if end <= begin || stop <= start {
                    conflicts.allow(one, other);
                }
            }
        }
        conflicts
    }

    /// How many buffers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Lets two of them share memory.
    pub fn allow(&mut self, one: usize, other: usize) {
        self.clear(one, other);
        self.clear(other, one);
    }

    /// Whether two of them are needed at once.
    pub fn hold(&self, one: usize, other: usize) -> bool {
        self.bits[one * self.words + other / 64] >> (other % 64) & 1 == 1
    }

    /// All that are needed at once with one, in order.
    pub fn of(&self, one: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.bits[one * self.words..(one + 1) * self.words];
        words.iter().enumerate().flat_map(|(at, word)| Ones(*word).map(move |bit| at * 64 + bit))
    }

    fn clear(&mut self, one: usize, other: usize) {
        self.bits[one * self.words + other / 64] &= !(1 << (other % 64));
    }
}

/// The positions of the ones in a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_all_pairs_but_those_with_oneself() {
        for count in [0, 1, 3, 64, 65, 130] {
            let conflicts = Conflicts::all(count);
            for one in 0..count {
                let others: Vec<_> = conflicts.of(one).collect();
                assert_eq!(others, (0..count).filter(|other| *other != one).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn spans_that_only_touch_may_share() {
        let conflicts = Conflicts::of_spans(&[(0, 4), (4, 6), (3, 5)]);
        assert!(!conflicts.hold(0, 1) && conflicts.hold(0, 2) && conflicts.hold(2, 0) && conflicts.hold(1, 2));
    }
}
