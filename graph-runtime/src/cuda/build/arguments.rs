//! The arguments of launches, one launch's behind another's.

use std::ffi::c_void;
use std::ops::Range;

/// Values in order, each at a multiple of 8 bytes.
#[derive(Debug, Default)]
pub(in crate::cuda) struct Arguments {
    words: Vec<u64>,
    starts: Vec<usize>,
    pointers: Vec<*mut c_void>,
}

impl Arguments {
    /// Forgets the values.
    pub(in crate::cuda) fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
    }

    /// Adds a value of 8 bytes.
    pub(in crate::cuda) fn push_word(&mut self, word: u64) {
        self.starts.push(self.words.len());
        self.words.push(word);
    }

    /// Adds a value's bytes.
    pub(in crate::cuda) fn push(&mut self, bytes: &[u8]) {
        self.starts.push(self.words.len());
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.words.push(u64::from_ne_bytes(word));
        }
    }

    /// Forgets the values from this one on.
    pub(in crate::cuda) fn truncate(&mut self, count: u32) {
        if let Some(first) = self.starts.get(count as usize) {
            self.words.truncate(*first);
            self.starts.truncate(count as usize);
        }
    }

    /// Whether these are the values from this one on.
    pub(in crate::cuda) fn ends_with(&self, first: u32, values: &Self) -> bool {
        let starts = &self.starts[first as usize..];
        let words = starts.first().map_or(&[][..], |start| &self.words[*start..]);
        let borders = starts.iter().map(|start| start - starts[0]);
        words == values.words && borders.eq(values.starts.iter().copied())
    }

    /// How many values there are.
    pub(in crate::cuda) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Makes the pointers, once all values are there.
    pub(in crate::cuda) fn point(&mut self) {
        self.pointers.clear();
        let base = self.words.as_mut_ptr();
        // Every value has at least one word, so each start lies within.
        self.pointers.extend(self.starts.iter().map(|start| base.wrapping_add(*start).cast::<c_void>()));
    }

    /// What the driver wants: a pointer to each value of a launch, valid until the next change.
    pub(in crate::cuda) fn pointers(&mut self, of: Range<u32>) -> &mut [*mut c_void] {
        &mut self.pointers[of.start as usize..of.end as usize]
    }

    /// The same for all values.
    pub(in crate::cuda) fn all_pointers(&mut self) -> &mut [*mut c_void] {
        self.point();
        &mut self.pointers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<const N: usize>(arguments: &mut Arguments, index: usize) -> [u8; N] {
        let pointer = arguments.all_pointers()[index];
        // SAFETY: the values below are of `N` bytes.
        unsafe { pointer.cast::<[u8; N]>().read() }
    }

    #[test]
    fn pointers_lead_to_the_values() {
        let mut arguments = Arguments::default();
        arguments.push_word(0x0102_0304_0506_0708);
        arguments.push(&[9, 8, 7]);
        arguments.push(&[1; 17]);
        arguments.push(&[5, 6]);
        assert_eq!(arguments.all_pointers().len(), 4);
        assert_eq!(u64::from_ne_bytes(value(&mut arguments, 0)), 0x0102_0304_0506_0708);
        assert_eq!(value::<3>(&mut arguments, 1), [9, 8, 7]);
        assert_eq!(value::<17>(&mut arguments, 2), [1; 17]);
        assert_eq!(value::<2>(&mut arguments, 3), [5, 6]);
        arguments.clear();
        assert!(arguments.all_pointers().is_empty());
    }

    #[test]
    fn values_and_their_borders_are_compared() {
        let of = |values: &[&[u8]]| {
            let mut arguments = Arguments::default();
            for value in values {
                arguments.push(value);
            }
            arguments
        };
        let mut all = of(&[&[7; 9], &[1, 2], &[0; 16]]);
        assert!(all.ends_with(1, &of(&[&[1, 2], &[0; 16]])) && !all.ends_with(1, &of(&[&[1, 3], &[0; 16]])));
        assert!(!all.ends_with(1, &of(&[&[1, 2], &[0; 8], &[0; 8]])) && all.ends_with(3, &of(&[])));
        all.truncate(3);
        all.truncate(1);
        assert!(all.ends_with(0, &of(&[&[7; 9]])) && all.count() == 1);
    }
}
