// A value is passed where a condition is expected.
use graph_runtime::prelude::*;
use tests::pipelines::conditions::setting;

cuda_graph! {
    graph Halve(x: &mut [f32; n], passes: &mut [u32; 1]) {
        setting::halve<<<1>>>(&mut x, &mut passes, 1.0, 1, n as u32);
    }
}

fn main() {}
