// The declaration fixes another block.
use graph_runtime::prelude::*;
use tests::pipelines::modules::templates;

cuda_graph! {
    graph Sums(x: &[f32; n], sums: &out [f64; 2]) {
        templates::tile_sums<<<2, 128>>>(&x, &out sums, n as u32, 2);
    }
}

fn main() {}
