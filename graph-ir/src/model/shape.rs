//! The dimensions of a buffer.

use serde::{Deserialize, Serialize};

use super::Extent;

/// One to three sizes, the outermost first; elements along the last lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    rank: u8,
    /// Unused ones are zero.
    sizes: [Extent; Self::MAX_RANK],
}

impl From<Extent> for Shape {
    fn from(length: Extent) -> Self {
        Self::new(&[length])
    }
}

impl Shape {
    /// The most dimensions that a buffer can have.
    pub const MAX_RANK: usize = 3;

    /// A shape of one to three dimensions, the outermost first; further ones are dropped.
    pub fn new(sizes: &[Extent]) -> Self {
        let rank = sizes.len().clamp(1, Self::MAX_RANK);
        let mut all = [Extent::ZERO; Self::MAX_RANK];
        all.iter_mut().zip(sizes).for_each(|(into, size)| *into = *size);
        Self { rank: rank as u8, sizes: all }
    }

    /// The size of each dimension, the outermost first.
    pub fn sizes(&self) -> &[Extent] {
        &self.sizes[..usize::from(self.rank).min(Self::MAX_RANK)]
    }

    /// The same, to change them.
    pub fn sizes_mut(&mut self) -> &mut [Extent] {
        &mut self.sizes[..usize::from(self.rank).min(Self::MAX_RANK)]
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes().len()
    }

    /// The number of elements, if there is one dimension.
    pub fn line(&self) -> Option<Extent> {
        match self.sizes() {
            [length] => Some(*length),
            _ => None,
        }
    }

    /// The number of elements, if it is known. More than can be counted are the largest number.
    pub fn elements(&self) -> Option<u64> {
        self.sizes().iter().try_fold(1_u64, |product, size| Some(product.saturating_mul(size.known()?)))
    }
}
