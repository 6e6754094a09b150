// Two names for one range; a range without an end; a chain that is no reduction.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Odd(x: &mut [f32; n], s: &mut [f32; 1]) {
        kernel for (i, j) in 0..n { x[i] = 0.0; }
        kernel for i in 0.. { x[i] = 0.0; }
        s[0] = (0..n).filter(|i| x[i] > 0.0).count();
        s[0] -= (0..n).map(|i| x[i]).sum();
    }
}

fn main() {}
