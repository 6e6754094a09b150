// There is no test to leave out.
use graph_runtime::prelude::*;
use tests::pipelines::conditions::setting;

cuda_graph! {
    graph Halve(x: &mut [f32; n], passes: &mut [u32; 1]) {
        while |again| every 2 {
            setting::halve<<<1>>>(&mut x, &mut passes, 1.0, again, n as u32);
        }
    }
}

fn main() {}
