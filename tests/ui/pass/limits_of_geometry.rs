// The largest sizes that every device accepts.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Geometry(x: &mut [f32; n], y: &out [u32; w * h], w: u32, h: u32) {
        basic::add_constant<<<2147483647, 1024>>>(&mut x, 1.0, n as u32);
        basic::index_2d<<<(1, 65535, 65535), (4, 4, 64)>>>(&out y, w, h);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
