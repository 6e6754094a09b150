// Where the statements of a large block have become several functions, rustc still says it at the statement.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
unsafe mod basic {
    pub fn copy_scaled(from: &[f32; n], to: Out<[f32; n]>, by: f32, n: u32);
}

cuda_graph! {
    graph Large(x: &mut [f32; n], y: &[f32; n], count: u32) {
        let half = n / 2;
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; } kernel for i in 0..n { x[i] += y[i]; }
        kernel for i in 1..n { x[i] = count; }
        kernel for i in 1..half { x[i] = half; }
        fill(&out x[1..2], count);
        x[0] = missing * y[0];
        basic::copy_scaled<<<half as u32, 256>>>(&y, &out x, half as u32);
        if y[0] { x[0] = 1.0; }
    }
}

fn main() {}
