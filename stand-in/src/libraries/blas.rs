//! cuBLAS.

use std::ffi::{c_int, c_uint};

use super::{bytes, create, destroy, known, put, set_stream};
use crate::call::export;
use crate::ffi::Out;
use crate::objects::Id;

/// `cudaDataType`: what takes two bytes, and what takes eight.
const HALVES: [c_uint; 2] = [2, 14];
const DOUBLE: c_uint = 1;

export!("cublasCreate_v2", fn open(driver, handle: Out<Id>) {
    let id = create(driver)?;
    handle.put(id)?;
    Ok(Some(id))
});

export!("cublasDestroy_v2", fn close(driver, handle: Id) {
    destroy(driver, handle)
});

export!("cublasSetStream_v2", fn stream(driver, handle: Id, stream: Id) {
    set_stream(driver, handle, stream)
});

export!("cublasGetStream_v2", fn which_stream(driver, handle: Id, stream: Out<Id>) {
    let of = known(driver, handle)?.stream;
    stream.put(of)?;
    Ok(Some(handle))
});

export!("cublasSetWorkspace_v2", fn workspace(driver, handle: Id, _workspace: u64, _bytes: usize) {
    known(driver, handle)?;
    Ok(Some(handle))
});

export!("cublasGemmEx", fn gemm(driver, handle: Id, _op_a: c_uint, _op_b: c_uint, m: c_int, n: c_int, _k: c_int, _alpha: u64, _a: u64, _a_type: c_uint, _lda: c_int, _b: u64, _b_type: c_uint, _ldb: c_int, _beta: u64, c: u64, c_type: c_uint, _ldc: c_int, _compute: c_uint, _algorithm: c_int) {
    let size = if HALVES.contains(&c_type) { 2 } else if c_type == DOUBLE { 8 } else { 4 };
    put(driver, handle, c, bytes(m * n, size))
});

/// The other calls, in single and in double precision.
macro_rules! both {
    ($(($gemv:literal, $gemv_name:ident), ($trsm:literal, $trsm_name:ident), ($syrk:literal, $syrk_name:ident), $size:literal;)*) => {$(
        export!($gemv, fn $gemv_name(driver, handle: Id, op: c_uint, m: c_int, n: c_int, _alpha: u64, _a: u64, _lda: c_int, _x: u64, _x_step: c_int, _beta: u64, y: u64, _y_step: c_int) {
            put(driver, handle, y, bytes(if op == 0 { m } else { n }, $size))
        });

        export!($trsm, fn $trsm_name(driver, handle: Id, _side: c_uint, _fill: c_uint, _op: c_uint, _diagonal: c_uint, m: c_int, n: c_int, _alpha: u64, _a: u64, _lda: c_int, b: u64, _ldb: c_int) {
            put(driver, handle, b, bytes(m * n, $size))
        });

        export!($syrk, fn $syrk_name(driver, handle: Id, _fill: c_uint, _op: c_uint, n: c_int, _k: c_int, _alpha: u64, _a: u64, _lda: c_int, _beta: u64, c: u64, _ldc: c_int) {
            put(driver, handle, c, bytes(n * n, $size))
        });
    )*};
}

both! {
    ("cublasSgemv_v2", sgemv), ("cublasStrsm_v2", strsm), ("cublasSsyrk_v2", ssyrk), 4;
    ("cublasDgemv_v2", dgemv), ("cublasDtrsm_v2", dtrsm), ("cublasDsyrk_v2", dsyrk), 8;
}
