//! The functions of cuFFT that are called.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use cudarc::cufft::sys::{self, cudaStream_t, cufftComplex, cufftDoubleComplex, cufftHandle, cufftType};

use super::Answers;
use super::find::Library;
use crate::cuda::table::table;

/// The library.
pub(super) const CUFFT: Library = Library { name: "cuFFT", file: "cufft", load: cufft, missing };

/// Its words for what its functions answer.
pub(super) const ANSWERS: Answers = Answers(&[
    (1, "CUFFT_INVALID_PLAN"),
    (2, "CUFFT_ALLOC_FAILED"),
    (3, "CUFFT_INVALID_TYPE"),
    (4, "CUFFT_INVALID_VALUE"),
    (5, "CUFFT_INTERNAL_ERROR"),
    (6, "CUFFT_EXEC_FAILED"),
    (7, "CUFFT_SETUP_FAILED"),
    (8, "CUFFT_INVALID_SIZE"),
    (9, "CUFFT_UNALIGNED_DATA"),
    (10, "CUFFT_INCOMPLETE_PARAMETER_LIST"),
    (11, "CUFFT_INVALID_DEVICE"),
    (12, "CUFFT_PARSE_ERROR"),
    (13, "CUFFT_NO_WORKSPACE"),
    (14, "CUFFT_NOT_IMPLEMENTED"),
    (15, "CUFFT_LICENSE_ERROR"),
    (16, "CUFFT_NOT_SUPPORTED"),
    (17, "CUFFT_MISSING_DEPENDENCY"),
    (18, "CUFFT_NVRTC_FAILURE"),
    (19, "CUFFT_NVJITLINK_FAILURE"),
    (20, "CUFFT_NVSHMEM_FAILURE"),
]);

/// Never unloaded.
fn cufft() -> Option<&'static libloading::Library> {
    static LIBRARY: OnceLock<Option<libloading::Library>> = OnceLock::new();
    LIBRARY.get_or_init(|| CUFFT.find()).as_ref()
}

table! { cufft, as sys::cufftResult;
    cufftCreate(plan: *mut cufftHandle);
    cufftDestroy(plan: cufftHandle);
    cufftExecC2C(plan: cufftHandle, from: *mut cufftComplex, to: *mut cufftComplex, direction: c_int);
    cufftExecZ2Z(plan: cufftHandle, from: *mut cufftDoubleComplex, to: *mut cufftDoubleComplex, direction: c_int);
    cufftMakePlanMany(
        plan: cufftHandle,
        rank: c_int,
        sizes: *mut c_int,
        from_embedding: *mut c_int,
        from_step: c_int,
        from_distance: c_int,
        to_embedding: *mut c_int,
        to_step: c_int,
        to_distance: c_int,
        kind: cufftType,
        batch: c_int,
        bytes: *mut usize,
    );
    cufftSetAutoAllocation(plan: cufftHandle, allocates: c_int);
    cufftSetStream(plan: cufftHandle, stream: cudaStream_t);
    cufftSetWorkArea(plan: cufftHandle, workspace: *mut c_void);
}
