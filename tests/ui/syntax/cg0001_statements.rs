// Statements that are still to come, each refused by name.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n], flag: &mut [u32; 1]) {
        kernel for i in 0..n { x[i] = 0.0; }
        unsafe loaded<<<1, 64>>>(&mut x);
        while let Some(by) = step { basic::add_constant<<<1, 64>>>(&mut x, by, n as u32); }
        while |c| { basic::add_constant<<<1, 64>>>(&mut x, 1.0, c); }
        flag[0] = (0..n).map(|i| x[i] as u32).sum();
    }
}

fn main() {}
