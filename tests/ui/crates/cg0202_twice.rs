// One buffer for two parameters of a graph of another crate, of which one is written; two ranges of one that overlap; also behind what a macro of that crate writes.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Double(x: &mut [f32; n], c: &mut [u32; 1]) {
        while c[0] > 0 limit 8 {
            library::Accumulate { x: &x, total: &mut x };
            c[0] -= 1;
        }
    }

    graph Ranges(x: &mut [f32; 8]) {
        library::Accumulate { x: &x[0..4], total: &mut x[3..7] };
    }
}

tests::doubling!(Doubled, x, y, library::Accumulate { x: &y, total: &mut y };);

fn main() {}
