// What reads an element runs on the device.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Solve(error: &mut [f32; 1]) {
        while close_enough(error[0]) limit 10 { error[0] *= 0.5; }
    }
}

fn main() {}
