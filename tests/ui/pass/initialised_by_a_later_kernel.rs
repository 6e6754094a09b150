// CG0401: a write above the read, in the same or in an outer body.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Written(x: &[f32; n], y: &out [f32; n], count: &mut [u32; 1]) {
        let t: [f32; n];
        basic::copy_scaled<<<1, 64>>>(&x, &out t, 2.0, n as u32);
        while count[0] > 0 {
            let u: [f32; n];
            copy(&t, &out u);
            copy(&u, &out t);
            count[0] -= 1;
        }
        copy(&t, &out y);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
