// A conditional node cannot be switched off.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n], flag: &[u32; 1]) {
        #[optional]
        'maybe: if flag[0] > 0 {
            basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        }
    }
}

fn main() {}
