// The two parts share an element.
use graph_runtime::cudarc::driver::CudaFunction;
use graph_runtime::prelude::*;

cuda_graph! {
    graph Loaded(x: &mut [f32; 4], f: &CudaFunction) {
        unsafe f<<<1, 32>>>(&mut x[..3], &x[2..]);
    }
}

fn main() {}
