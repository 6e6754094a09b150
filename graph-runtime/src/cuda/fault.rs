//! Faults that kernels record: a record in pinned memory for each graph that has a kernel which may find one, and in device memory a
//! claim on it.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::driver::{self, Context, Failure, Stream};
use super::memory::leaked;
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
    claim: u64,
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
    /// The claim's address; it is made at the first call. The context is current.
    pub(super) fn address(&self, context: Context, stream: &Stream) -> Result<u64, Failure> {
        if let Some(record) = self.record.get() {
            return Ok(record.claim);
        }
        let address = driver::allocate_pinned(size_of::<FaultRecord>())?;
        // SAFETY: the memory is ours, new, and large enough; page-locked memory is aligned to pages.
        unsafe { (address as *mut FaultRecord).write(FaultRecord::default()) };
        let mut record = Pinned { address, claim: 0, context };
        record.claim = driver::allocate(size_of::<Claim>())?;
        let claim = Claim { written: 0, record: address };
        // SAFETY: the claim is ours, new, and as large.
        unsafe { driver::copy_from_host(record.claim, bytemuck::bytes_of(&claim), stream) }?;
        stream.synchronize()?;
        Ok(self.record.get_or_init(|| record).claim)
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

impl Drop for Pinned {
    fn drop(&mut self) {
        let bound = self.context.bind();
        if self.claim != 0 {
            // SAFETY: ours; whoever launches kernels that write it holds it until they are over.
            leaked(bound.and_then(|()| unsafe { driver::free(self.claim) }), "a claim");
        }
        // SAFETY: as above.
        leaked(bound.and_then(|()| unsafe { driver::free_pinned(self.address) }), "pinned memory");
    }
}

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Faults(any: {})", self.any())
    }
}
