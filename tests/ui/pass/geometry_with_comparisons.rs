// The close of a launch is found among other `>`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Geometry(x: &mut [f32; n]) {
        basic::add_constant<<<(n >> 6).max(1), (64 >> 1)>>>(&mut x, 1.0, n as u32);
        basic::add_constant<<<size_of::<Vec<Vec<u8>>>(), 64>>>(&mut x, 1.0, n as u32);
        basic::add_constant<<<(1, 1), (32, 2), n * size_of::<f32>()>>>(&mut x, 1.0, n as u32);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
