// CG0202: two reads, two atomic uses, ranges apart.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Twice(x: &mut [f32; 16], y: &out [f32; 16], counts: &mut [u32; 2], u: &[u32; 4]) {
        basic::sum_of_two<<<1, 16>>>(&x, &x, &out y, 16);
        basic::copy_scaled<<<1, 8>>>(&x[0..8], &out x[8..16], 2.0, 8);
        basic::count_equal<<<1, 4>>>(&u, 1, &atomic counts[0..1], 4);
        basic::count_equal<<<1, 4>>>(&u, 2, &atomic counts[1..2], 4);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
