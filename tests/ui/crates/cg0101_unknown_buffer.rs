// To a graph of another crate: a buffer that is not declared, also in a body; also behind what a macro of that crate writes.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Unknown(source: &[f32; n], y: &out [f32; n]) {
        library::Scale { x: &sorce, y: &out y, by: 2.0 };
    }

    graph Nested(source: &[f32; n], y: &out [f32; n], c: &mut [u32; 1]) {
        library::Scale { x: &source, y: &out y, by: 2.0 };
        while c[0] > 0 limit 8 {
            library::Accumulate { x: &sorce, total: &mut y };
            c[0] -= 1;
        }
    }
}

tests::doubling!(Doubled, x, y, fill(&out z, 1.0););

fn main() {}
