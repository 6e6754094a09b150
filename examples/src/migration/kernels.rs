//! The kernels of steps 2 to 4, declared once. The bodies are what a machine without a GPU runs.

use graph_runtime::prelude::*;

/// Damped Jacobi.
#[cuda_module("kernels/relax.cu")]
pub(super) unsafe mod relax {
    pub fn residual(b: &[f32; n], x: &[f32; n], r: Out<[f32; n]>, n: u32) {
        for i in 0..n as usize {
            let left = if i == 0 { 0.0 } else { x[i - 1] };
            let right = x.get(i + 1).copied().unwrap_or(0.0);
            r[i] = b[i] - (2.0 * x[i] - left - right);
        }
    }

    pub fn squares(r: &[f32; n], sum: Out<[f32; 1]>, n: u32) {
        let mut part = [0.0_f32; 256];
        for (i, r) in r.iter().enumerate() {
            part[i % 256] += r * r;
        }
        let mut step = 128;
        while step > 0 {
            for i in 0..step {
                part[i] += part[i + step];
            }
            step /= 2;
        }
        sum[0] = part[0];
    }

    pub fn correct(r: &[f32; n], x: &mut [f32; n], n: u32) {
        x.iter_mut().zip(r).for_each(|(x, r)| *x += r / 3.0);
    }
}
