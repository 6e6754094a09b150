// Each side fits, their product does not.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Big(x: &out [u32; w * h], w: usize, h: usize) {
        basic::index_2d<<<(1, 1), (64, 32)>>>(&out x, w as u32, h as u32);
    }
}

fn main() {}
