//! Passes that leave the meaning as it is.

pub mod reduction;

pub use reduction::{reduce, reduce_all};
