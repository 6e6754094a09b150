//! Device memory that somebody else allocated.

use std::any::Any;
use std::sync::Arc;

use super::device::DeviceState;
use super::driver::{Doing, PointerFacts, pointer_facts};
use crate::buffer::Keeper;
use crate::device::{RawMemory, Use};
use crate::error::{Error, Result};

/// Somebody else's memory, with what keeps it alive.
#[derive(Debug)]
pub(super) struct KeptMemory {
    device: Arc<DeviceState>,
    address: u64,
    keeper: Keeper,
}

/// The memory, if the driver says that it is this device's and large enough.
pub(super) fn adopt(device: &Arc<DeviceState>, address: u64, bytes: usize, keeper: Keeper) -> Result<KeptMemory> {
    let facts = device.context().bind().and_then(|()| pointer_facts(address));
    let facts = facts.doing(|| format!("looking for {bytes} bytes at {address:#x} on {}", device.name()))?;
    fits(facts, device.ordinal(), address, bytes as u64).map_err(Error::Buffer)?;
    Ok(KeptMemory { device: Arc::clone(device), address, keeper })
}

fn fits(facts: PointerFacts, ordinal: usize, address: u64, bytes: u64) -> Result<(), String> {
    if !facts.on_device {
        return Err(format!(
            "{address:#x} is an address of the host\nhelp: copy the data into a `PinnedBuffer`, or pass the address of device memory"
        ));
    }
    if usize::try_from(facts.ordinal) != Ok(ordinal) {
        return Err(format!("{address:#x} is memory of CUDA device {}, not of device {ordinal}", facts.ordinal));
    }
    if let Some((start, size)) = facts.range {
        let left = start.saturating_add(size).saturating_sub(address);
        if address < start || bytes > left {
            return Err(format!("there are {left} bytes from {address:#x} to the end of the allocation, not {bytes}"));
        }
    }
    Ok(())
}

impl RawMemory for KeptMemory {
    fn address(&self) -> u64 {
        self.address
    }

    fn release(self: Box<Self>, pending: Vec<Use>) {
        let Self { device, keeper, .. } = *self;
        device.defer(pending, Box::new(move |_| drop(keeper)));
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_knows_is_checked() {
        let facts = PointerFacts { on_device: true, ordinal: 1, range: Some((0x1000, 64)) };
        assert_eq!(fits(facts, 1, 0x1000, 64), Ok(()));
        assert_eq!(fits(facts, 1, 0x1020, 32), Ok(()));
        assert_eq!(
            fits(facts, 1, 0x1020, 33).unwrap_err(),
            "there are 32 bytes from 0x1020 to the end of the allocation, not 33"
        );
        assert_eq!(fits(facts, 0, 0x1000, 4).unwrap_err(), "0x1000 is memory of CUDA device 1, not of device 0");
        let host = PointerFacts { on_device: false, ..facts };
        assert!(fits(host, 1, 0x1000, 4).unwrap_err().starts_with("0x1000 is an address of the host\n"));
        let unknown = PointerFacts { range: None, ..facts };
        assert_eq!(fits(unknown, 1, 0x1000, 1 << 40), Ok(()));
    }
}
