// A graph of another crate reads a transient that nothing has written; one that a branch may not have written; also behind what a macro of that crate writes.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Never(y: &out [f32; n]) {
        let t: [f32; n];
        library::Scale { x: &t, y: &out y, by: 2.0 };
    }

    graph Maybe(x: &[f32; n], y: &out [f32; n], c: &[u32; 1]) {
        let t: [f32; n];
        if c[0] > 0 {
            library::Scale { x: &x, y: &out t, by: 2.0 };
        }
        library::Scale { x: &t, y: &out y, by: 2.0 };
    }
}

tests::doubling!(Doubled, x, y, let t: [f32; n]; library::Accumulate { x: &t, total: &mut y };);

fn main() {}
