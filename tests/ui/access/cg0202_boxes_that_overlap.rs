// Two tiles of one matrix that share a corner.
use graph_runtime::prelude::*;
use tests::kernels::boxes;

cuda_graph! {
    graph Tiles(x: &mut [f32; (8, 8)], y: &[f32; (8, 8)]) {
        boxes::tile_product<<<1, 64>>>(&y[(..4, ..4)], &x[(..4, ..4)], &mut x[(3..7, 3..7)], 4, 8);
    }
}

fn main() {}
