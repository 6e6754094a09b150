// CG0601, CG0602: equal lengths written in two ways, neighbours in one buffer, pinned memory.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &host [f32; 10], b: &out [f32; 10], c: &mut [f32; n], cut: usize) {
        copy(&a[0..4], &out b[6..10]);
        copy(&a[4..10], &out b[0..6]);
        copy(&b[..], &out c[0..10]);
        copy(&c[..cut], &out c[cut..]);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
