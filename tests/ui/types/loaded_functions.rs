// What rustc says about launches of loaded functions, at the user's tokens.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Loaded(x: &mut [f32; n], f: &String, name: &graph_runtime::cudarc::driver::CudaFunction) {
        unsafe f<<<1, 32>>>(&mut x);
        unsafe name<<<1, 32>>>(&mut x, "text");
        unsafe missing<<<1, 32>>>(&mut x);
    }
}

fn main() {}
