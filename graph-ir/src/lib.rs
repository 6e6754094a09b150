//! The graph model of `cuda_graph!` and every analysis on it.
//!
//! A [`Program`](model::Program) is one graph: buffers, regions, nodes and what each node accesses. The macro builds a *symbolic*
//! program, in which lengths are expressions of the user's; the runtime builds the *concrete* one, in which every
//! [`Extent`](model::Extent) is a number. Both run the same [`rules`], so a fault has the same words wherever it is found.
//!
//! Pure Rust: no tokens, no CUDA. Places in the source are opaque numbers here.

pub mod analysis;
pub mod code;
pub mod concrete;
pub mod export;
pub mod finding;
pub mod model;
pub mod optimize;
pub mod rules;
#[doc(hidden)]
pub mod testing;
