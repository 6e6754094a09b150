// A name in a body within a body.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Nested(x: &mut [u32; 1], y: &mut [u32; 4]) {
        while x[0] > 0 {
            if x[0] > 7 {
                match x[0] % 2 {
                    0 => { basic::increment<<<1, 4>>>(&mut yy, 4); }
                    _ => { basic::increment<<<1, 4>>>(&mut y, 4); }
                }
            }
            x[0] -= 1;
        }
    }
}

fn main() {}
