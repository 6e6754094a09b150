// Launches of loaded functions, each with a fault of its own.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Loaded(x: &mut [f32; n], f: &graph_runtime::cudarc::driver::CudaFunction) {
        unsafe f<<<1>>>(&mut x);
        unsafe basic::increment<<<1, 32>>>(&mut x, n as u32);
        unsafe f(&mut x);
        unsafe f<<<1, 32>>>(&mut y);
    }
}

fn main() {}
