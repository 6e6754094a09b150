// Whether the names are exchanged would be known on the device only.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Maybe(flag: &[u32; 1], x: &mut [f32; n]) {
        let y: [f32; n] = 0.0;
        if flag[0] > 0 { swap(&mut x, &mut y); }
        basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
