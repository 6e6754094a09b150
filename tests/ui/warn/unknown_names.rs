// Names that no warning has, with the one that was meant; rustc's own names on a statement.
use graph_runtime::prelude::*;

cuda_graph! {
    #[deny(unread_results)]
    #[allow(dead_code, CG0305)]
    graph Unknown(x: &mut [f32; n], #[allow(unused_paramter)] y: f32) {
        #[allow(endless)]
        #[warn(unlimitd_loop)]
        #[deny(dead_code)]
        #[allow(CG0403)]
        #[allow = "all"]
        #[forbid(unread_result)]
        kernel for i in 0..n { x[i] += y; }
    }
}

fn main() {}
