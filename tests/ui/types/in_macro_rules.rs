// A fault that rustc finds, in the text of a user's macro.
use graph_runtime::prelude::*;
use tests::kernels::basic;

macro_rules! scaled {
    ($name:ident, $by:expr) => {
        cuda_graph! {
            graph $name(a: &[f32; n], b: &mut [f32; n]) {
                basic::copy_scaled<<<n.div_ceil(64), 64>>>(&a, &mut b, $by, n as u32);
            }
        }
    };
}

scaled!(Doubled, 2.0);

fn main() {}
