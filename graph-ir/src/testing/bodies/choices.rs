//! Decisions that come from bytes, so that who shrinks the bytes shrinks what was decided.

/// Decides by bytes; when they are used up, always for the first.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    /// Decides by these.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        let taken = if bound > 256 { 8 } else { 1 }.min(self.bytes.len());
        let (now, rest) = self.bytes.split_at(taken);
        self.bytes = rest;
        let number = now.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        number.checked_rem(bound).unwrap_or(0)
    }

    /// Any bits.
    pub fn bits(&mut self) -> u64 {
        self.below(u64::MAX)
    }

    /// One of these, which are not empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// False as a rule, true once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == times - 1
    }

    /// Whether nothing is left.
    pub fn is_used_up(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// `count` bytes of a seed, the same everywhere.
pub fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let word = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    std::iter::repeat_with(word).flat_map(u64::to_le_bytes).take(count).collect()
}
