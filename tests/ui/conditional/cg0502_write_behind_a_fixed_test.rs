#![deny(deprecated)]
// The only write of what the loop tests stands behind a test that no pass changes.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Spins(left: &mut [u32; 1], go: &[u32; 1], x: &mut [f32; n]) {
        while left[0] > 0 {
            kernel for i in 0..n { x[i] *= 0.5; }
            if go[0] != 0 { left[0] -= 1; }
        }
    }
}

fn main() {}
