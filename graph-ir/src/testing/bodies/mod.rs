//! Random bodies of kernels in the block, and what they compute.
//!
//! [`Case::new`] makes a body of every byte string: equal bytes, the same body; shorter or smaller ones, simpler bodies. Each can be
//! printed as a graph's text ([`Case::text`]), and interpreted ([`Case::interpret`]): by a walk over the tree, in numbers that are
//! wider than those of the body where that is exact.

mod choices;
mod expression;
mod interpret;
mod number;
mod print;
mod statement;

use crate::model::{Compute, Mode, ScalarType};

pub use choices::{Choices, bytes};
pub use number::{Value, is_float, is_signed, width};

/// A body with all that it runs on.
#[derive(Clone, Debug)]
pub struct Case {
    /// The body.
    pub compute: Compute,
    /// Its axes with numbers.
    pub axes: Vec<AxisNumbers>,
    /// The buffers, as they are before.
    pub buffers: Vec<Contents>,
    /// By number of access.
    pub accesses: Vec<Touching>,
    /// The host values, by symbol.
    pub hosts: Vec<Value>,
}

/// An axis with numbers.
#[derive(Clone, Copy, Debug)]
pub struct AxisNumbers {
    /// The first index.
    pub start: u64,
    /// How many indices there are.
    pub count: u64,
    /// The index's type.
    pub scalar: ScalarType,
}

/// A buffer and what lies in it.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Its name.
    pub name: String,
    /// What its elements are stored as.
    pub scalar: ScalarType,
    /// Its length along each dimension.
    pub shape: Vec<u64>,
    /// The elements' bits.
    pub bits: Vec<u64>,
    /// How the graph uses it.
    pub mode: Mode,
}

/// An access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touching {
    /// Of which buffer.
    pub buffer: usize,
    /// How.
    pub mode: Mode,
    /// From where to where along each dimension.
    pub ranges: Vec<(u64, u64)>,
    /// What tells it from others of the same buffer.
    key: String,
}

impl Contents {
    /// How many elements it has.
    pub fn length(&self) -> usize {
        self.shape.iter().product::<u64>() as usize
    }
}

#[cfg(test)]
mod tests;
