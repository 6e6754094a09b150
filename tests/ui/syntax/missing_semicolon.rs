// Plain syntax has no code.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Statements(x: &mut [f32; n]) {
        fill(&out x, 0.0)
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
