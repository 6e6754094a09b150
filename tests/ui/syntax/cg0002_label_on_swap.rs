// A `swap` makes no node that could be waited for.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Labels(x: &mut [f32; n]) {
        let y: [f32; n] = 0.0;
        'exchange: swap(&mut x, &mut y);
    }
}

fn main() {}
