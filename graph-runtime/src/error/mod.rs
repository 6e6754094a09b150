//! Errors: every one names what was being done, to what, and what to do about it.

mod driver;
mod refusal;

pub use driver::DriverError;
pub use refusal::{NodeName, Refusal};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
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
    /// A CPU body or a host expression of the user's panicked; the text names the node.
    #[error("{0}")]
    Panicked(String),
    /// A label that names no loop, or none that is part of the graph.
    #[error("{0}")]
    Label(String),
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
