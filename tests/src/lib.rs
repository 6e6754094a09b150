//! Graphs that the tests run on every device: each pipeline asserts values that come from a closed form or from plain Rust.
#![allow(
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::cast_possible_wrap,
    clippy::many_single_char_names,
    reason = "asserting is what these pipelines are for, on small numbers, in the letters of their formulas"
)]

pub mod again;
pub mod bodies;
pub mod chains;
pub mod dense;
pub mod edges;
pub mod kernels;
pub mod launcher;
pub mod library;
pub mod moves;
pub mod pipelines;
pub mod repeated;
pub mod run;
pub mod sanitizer;
pub mod stand_in;
pub mod told;
pub mod watched;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

#[cfg(doctest)]
mod reference {
    include!(concat!(env!("OUT_DIR"), "/reference.rs"));
}

#[cfg(doctest)]
mod guide {
    include!(concat!(env!("OUT_DIR"), "/guide.rs"));
}
