// Lengths, limits, grids and ends of ranges are amounts.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Negative(x: &mut [f32; n]) {
        let t: [f32; -1] = 0.0;
        loop limit -5 { fill(&out x, 1.0); }
        basic::add_constant<<<(1, -1), 64, -8>>>(&mut x[-2..], 1.0, n as u32);
    }
}

fn main() {}
