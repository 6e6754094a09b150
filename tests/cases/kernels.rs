//! Kernels with odd names and parameters of every type.

use graph_runtime::prelude::*;

/// See `kernels/names.cu`.
#[cuda_module("kernels/names.cu")]
pub unsafe mod odd {
    /// Each value as `f64`.
    pub fn scalars(
        mut out: Out<[f64; 12]>,
        a: bool,
        b: u8,
        c: i8,
        d: u16,
        e: i16,
        f: u32,
        g: i32,
        h: u64,
        i: i64,
        j: usize,
        k: f32,
        l: f64,
    ) {
        let values = [
            f64::from(u8::from(a)),
            f64::from(b),
            f64::from(c),
            f64::from(d),
            f64::from(e),
            f64::from(f),
            f64::from(g),
            h as f64,
            i as f64,
            j as f64,
            f64::from(k),
            l,
        ];
        out.copy_from_slice(&values);
    }

    /// `x += 1`
    pub fn count(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x += 1);
    }

    /// `x += 100`
    pub fn count_1(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x += 100);
    }

    /// `x += 10`
    pub fn increment(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x += 10);
    }

    /// `x *= 2`
    pub fn r#move(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x *= 2);
    }

    /// Touches nothing.
    pub fn nothing(n: u32) {
        let _ = n;
    }
}
