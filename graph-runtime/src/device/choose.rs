//! `Device::best()`.

use super::Device;
use crate::error::{Error, Result};

const VARIABLE: &str = "CUDA_GRAPH_DEVICE";

pub(super) fn best() -> Result<Device> {
    match std::env::var(VARIABLE) {
        Ok(text) => named(text.trim()),
        Err(std::env::VarError::NotPresent) => Ok(Device::cuda(0).unwrap_or_else(|error| {
            tracing::info!(device = "cpu", %error, "no CUDA device can be used");
            Device::cpu()
        })),
        Err(error) => Err(Error::Unavailable(format!("the environment variable {VARIABLE} cannot be read: {error}"))),
    }
}

fn named(text: &str) -> Result<Device> {
    if text == "cpu" {
        return Ok(Device::cpu());
    }
    if text == "dry" {
        return Ok(Device::dry());
    }
    let ordinal = text.strip_prefix("cuda:").and_then(|ordinal| ordinal.parse().ok());
    let unknown =
        || Error::Unavailable(format!("{VARIABLE}={text} names no device: expected `cpu`, `cuda:N` or `dry`"));
    Device::cuda(ordinal.ok_or_else(unknown)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceKind;

    #[test]
    fn the_variable_names_a_device_or_the_error_lists_the_forms() {
        assert_eq!(named("cpu").unwrap().kind(), DeviceKind::Cpu);
        assert_eq!(named("dry").unwrap().kind(), DeviceKind::Dry);
        for text in ["", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1"] {
            let error = named(text).unwrap_err().to_string();
            assert!(error.ends_with("expected `cpu`, `cuda:N` or `dry`"), "{text}: {error}");
        }
    }
}
