//! CUDA's libraries in captures: calls that are given all their memory, checked, and safe.
//!
//! A call puts its work into the stream of a `capture` and touches nothing but the views that it is given. What the library itself has
//! on the device (a plan's tables) is kept by every graph that the call was captured into.

#[cfg(feature = "cublas")]
mod blas;
#[cfg(feature = "cublas")]
mod capture_blas;
#[cfg(feature = "cublas")]
mod cublas;
#[cfg(feature = "cufft")]
mod cufft;
#[cfg(feature = "cusolver")]
mod cusolver;
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
#[cfg(feature = "cublas")]
pub use capture_blas::{BlasOnStream, CaptureBlas};
#[cfg(feature = "cufft")]
pub use fft::Fft;
#[cfg(feature = "cublas")]
pub use matrix::{Op, Side, Triangle};
#[cfg(feature = "cusolver")]
pub use solver::Solver;

use std::ffi::c_int;

/// A library's words for numbers that are no success.
struct Answers(&'static [(u32, &'static str)]);

impl Answers {
    /// What a library answered: by its name of it, or as a number where a newer library has one that nobody knows here (rule R010).
    fn check(&self, answer: u32) -> Result<(), String> {
        let known = self.0.iter().find(|(number, _)| *number == answer);
        match (answer, known) {
            (0, _) => Ok(()),
            (_, Some((_, name))) => Err(format!("answers {name} ({answer})")),
            (_, None) => Err(format!("answers {answer}, which this crate has no name for")),
        }
    }
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

    #[test]
    fn answers_have_their_names_or_are_numbers() {
        let answers = Answers(&[(3, "ALLOC_FAILED")]);
        assert_eq!(answers.check(0), Ok(()));
        assert_eq!(answers.check(3).unwrap_err(), "answers ALLOC_FAILED (3)");
        assert!(answers.check(77).unwrap_err().starts_with("answers 77, "));
    }

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
