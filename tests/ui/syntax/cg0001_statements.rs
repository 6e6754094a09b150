// Statements that are still to come, each refused by name.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n], flag: &mut [u32; 1]) {
        while let Some(by) = step { basic::add_constant<<<1, 64>>>(&mut x, by, n as u32); }
    }
}

fn main() {}
