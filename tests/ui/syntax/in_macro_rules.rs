// The fault is in the text of a user's macro, and reported there.
use graph_runtime::prelude::*;
use tests::kernels::basic;

macro_rules! scaled {
    ($name:ident, $by:expr) => {
        cuda_graph! {
            graph $name(a: &[f32; n], b: &out [f32; n]) {
                basic::copy_scaled<<<n.div_ceil(64), 64>>>(&a, &mut b, $by, n as u32);
                copy(&b, &mut a);
            }
        }
    };
}

scaled!(Doubled, 2.0);

fn main() {}
