// Launches with effects keep their order, which here somebody has to say.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
unsafe mod counted {
    #[effects]
    pub fn copy_scaled(from: &[f32; n], to: Out<[f32; n]>, by: f32, n: u32);
}

cuda_graph! {
    #[explicit]
    graph Counted(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'one: counted::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32);
        'two: counted::copy_scaled<<<1, 64>>>(&x, &out z, 0.5, n as u32);
    }
}

fn main() {}
