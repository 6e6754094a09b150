//! Graphs that the tests run on every device: each pipeline asserts values that come from a closed form or from plain Rust.

pub mod kernels;
pub mod pipelines;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
