//! cuBLAS, cuFFT and cuSOLVER: a call that is captured puts one fill of what it writes into its stream. Nothing is computed.

mod blas;
mod fft;
mod solver;

use crate::call::{Outcome, Refusal};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::objects::Id;
use crate::report::Work;

/// A handle of cuBLAS or cuSOLVER, or a plan of cuFFT.
#[derive(Debug, Default)]
pub(crate) struct Handle {
    stream: Id,
    /// Bytes that a call of this plan writes.
    bytes: u64,
}

/// `CUBLAS_STATUS_NOT_INITIALIZED`, `CUSOLVER_STATUS_NOT_INITIALIZED`, `CUFFT_INVALID_PLAN`
const NO_HANDLE: Refusal = Refusal(1);

fn create(driver: &mut Driver) -> Outcome<Id> {
    driver.current()?;
    let id = driver.id();
    driver.libraries.insert(id, Handle::default());
    Ok(id)
}

fn destroy(driver: &mut Driver, handle: Id) -> Outcome<Option<Id>> {
    driver.current()?;
    driver.libraries.remove(&handle).ok_or(NO_HANDLE)?;
    Ok(Some(handle))
}

fn known(driver: &mut Driver, handle: Id) -> Outcome<&mut Handle> {
    driver.libraries.get_mut(&handle).ok_or(NO_HANDLE)
}

fn set_stream(driver: &mut Driver, handle: Id, stream: Id) -> Outcome<Option<Id>> {
    driver.stream(stream)?;
    known(driver, handle)?.stream = stream;
    Ok(Some(handle))
}

/// Puts a call that writes these bytes into its handle's stream.
fn put(driver: &mut Driver, handle: Id, to: u64, bytes: u64) -> Outcome<Option<Id>> {
    driver.current()?;
    let stream = known(driver, handle)?.stream;
    if driver.stream(stream)?.capture.is_some() {
        return crate::calls::captured(driver, stream, Work::Fill { to, bytes });
    }
    driver.put(stream, &Clock::default())?;
    Ok(Some(handle))
}

/// The bytes of `count` elements.
fn bytes(count: i32, size: u64) -> u64 {
    u64::from(count.unsigned_abs()) * size
}
