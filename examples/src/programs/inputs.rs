//! Inputs that the reference scripts make too, and the outputs that they found.

use std::collections::BTreeMap;

use super::Result;

/// `count` numbers in -0.5 .. 0.5, the same as `uniform` in `references/programs/inputs.py`: the upper 24 bits of `SplitMix64`.
pub fn uniform(seed: u64, count: usize) -> Vec<f32> {
    (0..count).map(|index| uniform_at(seed, index)).collect()
}

/// The one with this index.
#[expect(clippy::cast_precision_loss, reason = "24 bits fit into an f32")]
pub fn uniform_at(seed: u64, index: usize) -> f32 {
    (mix((seed << 32).wrapping_add(index as u64)) >> 40) as f32 / 16_777_216.0 - 0.5
}

/// `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a script found: lists of numbers by name.
pub struct Reference(BTreeMap<String, Vec<f64>>);

impl Reference {
    /// From the script's JSON.
    ///
    /// # Errors
    /// If it is no object of lists of numbers.
    pub fn parse(json: &str) -> Result<Self> {
        Ok(Self(serde_json::from_str(json)?))
    }

    /// The list with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn get(&self, name: &str) -> Result<&[f64]> {
        Ok(self.0.get(name).ok_or_else(|| format!("the reference has no `{name}`"))?)
    }
}
