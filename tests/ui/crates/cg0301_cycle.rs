// Statements that wait for each other through a graph of another crate; also behind what a macro of that crate writes.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Wrong(x: &[f32; n], y: &mut [f32; n]) {
        'first: kernel for i in 0..n { y[i] = x[i]; } after 'second;
        'second: library::Accumulate { x: &x, total: &mut y };
    }
}

tests::doubling!(Doubled, x, y, 'behind: library::Accumulate { x: &x, total: &mut y }; fill(&out y, 0.0) after 'last; 'last: copy(&x, &out y););

fn main() {}
