// One element for each row, written by every column.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Rows(a: &[f32; h * w], sums: &mut [f32; h], h: usize, w: usize) {
        kernel for (i, j) in (0..h, 0..w) { sums[i] += a[i * w + j]; }
    }
}

fn main() {}
