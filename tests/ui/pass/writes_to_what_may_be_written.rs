// CG0201: transients, `&mut` and `&out` parameters.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Writes(a: &[f32; n], b: &mut [f32; n], c: &out [f32; n]) {
        let t: [f32; n];
        basic::copy_scaled<<<1, 64>>>(&a, &out t, 2.0, n as u32);
        basic::copy_scaled<<<1, 64>>>(&t, &out b, 2.0, n as u32);
        basic::copy_scaled<<<1, 64>>>(&b, &out c, 2.0, n as u32);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
