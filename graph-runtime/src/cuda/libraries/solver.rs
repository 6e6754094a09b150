//! cuSOLVER: Cholesky's factorisation.

use std::ffi::c_int;
use std::fmt;

use cudarc::cublas::sys::cublasFillMode_t as BlasFill;
use cudarc::cusolver::sys;

use super::cusolver::{self, ANSWERS, CUSOLVER};
use super::handle::Handle;
use super::matrix::Triangle;
use super::{int, needs};
use crate::call::{CaptureStream, DeviceViewMut};
use crate::device::Device;
use crate::error::Result;

/// cuSOLVER for captured calls: matrices by rows, without gaps, in memory that the call is given.
///
/// It may be opened on any device; on others than CUDA's its calls fail, and the capture's form for the CPU runs.
pub struct Solver(Handle<sys::cusolverDnHandle_t>);

impl Solver {
    /// Opens the library. Open it once and use it in all graphs.
    ///
    /// # Errors
    /// If the library is missing (the text says which names were tried) or does not start.
    pub fn new(device: &Device) -> Result<Self> {
        // SAFETY: the pair is the library's.
        unsafe { Handle::new(device, &CUSOLVER, create, destroy) }.map(Self)
    }

    /// The workspace of [`Solver::potrf`] for a matrix of this order; next to nothing where there is no CUDA device or the library refuses
    /// the order, as the call will then too.
    pub fn potrf_bytes(&self, order: usize) -> usize {
        let elements = self.0.ask(|handle| elements(handle, BlasFill::CUBLAS_FILL_MODE_UPPER, order).ok());
        elements.and_then(|elements| usize::try_from(elements).ok()).map_or(256, |elements| (elements * 8).max(256))
    }

    /// Factorises a symmetric positive definite matrix, `A = L L'` or `A = U' U`, of which one triangle is read and replaced. `info` becomes
    /// 0, or `i` if the leading minor of order `i` is not positive.
    ///
    /// # Errors
    /// If the lengths do not fit, or the library refuses.
    pub fn potrf(
        &self,
        stream: &CaptureStream,
        order: usize,
        triangle: Triangle,
        mut a: DeviceViewMut<'_, f64>,
        mut workspace: DeviceViewMut<'_, u8>,
        mut info: DeviceViewMut<'_, i32>,
    ) -> Result<()> {
        self.0.call(&CUSOLVER, stream, |handle| {
            needs("a", a.len(), order * order)?;
            needs("info", info.len(), 1)?;
            let fill = triangle.flipped();
            let length = elements(handle, fill, order)?;
            let (bytes, needed) = (workspace.len(), 8 * usize::try_from(length).unwrap_or(0));
            if bytes < needed {
                return Err(format!("needs a workspace of {needed} bytes, and is given {bytes}"));
            }
            // SAFETY: both are alive, and the handle is used by this call only.
            ANSWERS.check(unsafe { cusolver::cusolverDnSetStream(handle, stream.raw().cast()) })?;
            let (a, workspace, info) = (a.as_mut_ptr(), workspace.as_mut_ptr().cast(), info.as_mut_ptr());
            let order = int(order)?;
            // SAFETY: the matrix and the workspace have the sizes that are passed; by columns the triangle is the other one.
            let done =
                unsafe { cusolver::cusolverDnDpotrf(handle, fill_of(fill), order, a, order, workspace, length, info) };
            // SAFETY: as above; the stream is the capture's no longer.
            ANSWERS.check(unsafe { cusolver::cusolverDnSetStream(handle, std::ptr::null_mut()) })?;
            ANSWERS.check(done)
        })
    }
}

/// How many elements of workspace a factorisation takes.
fn elements(handle: sys::cusolverDnHandle_t, fill: BlasFill, order: usize) -> Result<c_int, String> {
    let (order, mut length) = (int(order)?, 0);
    let matrix = std::ptr::null_mut();
    // SAFETY: the handle is alive; the matrix is not looked at.
    let asked =
        unsafe { cusolver::cusolverDnDpotrf_bufferSize(handle, fill_of(fill), order, matrix, order, &raw mut length) };
    ANSWERS.check(asked)?;
    Ok(length)
}

fn create() -> Result<sys::cusolverDnHandle_t, String> {
    let mut handle = std::ptr::null_mut();
    // SAFETY: the library is loaded, and `handle` is a valid place.
    ANSWERS.check(unsafe { cusolver::cusolverDnCreate(&raw mut handle) })?;
    Ok(handle)
}

/// # Safety
/// As the library's.
unsafe fn destroy(handle: sys::cusolverDnHandle_t) -> Result<(), String> {
    // SAFETY: the caller's promise.
    ANSWERS.check(unsafe { cusolver::cusolverDnDestroy(handle) })
}

/// The same in this library's bindings.
fn fill_of(fill: BlasFill) -> sys::cublasFillMode_t {
    match fill {
        BlasFill::CUBLAS_FILL_MODE_LOWER => sys::cublasFillMode_t::CUBLAS_FILL_MODE_LOWER,
        BlasFill::CUBLAS_FILL_MODE_UPPER => sys::cublasFillMode_t::CUBLAS_FILL_MODE_UPPER,
        BlasFill::CUBLAS_FILL_MODE_FULL => sys::cublasFillMode_t::CUBLAS_FILL_MODE_FULL,
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solver(open: {})", self.0.is_open())
    }
}
