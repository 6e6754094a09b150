// The statement that writes the buffer is refused; reading it says nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        while let Some(by) = step { basic::add_constant<<<1, 64>>>(&mut t, by, n as u32); }
        'last: basic::sum_of_two<<<1, 64>>>(&x, &t, &out y, n as u32);
    }
}

fn main() {}
