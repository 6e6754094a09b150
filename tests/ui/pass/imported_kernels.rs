// A kernel by its own name, renamed, and by a path through a module.
use graph_runtime::prelude::*;
use tests::kernels::basic::{add_constant as plus, increment};

mod inner {
    pub use tests::kernels::basic::times_constant;
}

cuda_graph! {
    graph Paths(x: &mut [u32; n], y: &mut [f32; n]) {
        increment<<<1, 64>>>(&mut x, n as u32);
        plus<<<1, 64>>>(&mut y, 1.0, n as u32);
        self::inner::times_constant<<<1, 64>>>(&mut y, 2.0, n as u32);
        ::tests::kernels::basic::times_constant<<<1, 64>>>(&mut y, 2.0, n as u32);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
