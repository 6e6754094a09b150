// A host value that nothing declares: for rustc to say.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n]) {
        basic::times_constant<<<1, 64>>>(&mut x, factor, n as u32);
    }
}

fn main() {}
