// Three conflicts: a write behind a write, a read behind it, a write behind a read. The first and the last follow from one another.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Steps(x: &mut [f32; n], y: &mut [f32; n]) {
        fill(&out x, 1.0);
        'add: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        copy(&x, &out y);
        'clear: fill(&out x, 0.0);
    }
}

fn main() {}
