// A buffer may have the name of a kernel that is launched.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Same(increment: &mut [u32; n]) {
        basic::increment<<<1, 64>>>(&mut increment, n as u32);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
