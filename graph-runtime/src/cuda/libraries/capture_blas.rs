//! cuBLAS in a capture.

use std::ops::Deref;

use cudarc::cublas::result::CublasError;
use cudarc::cublas::{CudaBlas, sys};

use super::cublas;
use crate::call::{CaptureStream, DeviceViewMut};

/// A handle of cuBLAS in the stream of a capture, with a workspace of the graph's.
pub trait CaptureBlas {
    /// The handle, with the capture's stream and this workspace until the result is dropped.
    ///
    /// Without a workspace cuBLAS would allocate one, which no graph may hold. 32 MiB are enough for everything on a Hopper device, 4 MiB
    /// on others; `workspace` begins at a multiple of 256 bytes, as every buffer does.
    ///
    /// # Safety
    /// As for [`CaptureStream::cuda_stream`]; and nobody else uses the handle until the result is dropped.
    unsafe fn on<'b>(
        &'b self,
        stream: &CaptureStream,
        workspace: &mut DeviceViewMut<'_, u8>,
    ) -> Result<BlasOnStream<'b>, CublasError>;
}

/// A handle of cuBLAS that works in another stream than its own.
#[derive(Debug)]
pub struct BlasOnStream<'b> {
    blas: &'b CudaBlas,
    before: sys::cudaStream_t,
}

impl CaptureBlas for CudaBlas {
    unsafe fn on<'b>(
        &'b self,
        stream: &CaptureStream,
        workspace: &mut DeviceViewMut<'_, u8>,
    ) -> Result<BlasOnStream<'b>, CublasError> {
        let mut before: sys::cudaStream_t = std::ptr::null_mut();
        // SAFETY: the caller's promise about the stream.
        let stream = unsafe { stream.cuda_stream() }.cu_stream();
        let handle = *self.handle();
        // SAFETY: the handle is alive and nobody else uses it; `before` is a valid place.
        check(unsafe { cublas::cublasGetStream_v2(handle, &raw mut before) })?;
        // SAFETY: both are alive.
        check(unsafe { cublas::cublasSetStream_v2(handle, stream.cast()) })?;
        let on = BlasOnStream { blas: self, before };
        let (address, bytes) = (workspace.as_mut_ptr().cast(), workspace.len());
        // SAFETY: the memory is the call's for its time, and the graph's when it runs.
        check(unsafe { cublas::cublasSetWorkspace_v2(handle, address, bytes) })?;
        Ok(on)
    }
}

impl Deref for BlasOnStream<'_> {
    type Target = CudaBlas;

    fn deref(&self) -> &CudaBlas {
        self.blas
    }
}

impl Drop for BlasOnStream<'_> {
    fn drop(&mut self) {
        // SAFETY: both are alive: the stream was the handle's before. This also gives the workspace up.
        if let Err(error) = check(unsafe { cublas::cublasSetStream_v2(*self.blas.handle(), self.before) }) {
            tracing::warn!("a cuBLAS handle could not be given its stream back: {error}");
        }
    }
}

/// As cudarc has it. A number that its enum lacks, from a newer library, is an internal error there.
fn check(answer: u32) -> Result<(), CublasError> {
    use sys::cublasStatus_t as Status;
    let known = [
        Status::CUBLAS_STATUS_NOT_INITIALIZED,
        Status::CUBLAS_STATUS_ALLOC_FAILED,
        Status::CUBLAS_STATUS_INVALID_VALUE,
        Status::CUBLAS_STATUS_ARCH_MISMATCH,
        Status::CUBLAS_STATUS_MAPPING_ERROR,
        Status::CUBLAS_STATUS_EXECUTION_FAILED,
        Status::CUBLAS_STATUS_NOT_SUPPORTED,
        Status::CUBLAS_STATUS_LICENSE_ERROR,
    ];
    if answer == 0 {
        return Ok(());
    }
    let found = known.into_iter().find(|known| *known as u32 == answer);
    Err(CublasError(found.unwrap_or(Status::CUBLAS_STATUS_INTERNAL_ERROR)))
}
