//! Whether there is a driver, which one, and whether it is new enough.

use std::ffi::c_int;
use std::fmt;
use std::sync::OnceLock;

use super::error::{Failure, check};
use super::{functions, start, symbols};
use crate::error::{Error, Result};

/// A CUDA version as the driver counts: 12030 is 12.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cuda) struct Version(pub(in crate::cuda) u32);

impl Version {
    /// `cuGraphAddNode_v2`.
    pub(in crate::cuda) const NODES: Self = Self(12030);
    /// Conditional nodes that work.
    pub(in crate::cuda) const CONDITIONALS: Self = Self(12040);
    /// SWITCH nodes and empty bodies.
    pub(in crate::cuda) const SWITCH: Self = Self(12080);
    /// IF nodes with two bodies that work (rule R168).
    pub(in crate::cuda) const IF_ELSE: Self = Self(13000);
}

impl Version {
    /// 12 and 3.
    pub(in crate::cuda) fn parts(self) -> (i32, i32) {
        let part = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        (part(self.0 / 1000), part(self.0 % 1000 / 10))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

/// Whether the driver's library can be loaded.
fn present() -> bool {
    symbols::driver().is_some()
}

/// Initialises the driver, once per process unless it fails, and returns its version.
pub(in crate::cuda) fn version() -> Result<Version> {
    static VERSION: OnceLock<Version> = OnceLock::new();
    if let Some(known) = VERSION.get() {
        return Ok(*known);
    }
    initialise().map(|version| *VERSION.get_or_init(|| version)).map_err(Error::Unavailable)
}

/// How many devices the driver sees.
pub(in crate::cuda) fn device_count() -> Result<usize> {
    version()?;
    let mut count: c_int = 0;
    // SAFETY: the driver is initialised and `count` is a valid place.
    check(unsafe { functions::cuDeviceGetCount(&raw mut count) })
        .map_err(|failure| failure.describe("counting CUDA devices", None))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

fn initialise() -> std::result::Result<Version, String> {
    if !present() {
        return Err("no CUDA driver on this machine: libcuda.so (nvcuda.dll) was not found\nhelp: install the NVIDIA driver, or put its \
                    folder into LD_LIBRARY_PATH; `Device::cpu()` runs the same block without it"
            .to_owned());
    }
    symbols::needed_to_start().map_err(|symbol| incomplete(symbol, "starts with"))?;
    let mut version: c_int = 0;
    // SAFETY: `version` is a valid place; this call needs no initialised driver.
    check(unsafe { start::cuDriverGetVersion(&raw mut version) })
        .map_err(|failure| unusable(failure, "asking its version"))?;
    let version = new_enough(Version(version.unsigned_abs()))?;
    symbols::needed().map_err(|symbol| incomplete(symbol, "calls"))?;
    // SAFETY: no arguments but the flags, which must be 0.
    check(unsafe { start::cuInit(0) }).map_err(|failure| unusable(failure, "starting it"))?;
    Ok(version)
}

fn incomplete(symbol: &str, how: &str) -> String {
    format!(
        "the CUDA driver's library lacks `{symbol}`, which this crate {how}\nhelp: install one whole driver, 545 or newer: another library of \
         that name may come first in LD_LIBRARY_PATH; `Device::cpu()` runs the same block without it"
    )
}

fn unusable(failure: Failure, doing: &str) -> String {
    let error = failure.describe(doing, None);
    format!(
        "the CUDA driver is installed but cannot be used: {error}\nhelp: `Device::cpu()` runs the same block without it"
    )
}

fn new_enough(version: Version) -> std::result::Result<Version, String> {
    if version >= Version::NODES {
        return Ok(version);
    }
    Err(format!(
        "the CUDA driver supports CUDA {version}, and graphs need {} or newer\nhelp: update the NVIDIA driver to 545 or newer; \
         `Device::cpu()` runs the same block without it",
        Version::NODES
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_as_people_write_them() {
        assert_eq!(Version(12030).to_string(), "12.3");
        assert_eq!(Version(13000).to_string(), "13.0");
        assert_eq!(Version(11080).to_string(), "11.8");
    }

    #[test]
    fn an_old_driver_is_named_with_both_versions() {
        let text = new_enough(Version(12020)).unwrap_err();
        assert!(
            text.contains("CUDA 12.2") && text.contains("12.3 or newer") && text.contains("Device::cpu()"),
            "{text}"
        );
        assert_eq!(new_enough(Version(12030)), Ok(Version(12030)));
    }

    #[test]
    fn no_driver_is_an_error_not_a_panic() {
        if present() {
            return;
        }
        let Err(Error::Unavailable(text)) = version() else { panic!("expected an error") };
        assert!(text.contains("libcuda.so") && text.contains("Device::cpu()"), "{text}");
        assert!(matches!(device_count(), Err(Error::Unavailable(_))));
    }
}
