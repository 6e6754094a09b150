// An assertion reads.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        let info: [i32; 1];
        assert!(info[0] == 0, "no factor");
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
