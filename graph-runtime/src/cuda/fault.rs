//! Faults that kernels record: a record in pinned memory for each graph that has a kernel which may find one, and in device memory a
//! claim on it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::device::DeviceState;
use super::driver::{self, Context, Failure};
use super::memory::{DeviceMemory, leaked};
use crate::device::RawMemory;
use crate::error::Error;
use crate::fault::{FaultRecord, Sites};
use crate::plan::SharedPlan;

/// One graph's record, and what its sites are.
#[derive(Default)]
pub(super) struct Faults {
    record: OnceLock<Pinned>,
    known: Mutex<Option<(SharedPlan, Sites)>>,
}

struct Pinned {
    address: u64,
    claim: Option<Box<DeviceMemory>>,
    context: Context,
}

/// What kernels are given the address of.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Claim {
    /// How many faults were written.
    written: u64,
    /// The record's address.
    record: u64,
}

impl Faults {
    /// The claim's address; it is made at the first call.
    pub(super) fn address(&self, device: &Arc<DeviceState>) -> Result<u64, Failure> {
        if let Some(address) = self.record.get().and_then(Pinned::claim) {
            return Ok(address);
        }
        let context = device.context();
        context.bind()?;
        let address = driver::allocate_pinned(size_of::<FaultRecord>())?;
        // SAFETY: the memory is ours, new, and large enough; page-locked memory is aligned to pages.
        unsafe { (address as *mut FaultRecord).write(FaultRecord::default()) };
        let mut record = Pinned { address, claim: None, context };
        let claim = device.allocate_with(bytemuck::bytes_of(&Claim { written: 0, record: address }))?;
        record.claim = Some(Box::new(DeviceMemory::new(Arc::clone(device), claim)));
        Ok(self.record.get_or_init(|| record).claim().unwrap_or(claim))
    }

    /// Says what the sites of launches from here on are.
    pub(super) fn describe(&self, plan: &SharedPlan, sites: &Sites) {
        let known = (!sites.is_empty()).then(|| (SharedPlan::clone(plan), Sites::clone(sites)));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Whether a launch has found something.
    pub(super) fn any(&self) -> bool {
        self.record.get().is_some_and(|record| {
            // SAFETY: the record lives as long as this; devices write whole words.
            unsafe { (record.address as *const u64).read_volatile() != 0 }
        })
    }

    /// The fault, which is forgotten. All launches are over.
    pub(super) fn take(&self) -> Option<Error> {
        let place = self.record.get()?.address as *mut FaultRecord;
        // SAFETY: the record lives as long as this, and no launch writes it now.
        let record = unsafe { place.read_volatile() };
        if record.site == 0 {
            return None;
        }
        // SAFETY: as above.
        unsafe { place.write_volatile(FaultRecord { taken: record.taken + 1, ..FaultRecord::default() }) };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (plan, sites) = known.as_ref()?;
        record.error(plan, sites)
    }
}

impl Pinned {
    fn claim(&self) -> Option<u64> {
        self.claim.as_ref().map(|claim| claim.address())
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Whoever launches kernels that write it holds it until they are over.
        if let Some(claim) = self.claim.take() {
            claim.release(Vec::new());
        }
        // SAFETY: ours, and as above.
        leaked(self.context.bind().and_then(|()| unsafe { driver::free_pinned(self.address) }), "pinned memory");
    }
}

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Faults(any: {})", self.any())
    }
}
