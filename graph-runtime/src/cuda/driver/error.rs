//! Driver failures: a code, turned into a [`DriverError`] in one place.

use std::ffi::{CStr, c_char};

use super::{help, start};
use crate::error::{DriverError, NodeName};

/// A `CUresult` other than success, as a number: a newer driver answers some that no enum of the bindings has (rule R010). Cheap: what it
/// means is looked up only when it becomes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Failure(u32);

/// Turns a driver call's answer into a `Result`.
pub(super) fn check(answer: u32) -> Result<(), Failure> {
    if answer == SUCCESS { Ok(()) } else { Err(Failure(answer)) }
}

const SUCCESS: u32 = 0;

impl Failure {
    /// Something is not known, or not what the driver accepts.
    const INVALID_VALUE: Self = Self(1);
    /// There is nothing of that name.
    pub(super) const NOT_FOUND: Self = Self(500);
    /// The work is not over yet.
    const NOT_READY: Self = Self(600);

    /// `CUresult` as a number.
    pub(in crate::cuda) fn code(self) -> u32 {
        self.0
    }

    /// `CUDA_ERROR_INVALID_VALUE`, as the driver calls it.
    pub(in crate::cuda) fn name(self) -> String {
        self.known_name().unwrap_or_else(|| "unknown CUDA error".to_owned())
    }

    fn known_name(self) -> Option<String> {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: `text` is a valid place for a pointer; the function needs no initialised driver.
        said(unsafe { start::cuGetErrorName(self.0, &raw mut text) }, text)
    }

    /// Something is not known, or not what the driver accepts.
    pub(in crate::cuda) fn is_invalid_value(self) -> bool {
        self == Self::INVALID_VALUE
    }

    /// The work is not over yet.
    pub(in crate::cuda) fn is_not_ready(self) -> bool {
        self == Self::NOT_READY
    }

    /// The whole error.
    pub(in crate::cuda) fn describe(self, doing: impl Into<String>, node: Option<NodeName>) -> DriverError {
        let (code, known) = (self.code(), self.known_name());
        let help = if known.is_some() { help::of(code) } else { help::UNKNOWN };
        DriverError {
            code,
            name: self.name(),
            meaning: self.meaning(),
            doing: doing.into(),
            node,
            notes: Vec::new(),
            help: help.to_owned(),
        }
    }

    /// The driver's own words.
    fn meaning(self) -> String {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: `text` is a valid place for a pointer; the function needs no initialised driver.
        let answer = unsafe { start::cuGetErrorString(self.0, &raw mut text) };
        said(answer, text).unwrap_or_else(|| "the driver has no words for it".to_owned())
    }
}

/// What the driver has said about a code.
fn said(answer: u32, text: *const c_char) -> Option<String> {
    if answer != SUCCESS || text.is_null() {
        return None;
    }
    // SAFETY: on success the driver returns a static, NUL-terminated string.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

impl From<cudarc::driver::DriverError> for Failure {
    fn from(error: cudarc::driver::DriverError) -> Self {
        Self(error.0 as u32)
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
        let error = Failure(700).describe("waiting for graph Canny", Some(node));
        let text = error.to_string();
        assert!(text.contains(" (700): "), "{text}");
        assert!(text.contains("while waiting for graph Canny, at node `sweep` (src/main.rs:14:9)"), "{text}");
        assert!(text.contains("\nhelp: "), "{text}");
    }

    #[test]
    fn success_is_no_failure() {
        assert_eq!(check(0), Ok(()));
        assert_eq!(check(1).unwrap_err().code(), 1);
        assert_eq!(check(u32::MAX).unwrap_err().code(), u32::MAX);
    }
}
