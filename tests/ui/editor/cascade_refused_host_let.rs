// A `let` that cannot be evaluated; its uses say nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(y: &out [f32; n], text: String) {
        let by: f32 = text.parse()?;
        fill(&out y, by);
        basic::times_constant<<<1, 64>>>(&mut y, by * 2.0, n as u32);
    }
}

fn main() {}
