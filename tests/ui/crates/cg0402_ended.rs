// A graph of another crate is given a buffer whose block has ended, or that was dropped.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Ended(x: &[f32; n], y: &out [f32; n], c: &[u32; 1]) {
        if c[0] > 0 {
            let t: [f32; n] = 1.0;
            library::Scale { x: &t, y: &out y, by: 2.0 };
        }
        library::Scale { x: &t, y: &out y, by: 2.0 };
        copy(&x, &out y);
    }

    graph Dropped(x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n] = 1.0;
        copy(&x, &out t);
        drop(t);
        library::Scale { x: &t, y: &out y, by: 2.0 };
    }
}

fn main() {}
