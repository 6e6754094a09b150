//! The functions of cuSOLVER that are called.

use std::ffi::c_int;
use std::sync::OnceLock;

use cudarc::cusolver::sys::{self, cublasFillMode_t, cudaStream_t, cusolverDnHandle_t};

use super::Answers;
use super::find::Library;
use crate::cuda::table::table;

/// The library.
pub(super) const CUSOLVER: Library = Library { name: "cuSOLVER", file: "cusolver", load: cusolver, missing };

/// Its words for what its functions answer.
pub(super) const ANSWERS: Answers = Answers(&[
    (1, "CUSOLVER_STATUS_NOT_INITIALIZED"),
    (2, "CUSOLVER_STATUS_ALLOC_FAILED"),
    (3, "CUSOLVER_STATUS_INVALID_VALUE"),
    (4, "CUSOLVER_STATUS_ARCH_MISMATCH"),
    (5, "CUSOLVER_STATUS_MAPPING_ERROR"),
    (6, "CUSOLVER_STATUS_EXECUTION_FAILED"),
    (7, "CUSOLVER_STATUS_INTERNAL_ERROR"),
    (8, "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED"),
    (9, "CUSOLVER_STATUS_NOT_SUPPORTED"),
    (10, "CUSOLVER_STATUS_ZERO_PIVOT"),
    (11, "CUSOLVER_STATUS_INVALID_LICENSE"),
    (31, "CUSOLVER_STATUS_INVALID_WORKSPACE"),
]);

/// Never unloaded.
fn cusolver() -> Option<&'static libloading::Library> {
    static LIBRARY: OnceLock<Option<libloading::Library>> = OnceLock::new();
    LIBRARY.get_or_init(|| CUSOLVER.find()).as_ref()
}

table! { cusolver, as sys::cusolverStatus_t;
    cusolverDnCreate(handle: *mut cusolverDnHandle_t);
    cusolverDnDestroy(handle: cusolverDnHandle_t);
    cusolverDnDpotrf(
        handle: cusolverDnHandle_t,
        fill: cublasFillMode_t,
        n: c_int,
        a: *mut f64,
        lda: c_int,
        workspace: *mut f64,
        elements: c_int,
        info: *mut c_int,
    );
    cusolverDnDpotrf_bufferSize(
        handle: cusolverDnHandle_t,
        fill: cublasFillMode_t,
        n: c_int,
        a: *mut f64,
        lda: c_int,
        elements: *mut c_int,
    );
    cusolverDnSetStream(handle: cusolverDnHandle_t, stream: cudaStream_t);
}
