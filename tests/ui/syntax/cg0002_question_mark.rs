// A host expression has nothing to return from.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Parses(x: &mut [f32; n], text: String) {
        let by: f32 = text.parse()?;
        basic::add_constant<<<1, 64>>>(&mut x, by, n as u32);
    }
}

fn main() {}
