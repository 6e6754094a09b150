// Names are exchanged between buffers of one type.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Swaps(x: &mut [f32; n]) {
        let y: [u32; n] = 0;
        swap(&mut x, &mut y);
    }
}

fn main() {}
