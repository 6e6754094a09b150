// Four faults of four kinds in one block: ours, an unknown kernel, a scalar of the wrong type, a wrong mode. Four
// reports and no more.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Faults(x: &mut [f32; n], y: &out [f32; n], count: u32) {
        let t: [f32; n] = 0.0;
        'first: basic::copy_scaled<<<1, 64>>>(&t, &out y, 2.0, count) after 'frist;
        basic::negate<<<1, 64>>>(&mut x, count);
        basic::times_constant<<<1, 64>>>(&mut x, count, count);
        basic::add_constant<<<1, 64>>>(&x, 1.0, count);
    }
}

fn main() {}
