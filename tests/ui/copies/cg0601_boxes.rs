// Boxes of other numbers of elements, and of as many in other rows.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Move(x: &[f32; (8, 8)], y: &out [f32; (8, 8)]) {
        fill(&out y, 0.0);
        copy(&x[(..4, ..4)], &out y[(..4, ..5)]);
        copy(&x[(..2, ..6)], &out y[(..3, ..4)]);
    }
}

fn main() {}
