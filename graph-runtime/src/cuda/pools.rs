//! Whether buffers come from the driver's memory pool.

use std::ffi::OsStr;

use crate::error::{Error, Result};

/// What `CUDA_GRAPH_POOLS` says; from the pool if it is not set.
pub(super) fn wanted(variable: Option<&OsStr>) -> Result<bool> {
    match variable.map(OsStr::to_string_lossy).as_deref() {
        None | Some("" | "on") => Ok(true),
        Some("off") => Ok(false),
        Some(other) => Err(Error::Unavailable(format!(
            "CUDA_GRAPH_POOLS is `{other}`, and only `on` and `off` mean something\nhelp: `off` takes buffers one by one from the \
             driver, for compute-sanitizer; leave it unset otherwise"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_used_unless_somebody_says_off() {
        let says = |text: &str| wanted(Some(OsStr::new(text))).ok();
        assert_eq!(wanted(None).ok(), Some(true));
        assert_eq!([says(""), says("on"), says("off")], [Some(true), Some(true), Some(false)]);
        assert_eq!([says("0"), says("OFF")], [None, None]);
    }
}
