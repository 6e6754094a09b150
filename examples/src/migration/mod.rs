//! From stream launches to a block, in steps that each run: damped Jacobi on `2 x[i] - x[i - 1] - x[i + 1] = b[i]` until the squared
//! residual is small.
//!
//! 1. [`streams`]: the program as it was, with cudarc. The host reads the residual back after every pass.
//! 2. [`declared`]: the kernels are declared, each launch is a graph of its own. Wrong arguments no longer compile; nothing is faster.
//! 3. [`pass`]: one pass is one graph, and its temporaries are its own. The host still decides.
//! 4. [`whole`]: the loop moves into the block. One launch, no round trips.
//! 5. [`written`]: the kernels move into the block too, and the kernel file goes.
//!
//! Every step takes and returns the same, so a program can stop at any of them. The tests compare each with the closed form and with
//! the step before it.

pub mod declared;
mod kernels;
pub mod pass;
pub mod streams;
pub mod whole;
pub mod written;

/// What is solved.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The right side.
    pub b: Vec<f32>,
    /// The squared residual that is small enough.
    pub tolerance: f32,
    /// Most passes.
    pub limit: u32,
}

/// What a step returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The unknowns.
    pub x: Vec<f32>,
    /// How many passes it took.
    pub passes: u64,
}
