//! What every call has in common: the lock, the count, the fault that was asked for, the record.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::CUresult;

use crate::driver::Driver;
use crate::objects::Id;
use crate::report::Call;

static DRIVER: Mutex<Option<Driver>> = Mutex::new(None);

/// A `CUresult` other than success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) u32);

impl Refusal {
    pub(crate) const INVALID_VALUE: Self = Self(CUresult::CUDA_ERROR_INVALID_VALUE as u32);
    pub(crate) const OUT_OF_MEMORY: Self = Self(CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32);
    pub(crate) const NOT_INITIALIZED: Self = Self(CUresult::CUDA_ERROR_NOT_INITIALIZED as u32);
    pub(crate) const INVALID_DEVICE: Self = Self(CUresult::CUDA_ERROR_INVALID_DEVICE as u32);
    pub(crate) const INVALID_CONTEXT: Self = Self(CUresult::CUDA_ERROR_INVALID_CONTEXT as u32);
    pub(crate) const NO_BINARY: Self = Self(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU as u32);
    pub(crate) const INVALID_PTX: Self = Self(CUresult::CUDA_ERROR_INVALID_PTX as u32);
    pub(crate) const INVALID_HANDLE: Self = Self(CUresult::CUDA_ERROR_INVALID_HANDLE as u32);
    pub(crate) const NOT_FOUND: Self = Self(CUresult::CUDA_ERROR_NOT_FOUND as u32);
    pub(crate) const NOT_READY: Self = Self(CUresult::CUDA_ERROR_NOT_READY as u32);
    pub(crate) const NOT_SUPPORTED: Self = Self(CUresult::CUDA_ERROR_NOT_SUPPORTED as u32);
    pub(crate) const ILLEGAL_ADDRESS: Self = Self(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS as u32);
    pub(crate) const COOPERATIVE_LAUNCH_TOO_LARGE: Self =
        Self(CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE as u32);
    pub(crate) const OUT_OF_RESOURCES: Self = Self(CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES as u32);
    pub(crate) const INVALID_CLUSTER_SIZE: Self = Self(CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE as u32);
}

/// The answer of a call.
pub(crate) type Outcome<T = ()> = Result<T, Refusal>;

/// The state, made at the first use.
pub(crate) fn with<R>(work: impl FnOnce(&mut Driver) -> R) -> R {
    let mut driver: MutexGuard<'_, Option<Driver>> = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
    work(driver.get_or_insert_with(Driver::default))
}

/// Runs a call, unless a fault answers it, and records it.
pub(crate) fn answer(function: &'static str, work: impl FnOnce(&mut Driver) -> Outcome<Option<Id>>) -> u32 {
    with(|driver| {
        driver.function = function;
        let injected = driver.take_fault(function);
        let outcome = injected.map_or_else(|| work(driver), |code| Err(Refusal(code)));
        let answer = outcome.map_or_else(|refusal| refusal.0, |_| 0);
        let about = outcome.ok().flatten().map(|id| id.0);
        driver.calls.push(Call { function: function.to_owned(), about, answer, injected: injected.is_some() });
        answer
    })
}

/// Exports a function of the driver. The body is given the state, and gives the handle that the call is about.
macro_rules! export {
    ($symbol:literal, fn $name:ident($driver:ident $(, $argument:ident: $type:ty)*) $body:block) => {
        #[unsafe(export_name = $symbol)]
        extern "C" fn $name($($argument: $type),*) -> u32 {
            $crate::call::answer($symbol, |$driver: &mut $crate::driver::Driver| $body)
        }
    };
}
pub(crate) use export;
