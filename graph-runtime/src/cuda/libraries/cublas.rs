//! The functions of cuBLAS that are called.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use cudarc::cublas::sys::{
    self, cublasComputeType_t, cublasDiagType_t, cublasFillMode_t, cublasGemmAlgo_t, cublasHandle_t, cublasOperation_t,
    cublasSideMode_t, cudaDataType, cudaStream_t,
};

use super::Answers;
use super::find::Library;
use crate::cuda::table::table;

/// The library.
pub(super) const CUBLAS: Library = Library { name: "cuBLAS", file: "cublas", load: cublas, missing };

/// Its words for what its functions answer.
pub(super) const ANSWERS: Answers = Answers(&[
    (1, "CUBLAS_STATUS_NOT_INITIALIZED"),
    (3, "CUBLAS_STATUS_ALLOC_FAILED"),
    (7, "CUBLAS_STATUS_INVALID_VALUE"),
    (8, "CUBLAS_STATUS_ARCH_MISMATCH"),
    (11, "CUBLAS_STATUS_MAPPING_ERROR"),
    (13, "CUBLAS_STATUS_EXECUTION_FAILED"),
    (14, "CUBLAS_STATUS_INTERNAL_ERROR"),
    (15, "CUBLAS_STATUS_NOT_SUPPORTED"),
    (16, "CUBLAS_STATUS_LICENSE_ERROR"),
]);

/// Never unloaded.
fn cublas() -> Option<&'static libloading::Library> {
    static LIBRARY: OnceLock<Option<libloading::Library>> = OnceLock::new();
    LIBRARY.get_or_init(|| CUBLAS.find()).as_ref()
}

table! { cublas, as sys::cublasStatus_t;
    cublasCreate_v2(handle: *mut cublasHandle_t);
    cublasDestroy_v2(handle: cublasHandle_t);
    cublasDgemv_v2(
        handle: cublasHandle_t,
        op: cublasOperation_t,
        m: c_int,
        n: c_int,
        alpha: *const f64,
        a: *const f64,
        lda: c_int,
        x: *const f64,
        x_step: c_int,
        beta: *const f64,
        y: *mut f64,
        y_step: c_int,
    );
    cublasDsyrk_v2(
        handle: cublasHandle_t,
        fill: cublasFillMode_t,
        op: cublasOperation_t,
        n: c_int,
        k: c_int,
        alpha: *const f64,
        a: *const f64,
        lda: c_int,
        beta: *const f64,
        c: *mut f64,
        ldc: c_int,
    );
    cublasDtrsm_v2(
        handle: cublasHandle_t,
        side: cublasSideMode_t,
        fill: cublasFillMode_t,
        op: cublasOperation_t,
        diagonal: cublasDiagType_t,
        m: c_int,
        n: c_int,
        alpha: *const f64,
        a: *const f64,
        lda: c_int,
        b: *mut f64,
        ldb: c_int,
    );
    cublasGemmEx(
        handle: cublasHandle_t,
        op_a: cublasOperation_t,
        op_b: cublasOperation_t,
        m: c_int,
        n: c_int,
        k: c_int,
        alpha: *const c_void,
        a: *const c_void,
        a_type: cudaDataType,
        lda: c_int,
        b: *const c_void,
        b_type: cudaDataType,
        ldb: c_int,
        beta: *const c_void,
        c: *mut c_void,
        c_type: cudaDataType,
        ldc: c_int,
        compute: cublasComputeType_t,
        algorithm: cublasGemmAlgo_t,
    );
    cublasGetStream_v2(handle: cublasHandle_t, stream: *mut cudaStream_t);
    cublasSetStream_v2(handle: cublasHandle_t, stream: cudaStream_t);
    cublasSetWorkspace_v2(handle: cublasHandle_t, workspace: *mut c_void, bytes: usize);
    cublasSgemv_v2(
        handle: cublasHandle_t,
        op: cublasOperation_t,
        m: c_int,
        n: c_int,
        alpha: *const f32,
        a: *const f32,
        lda: c_int,
        x: *const f32,
        x_step: c_int,
        beta: *const f32,
        y: *mut f32,
        y_step: c_int,
    );
    cublasSsyrk_v2(
        handle: cublasHandle_t,
        fill: cublasFillMode_t,
        op: cublasOperation_t,
        n: c_int,
        k: c_int,
        alpha: *const f32,
        a: *const f32,
        lda: c_int,
        beta: *const f32,
        c: *mut f32,
        ldc: c_int,
    );
    cublasStrsm_v2(
        handle: cublasHandle_t,
        side: cublasSideMode_t,
        fill: cublasFillMode_t,
        op: cublasOperation_t,
        diagonal: cublasDiagType_t,
        m: c_int,
        n: c_int,
        alpha: *const f32,
        a: *const f32,
        lda: c_int,
        b: *mut f32,
        ldb: c_int,
    );
}
