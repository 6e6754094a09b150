// Where `mailbox` may stand.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Boxes(whole: &out mailbox [f32; 1], list: [&mailbox [f32; 1]], small: &mailbox [u16; 1], x: &mut [f32; 1]) {
        x[0] = 1.0;
    }
}

fn main() {}
