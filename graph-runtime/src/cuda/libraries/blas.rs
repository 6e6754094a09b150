//! cuBLAS: dense products and triangular systems.
#![expect(clippy::many_single_char_names, reason = "the names that BLAS gives them")]

use std::ffi::c_int;
use std::fmt;

use cudarc::cublas::sys;

use super::cublas::{self, ANSWERS, CUBLAS};
use super::handle::Handle;
use super::matrix::{Op, Side, Triangle};
use super::{int, needs};
use crate::call::{CaptureStream, DeviceView, DeviceViewMut};
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;

/// cuBLAS for captured calls: matrices by rows, without gaps, in memory that the call is given.
///
/// It may be opened on any device; on others than CUDA's its calls fail, and the capture's form for the CPU runs.
pub struct Blas(Handle<sys::cublasHandle_t>);

/// cuBLAS in the stream of a capture, with a workspace.
pub struct BlasCall<'b> {
    blas: &'b Blas,
    stream: &'b CaptureStream,
    workspace: DeviceViewMut<'b, u8>,
}

impl Blas {
    /// Opens the library. Open it once and use it in all graphs: a handle takes a while, and memory.
    ///
    /// # Errors
    /// If the library is missing (the text says which names were tried) or does not start.
    pub fn new(device: &Device) -> Result<Self> {
        // SAFETY: the pair is the library's.
        unsafe { Handle::new(device, &CUBLAS, create, destroy) }.map(Self)
    }

    /// A workspace that is enough for every call: 32 MiB; next to nothing where there is no CUDA device.
    ///
    /// Less is allowed, also next to nothing; cuBLAS then has fewer ways to choose from. Calls that share a workspace wait for each
    /// other, so give `n` of them, in turn, to those that should run `n` at a time.
    pub fn workspace_bytes(&self) -> usize {
        if self.0.is_open() { 32 << 20 } else { 256 }
    }

    /// The library in this stream, with this workspace, for one call.
    pub fn on<'b>(&'b self, stream: &'b CaptureStream, workspace: DeviceViewMut<'b, u8>) -> BlasCall<'b> {
        BlasCall { blas: self, stream, workspace }
    }
}

impl BlasCall<'_> {
    /// `C = alpha op(A) op(B) + beta C` for `sizes = [m, n, k]`: `op(A)` is `m` by `k`, `op(B)` is `k` by `n`.
    ///
    /// # Errors
    /// If a matrix has not as many elements as the sizes say, or the library refuses.
    #[expect(clippy::too_many_arguments, reason = "as many as BLAS has")]
    pub fn gemm<T: BlasNumber>(
        self,
        sizes: [usize; 3],
        ops: [Op; 2],
        alpha: T::Scale,
        a: DeviceView<'_, T>,
        b: DeviceView<'_, T>,
        beta: T::Scale,
        mut c: DeviceViewMut<'_, T>,
    ) -> Result<()> {
        self.call(|handle| {
            let [m, n, k] = sizes;
            needs("a", a.len(), m * k)?;
            needs("b", b.len(), k * n)?;
            needs("c", c.len(), m * n)?;
            let width = |op, rows, columns| int(if op == Op::N { columns } else { rows });
            let [lda, ldb] = [width(ops[0], m, k)?, width(ops[1], k, n)?];
            let [m, n, k] = [int(m)?, int(n)?, int(k)?];
            let [alpha, beta] = [(&raw const alpha).cast(), (&raw const beta).cast()];
            let [a, b, c] = [a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast()];
            let (data, compute) = (T::DATA, T::COMPUTE);
            let algorithm = sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT;
            let [op_a, op_b] = ops.map(Op::raw);
            // SAFETY: by columns this is `C' = op(B)' op(A)'`; the matrices have the sizes that are passed.
            let status = unsafe {
                cublas::cublasGemmEx(
                    handle,
                    op_b,
                    op_a,
                    n,
                    m,
                    k,
                    alpha,
                    b,
                    data,
                    ldb,
                    a,
                    data,
                    lda,
                    beta,
                    c.cast_mut(),
                    data,
                    n,
                    compute,
                    algorithm,
                )
            };
            ANSWERS.check(status)
        })
    }

    /// `y = alpha op(A) x + beta y` for an `A` of `sizes = [rows, columns]`.
    ///
    /// # Errors
    /// As for [`BlasCall::gemm`].
    #[expect(clippy::too_many_arguments, reason = "as many as BLAS has")]
    pub fn gemv<T: BlasFloat>(
        self,
        sizes: [usize; 2],
        op: Op,
        alpha: T,
        a: DeviceView<'_, T>,
        x: DeviceView<'_, T>,
        beta: T,
        mut y: DeviceViewMut<'_, T>,
    ) -> Result<()> {
        self.call(|handle| {
            let [rows, columns] = sizes;
            let [wide, high] = if op == Op::N { [columns, rows] } else { [rows, columns] };
            needs("a", a.len(), rows * columns)?;
            needs("x", x.len(), wide)?;
            needs("y", y.len(), high)?;
            let [m, n] = [int(columns)?, int(rows)?];
            let (a, x, y) = (a.as_ptr(), x.as_ptr(), y.as_mut_ptr());
            // SAFETY: by columns the matrix is its transpose, `columns` by `rows`; all have the sizes that are passed.
            let status =
                unsafe { T::GEMV(handle, op.flipped(), m, n, &raw const alpha, a, m, x, 1, &raw const beta, y, 1) };
            ANSWERS.check(status)
        })
    }

    /// Solves `op(A) X = alpha B` or `X op(A) = alpha B` for a triangular `A`; `B`, of `sizes = [rows, columns]`, becomes `X`.
    ///
    /// # Errors
    /// As for [`BlasCall::gemm`].
    #[expect(clippy::too_many_arguments, reason = "as many as BLAS has")]
    pub fn trsm<T: BlasFloat>(
        self,
        sizes: [usize; 2],
        side: Side,
        triangle: Triangle,
        op: Op,
        alpha: T,
        a: DeviceView<'_, T>,
        mut b: DeviceViewMut<'_, T>,
    ) -> Result<()> {
        self.call(|handle| {
            let [rows, columns] = sizes;
            let order = if side == Side::Left { rows } else { columns };
            needs("a", a.len(), order * order)?;
            needs("b", b.len(), rows * columns)?;
            let [m, n, lda] = [int(columns)?, int(rows)?, int(order)?];
            let (side, fill, op) = (side.flipped(), triangle.flipped(), op.raw());
            let (diagonal, a, b) = (sys::cublasDiagType_t::CUBLAS_DIAG_NON_UNIT, a.as_ptr(), b.as_mut_ptr());
            // SAFETY: by columns this is the transposed equation; the matrices have the sizes that are passed.
            let status = unsafe { T::TRSM(handle, side, fill, op, diagonal, m, n, &raw const alpha, a, lda, b, m) };
            ANSWERS.check(status)
        })
    }

    /// One triangle of `C = alpha op(A) op(A)' + beta C` for `sizes = [n, k]`: `op(A)` is `n` by `k`, `C` is `n` by `n`.
    ///
    /// # Errors
    /// As for [`BlasCall::gemm`].
    #[expect(clippy::too_many_arguments, reason = "as many as BLAS has")]
    pub fn syrk<T: BlasFloat>(
        self,
        sizes: [usize; 2],
        triangle: Triangle,
        op: Op,
        alpha: T,
        a: DeviceView<'_, T>,
        beta: T,
        mut c: DeviceViewMut<'_, T>,
    ) -> Result<()> {
        self.call(|handle| {
            let [n, k] = sizes;
            needs("a", a.len(), n * k)?;
            needs("c", c.len(), n * n)?;
            let lda = int(if op == Op::N { k } else { n })?;
            let [n, k] = [int(n)?, int(k)?];
            let (fill, op, a, c) = (triangle.flipped(), op.flipped(), a.as_ptr(), c.as_mut_ptr());
            // SAFETY: by columns both are their transposes; they have the sizes that are passed.
            let status = unsafe { T::SYRK(handle, fill, op, n, k, &raw const alpha, a, lda, &raw const beta, c, n) };
            ANSWERS.check(status)
        })
    }

    fn call(self, put: impl FnOnce(sys::cublasHandle_t) -> Result<(), String>) -> Result<()> {
        let Self { blas, stream, mut workspace } = self;
        blas.0.call(&CUBLAS, stream, |handle| {
            // SAFETY: both are alive, and the handle is used by this call only.
            ANSWERS.check(unsafe { cublas::cublasSetStream_v2(handle, stream.raw().cast()) })?;
            let (address, bytes) = (workspace.as_mut_ptr().cast(), workspace.len());
            // SAFETY: the memory is the call's, and the graph's when it runs.
            let given = unsafe { cublas::cublasSetWorkspace_v2(handle, address, bytes) };
            let done = ANSWERS.check(given).and_then(|()| put(handle));
            // SAFETY: as above; the stream is the capture's no longer. This also gives the workspace up.
            ANSWERS.check(unsafe { cublas::cublasSetStream_v2(handle, std::ptr::null_mut()) })?;
            done
        })
    }
}

fn create() -> Result<sys::cublasHandle_t, String> {
    let mut handle = std::ptr::null_mut();
    // SAFETY: the library is loaded, and `handle` is a valid place.
    ANSWERS.check(unsafe { cublas::cublasCreate_v2(&raw mut handle) })?;
    Ok(handle)
}

/// # Safety
/// As the library's.
unsafe fn destroy(handle: sys::cublasHandle_t) -> Result<(), String> {
    // SAFETY: the caller's promise.
    ANSWERS.check(unsafe { cublas::cublasDestroy_v2(handle) })
}

impl fmt::Debug for Blas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blas(open: {})", self.0.is_open())
    }
}

impl fmt::Debug for BlasCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlasCall({} bytes of workspace)", self.workspace.len())
    }
}

/// What products are made of: `f32`, `f64`, and 16-bit floats, which are multiplied and added up as `f32`.
pub trait BlasNumber: Element + sealed::Number {}

/// What the other calls are made of: `f32` and `f64`.
pub trait BlasFloat: BlasNumber + sealed::Float {}

mod sealed {
    use super::{c_int, sys};

    pub trait Number {
        /// Of the factors `alpha` and `beta`.
        type Scale: Copy;
        const DATA: sys::cudaDataType;
        const COMPUTE: sys::cublasComputeType_t;
    }

    type Handle = sys::cublasHandle_t;
    type Op = sys::cublasOperation_t;
    type Fill = sys::cublasFillMode_t;

    #[expect(clippy::type_complexity, reason = "functions of C")]
    pub trait Float: Sized {
        const GEMV: unsafe fn(
            Handle,
            Op,
            c_int,
            c_int,
            *const Self,
            *const Self,
            c_int,
            *const Self,
            c_int,
            *const Self,
            *mut Self,
            c_int,
        ) -> u32;
        const TRSM: unsafe fn(
            Handle,
            sys::cublasSideMode_t,
            Fill,
            Op,
            sys::cublasDiagType_t,
            c_int,
            c_int,
            *const Self,
            *const Self,
            c_int,
            *mut Self,
            c_int,
        ) -> u32;
        const SYRK: unsafe fn(
            Handle,
            Fill,
            Op,
            c_int,
            c_int,
            *const Self,
            *const Self,
            c_int,
            *const Self,
            *mut Self,
            c_int,
        ) -> u32;
    }
}

macro_rules! numbers {
    ($($name:ty, $scale:ty, $data:ident, $compute:ident;)*) => {
        $(
            impl sealed::Number for $name {
                type Scale = $scale;
                const DATA: sys::cudaDataType = sys::cudaDataType::$data;
                const COMPUTE: sys::cublasComputeType_t = sys::cublasComputeType_t::$compute;
            }

            impl BlasNumber for $name {}
        )*
    };
}

numbers! {
    f32, f32, CUDA_R_32F, CUBLAS_COMPUTE_32F;
    f64, f64, CUDA_R_64F, CUBLAS_COMPUTE_64F;
    half::f16, f32, CUDA_R_16F, CUBLAS_COMPUTE_32F;
    half::bf16, f32, CUDA_R_16BF, CUBLAS_COMPUTE_32F;
}

macro_rules! floats {
    ($($name:ty, $gemv:ident, $trsm:ident, $syrk:ident;)*) => {
        $(
            impl sealed::Float for $name {
                const GEMV: unsafe fn(
                    sys::cublasHandle_t,
                    sys::cublasOperation_t,
                    c_int,
                    c_int,
                    *const Self,
                    *const Self,
                    c_int,
                    *const Self,
                    c_int,
                    *const Self,
                    *mut Self,
                    c_int,
                ) -> u32 = cublas::$gemv;
                const TRSM: unsafe fn(
                    sys::cublasHandle_t,
                    sys::cublasSideMode_t,
                    sys::cublasFillMode_t,
                    sys::cublasOperation_t,
                    sys::cublasDiagType_t,
                    c_int,
                    c_int,
                    *const Self,
                    *const Self,
                    c_int,
                    *mut Self,
                    c_int,
                ) -> u32 = cublas::$trsm;
                const SYRK: unsafe fn(
                    sys::cublasHandle_t,
                    sys::cublasFillMode_t,
                    sys::cublasOperation_t,
                    c_int,
                    c_int,
                    *const Self,
                    *const Self,
                    c_int,
                    *const Self,
                    *mut Self,
                    c_int,
                ) -> u32 = cublas::$syrk;
            }

            impl BlasFloat for $name {}
        )*
    };
}

floats! {
    f32, cublasSgemv_v2, cublasStrsm_v2, cublasSsyrk_v2;
    f64, cublasDgemv_v2, cublasDtrsm_v2, cublasDsyrk_v2;
}
