//! CUDA's libraries in captures: calls that are given all their memory, checked, and safe.
//!
//! A call puts its work into the stream of a `capture` and touches nothing but the views that it is given. What the library itself has
//! on the device (a plan's tables) is kept by every graph that the call was captured into.

#[cfg(feature = "cublas")]
mod blas;
#[cfg(feature = "cufft")]
mod fft;
mod find;
mod handle;
#[cfg(feature = "cublas")]
mod matrix;
#[cfg(feature = "cusolver")]
mod solver;

#[cfg(feature = "cublas")]
pub use blas::{Blas, BlasCall, BlasFloat, BlasNumber};
#[cfg(feature = "cufft")]
pub use fft::Fft;
#[cfg(feature = "cublas")]
pub use matrix::{Op, Side, Triangle};
#[cfg(feature = "cusolver")]
pub use solver::Solver;

use std::ffi::c_int;
use std::fmt::Debug;

/// What a library answered, by its name of it.
fn said(status: impl Debug) -> String {
    format!("answers {status:?}")
}

/// A size as the libraries take it.
fn int(size: usize) -> Result<c_int, String> {
    c_int::try_from(size).map_err(|_| format!("cannot be given {size}: its sizes end at {}", c_int::MAX))
}

/// `gemm` needs so many elements of a matrix.
#[cfg(feature = "cublas")]
fn needs(what: &str, found: usize, needed: usize) -> Result<(), String> {
    if found == needed {
        return Ok(());
    }
    Err(format!("is given {found} elements as `{what}`, and its sizes say {needed}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "cublas")]
    #[test]
    fn sizes_are_compared() {
        assert_eq!(needs("a", 12, 12), Ok(()));
        assert_eq!(needs("a", 12, 20).unwrap_err(), "is given 12 elements as `a`, and its sizes say 20");
    }

    #[test]
    fn sizes_fit_or_are_refused() {
        assert_eq!(int(7), Ok(7));
        assert!(int(1 << 31).unwrap_err().contains("2147483648"));
    }
}
