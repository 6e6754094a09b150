// Attributes that are still to come: the statement behind each stands.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Later(x: &mut [f32; n]) {
        #[cfg(unix)]
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
