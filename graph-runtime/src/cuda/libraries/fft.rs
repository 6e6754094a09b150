//! cuFFT: complex transforms.

use std::ffi::c_int;
use std::fmt;

use cudarc::cufft::sys;

use super::cufft::{self, ANSWERS, CUFFT};
use super::handle::Handle;
use super::int;
use crate::call::{CaptureStream, DeviceView, DeviceViewMut};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};

const FORWARD: c_int = -1;
const INVERSE: c_int = 1;

/// A plan of cuFFT for captured calls: complex numbers to complex numbers, in memory that the call is given.
///
/// A complex number is its real part followed by its imaginary part: `[f32; 2]`, two `f32`, or any plain type of that size. Neither direction
/// scales: the one after the other multiplies by the number of elements.
///
/// It may be opened on any device; on others than CUDA's its calls fail, and the capture's form for the CPU runs.
pub struct Fft {
    plan: Handle<sys::cufftHandle>,
    double: bool,
    /// Complex numbers in all transforms of a call.
    count: usize,
    workspace: usize,
}

impl Fft {
    /// Transforms of this shape, in one to three dimensions, `batch` of them in a call, one behind the other, in single precision.
    ///
    /// # Errors
    /// If the library is missing (the text says which names were tried) or refuses the shape.
    pub fn single(device: &Device, shape: &[usize], batch: usize) -> Result<Self> {
        Self::new(device, shape, batch, false)
    }

    /// The same in double precision.
    ///
    /// # Errors
    /// As for [`Fft::single`].
    pub fn double(device: &Device, shape: &[usize], batch: usize) -> Result<Self> {
        Self::new(device, shape, batch, true)
    }

    fn new(device: &Device, shape: &[usize], batch: usize, double: bool) -> Result<Self> {
        let count = shape.iter().product::<usize>() * batch;
        // SAFETY: the pair is the library's.
        let plan = unsafe { Handle::new(device, &CUFFT, create, destroy) }?;
        let workspace = plan.ask(|plan| Some(make(plan, shape, batch, double))).transpose();
        let workspace =
            workspace.map_err(|told| Error::Unavailable(format!("cuFFT {told}, as the plan's shape {shape:?}")))?;
        Ok(Self { plan, double, count, workspace: workspace.unwrap_or(0).max(256) })
    }

    /// The workspace that a call needs. Calls that share one wait for each other.
    pub fn workspace_bytes(&self) -> usize {
        self.workspace
    }

    /// `y[k] = Σ x[j] exp(-2πi jk / n)`
    ///
    /// # Errors
    /// If the lengths are not the plan's, or the library refuses.
    pub fn forward<T: Element>(
        &self,
        stream: &CaptureStream,
        x: DeviceView<'_, T>,
        y: DeviceViewMut<'_, T>,
        workspace: DeviceViewMut<'_, u8>,
    ) -> Result<()> {
        self.transform(stream, FORWARD, x, y, workspace)
    }

    /// `y[k] = Σ x[j] exp(2πi jk / n)`
    ///
    /// # Errors
    /// As for [`Fft::forward`].
    pub fn inverse<T: Element>(
        &self,
        stream: &CaptureStream,
        x: DeviceView<'_, T>,
        y: DeviceViewMut<'_, T>,
        workspace: DeviceViewMut<'_, u8>,
    ) -> Result<()> {
        self.transform(stream, INVERSE, x, y, workspace)
    }

    fn transform<T: Element>(
        &self,
        stream: &CaptureStream,
        direction: c_int,
        x: DeviceView<'_, T>,
        mut y: DeviceViewMut<'_, T>,
        mut workspace: DeviceViewMut<'_, u8>,
    ) -> Result<()> {
        self.plan.call(&CUFFT, stream, |plan| {
            let bytes = self.count * if self.double { 16 } else { 8 };
            for (what, length) in [("x", x.len()), ("y", y.len())] {
                if length * size_of::<T>() != bytes {
                    return Err(format!(
                        "is given {} bytes as `{what}`, and its plan says {bytes}",
                        length * size_of::<T>()
                    ));
                }
            }
            if workspace.len() < self.workspace {
                return Err(format!("needs a workspace of {} bytes, and is given {}", self.workspace, workspace.len()));
            }
            // SAFETY: both are alive, and the plan is used by this call only.
            ANSWERS.check(unsafe { cufft::cufftSetStream(plan, stream.raw().cast()) })?;
            // SAFETY: as above; the memory is the call's, and the graph's when it runs.
            ANSWERS.check(unsafe { cufft::cufftSetWorkArea(plan, workspace.as_mut_ptr().cast()) })?;
            let (from, to) = (x.as_ptr().cast_mut(), y.as_mut_ptr());
            // SAFETY: both have the plan's size; a transform from one place to another leaves the first alone.
            let done = unsafe {
                if self.double {
                    cufft::cufftExecZ2Z(plan, from.cast(), to.cast(), direction)
                } else {
                    cufft::cufftExecC2C(plan, from.cast(), to.cast(), direction)
                }
            };
            // SAFETY: as above; the stream is the capture's no longer.
            ANSWERS.check(unsafe { cufft::cufftSetStream(plan, std::ptr::null_mut()) })?;
            ANSWERS.check(done)
        })
    }
}

/// Gives a new plan its shape; returns the workspace that it needs.
fn make(plan: sys::cufftHandle, shape: &[usize], batch: usize, double: bool) -> Result<usize, String> {
    let mut sizes = shape.iter().map(|size| int(*size)).collect::<Result<Vec<c_int>, String>>()?;
    let (rank, batch) = (int(sizes.len())?, int(batch)?);
    let kind = if double { sys::cufftType::CUFFT_Z2Z } else { sys::cufftType::CUFFT_C2C };
    // SAFETY: the plan is new; captured calls are given their memory, so it gets none of its own.
    ANSWERS.check(unsafe { cufft::cufftSetAutoAllocation(plan, 0) })?;
    let (sizes, dense, mut bytes) = (sizes.as_mut_ptr(), std::ptr::null_mut(), 0);
    // SAFETY: the plan is new, and `sizes` has `rank` numbers; without embeddings the elements lie without gaps; `bytes` is a valid place.
    ANSWERS.check(unsafe {
        cufft::cufftMakePlanMany(plan, rank, sizes, dense, 1, 0, dense, 1, 0, kind, batch, &raw mut bytes)
    })?;
    Ok(bytes)
}

fn create() -> Result<sys::cufftHandle, String> {
    let mut plan = 0;
    // SAFETY: the library is loaded, and `plan` is a valid place.
    ANSWERS.check(unsafe { cufft::cufftCreate(&raw mut plan) })?;
    Ok(plan)
}

/// # Safety
/// As the library's.
unsafe fn destroy(plan: sys::cufftHandle) -> Result<(), String> {
    // SAFETY: the caller's promise.
    ANSWERS.check(unsafe { cufft::cufftDestroy(plan) })
}

impl fmt::Debug for Fft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { double, count, .. } = self;
        write!(f, "Fft({count} numbers, double: {double}, open: {})", self.plan.is_open())
    }
}
