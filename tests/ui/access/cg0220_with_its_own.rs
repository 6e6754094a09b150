// What the kernel declares itself leaves too little for the launch.
use graph_runtime::prelude::*;

#[cuda_module("kernels/limits.cu")]
unsafe mod limits {
    pub fn tiles(x: &mut [f32; n], n: u32);
}

cuda_graph! {
    graph Tiles(x: &mut [f32; n]) {
        limits::tiles<<<1, 32, 216_064>>>(&mut x, n as u32);
        limits::tiles<<<1, 32, 216_068>>>(&mut x, n as u32);
    }
}

fn main() {}
