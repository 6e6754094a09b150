//! Errors: every one names what was being done, to what, and what to do about it.

mod driver;
mod refusal;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::debug::{Differs, Unlike};
pub use driver::DriverError;
pub(crate) use driver::size_text;
pub use refusal::{NodeName, Refusal};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. `{:?}` is the text too: that is what `unwrap` prints, and a `main` that returns it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rules refuse the graph with these lengths and values, before anything was launched.
    #[error("{0}")]
    Refused(Refusal),
    /// The CUDA driver refused or failed.
    #[error("{0}")]
    Driver(Box<DriverError>),
    /// The CUDA driver, a device or a compiler is missing or too old; the text says which and what to do.
    #[error("{0}")]
    Unavailable(String),
    /// A kernel file does not compile or does not load; the text has the compiler's log and the file's path.
    #[error("{0}")]
    Module(String),
    /// An operation on a buffer that its length, its device or its binding does not allow.
    #[error("{0}")]
    Buffer(String),
    /// A closure of `host` or `capture` failed, or what it captured is not allowed where it stands; the text names the node.
    #[error("{0}")]
    Call(String),
    /// A CPU body, a closure or a host expression of the user's panicked; the text names the node.
    #[error("{0}")]
    Panicked(String),
    /// The device has found something wrong while it ran: an index out of bounds. The text names what, the node and its place.
    #[error("{0}")]
    Fault(String),
    /// A checked run has found a node that does something else than its statement says.
    #[error("{0}")]
    Differs(Box<Differs>),
    /// Old code and a graph have left different results in the graph's buffers.
    #[error("{0}")]
    Unlike(Box<Unlike>),
    /// A graph that cannot be tuned, or what was tuned does not belong to it; the text says why.
    #[error("{0}")]
    Tuning(String),
    /// A label that names no loop, or none that is part of the graph.
    #[error("{0}")]
    Label(String),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a panic said. What was thrown is the user's, and so is its destructor: one that panics too is leaked.
pub(crate) fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned();
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(another);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_that_returns_an_error_prints_its_lines() {
        let error = Error::Unavailable("no driver\nhelp: install one".to_owned());
        assert_eq!(format!("{error:?}"), "no driver\nhelp: install one");
        assert_eq!(format!("{:?}", Box::<dyn std::error::Error>::from(error)), "no driver\nhelp: install one");
    }
}
