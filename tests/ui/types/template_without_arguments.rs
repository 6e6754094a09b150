// Nothing says which instance.
use graph_runtime::prelude::*;
use tests::pipelines::modules::templates;

cuda_graph! {
    graph Axpy(x: &[f32; n], y: &mut [f32; n]) {
        templates::axpy<<<1, 64>>>(&mut y, &x, 0.5, n as u32);
    }
}

fn main() {}
