// Attributes in a kernel's body that nobody would look at: on a statement, a loop, an arm, a `let`, also where `cfg_attr` adds one.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Odd(x: &mut [f32; n], k: u32) {
        kernel for i in 0..n {
            #[inline]
            let mut sum = 0.0;
            #[unroll(4)]
            for j in 0..4 { sum += j as f32; }
            #[rustfmt::skip]
            if sum > 2.0 { sum = 2.0; }
            match k {
                #[cold]
                0 => { sum = 0.0; }
                _ => {}
            }
            #[allow(unused_assignments)]
            #[cfg_attr(all(), priority(high))]
            x[i] = sum;
        }
    }
}

fn main() {}
