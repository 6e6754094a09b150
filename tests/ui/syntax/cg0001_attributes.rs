// An attribute that is still to come: the graph behind it stands.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Later(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
