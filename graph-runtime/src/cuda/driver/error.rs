//! Driver failures: a code, turned into a [`DriverError`] in one place.

use std::ffi::{CStr, c_char};

use cudarc::driver::sys::{self, CUresult};

use super::{help, library};
use crate::error::{DriverError, NodeName};

/// A code other than success. Cheap: what it means is looked up only when it becomes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Failure(pub(super) CUresult);

/// Turns a driver call's answer into a `Result`.
pub(super) fn check(result: CUresult) -> Result<(), Failure> {
    if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(Failure(result)) }
}

impl Failure {
    /// `CUresult` as a number.
    pub(in crate::cuda) fn code(self) -> u32 {
        self.0 as u32
    }

    /// `CUDA_ERROR_INVALID_VALUE`.
    pub(in crate::cuda) fn name(self) -> String {
        format!("{:?}", self.0)
    }

    /// Something is not known, or not what the driver accepts.
    pub(in crate::cuda) fn is_invalid_value(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_INVALID_VALUE
    }

    /// The work is not over yet.
    pub(in crate::cuda) fn is_not_ready(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_NOT_READY
    }

    /// The whole error.
    pub(in crate::cuda) fn describe(self, doing: impl Into<String>, node: Option<NodeName>) -> DriverError {
        let code = self.code();
        DriverError {
            code,
            name: self.name(),
            meaning: self.meaning(),
            doing: doing.into(),
            node,
            help: help::of(code).to_owned(),
        }
    }

    /// The driver's own words.
    fn meaning(self) -> String {
        if !library::present() {
            return "no CUDA driver is loaded".to_owned();
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: `text` is a valid place for a pointer; the function needs no initialised driver.
        let found = unsafe { sys::cuGetErrorString(self.0, &raw mut text) };
        if found != CUresult::CUDA_SUCCESS || text.is_null() {
            return "the driver has no description".to_owned();
        }
        // SAFETY: on success the driver returns a static, NUL-terminated string.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

impl From<cudarc::driver::DriverError> for Failure {
    fn from(error: cudarc::driver::DriverError) -> Self {
        Self(error.0)
    }
}

/// Says what was being done when a driver call failed.
pub(in crate::cuda) trait Doing<T> {
    /// A phrase behind "while": `launching graph Canny`.
    fn doing(self, doing: impl FnOnce() -> String) -> crate::Result<T>;

    /// The same, about a node.
    fn at(self, node: impl FnOnce() -> NodeName, doing: &str) -> crate::Result<T>;
}

impl<T> Doing<T> for Result<T, Failure> {
    fn doing(self, doing: impl FnOnce() -> String) -> crate::Result<T> {
        self.map_err(|failure| failure.describe(doing(), None).into())
    }

    fn at(self, node: impl FnOnce() -> NodeName, doing: &str) -> crate::Result<T> {
        self.map_err(|failure| failure.describe(doing, Some(node())).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_code_name_node_and_help() {
        let node = NodeName { label: "sweep".to_owned(), location: "src/main.rs:14:9".to_owned() };
        let error = Failure(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS).describe("waiting for graph Canny", Some(node));
        assert_eq!(error.code, 700);
        assert_eq!(error.name, "CUDA_ERROR_ILLEGAL_ADDRESS");
        let text = error.to_string();
        assert!(text.contains("while waiting for graph Canny, at node `sweep` (src/main.rs:14:9)"), "{text}");
        assert!(text.contains("run_eager"), "{text}");
    }

    #[test]
    fn success_is_no_failure() {
        assert_eq!(check(CUresult::CUDA_SUCCESS), Ok(()));
        assert_eq!(check(CUresult::CUDA_ERROR_INVALID_VALUE).unwrap_err().code(), 1);
    }
}
