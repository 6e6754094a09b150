// CG0404: ranges that join, in any order.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Parts(y: &out [f32; 8], z: &out [f32; n], cut: usize) {
        let t: [f32; 8];
        let u: [f32; n];
        fill(&out t[5..8], 1.0);
        fill(&out t[0..5], 2.0);
        copy(&t, &out y);
        fill(&out u[..cut], 1.0);
        fill(&out u[cut..], 2.0);
        copy(&u, &out z);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
