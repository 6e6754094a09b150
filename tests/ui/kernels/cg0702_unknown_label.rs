// No loop has the label.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Search(x: &[i32; (n, 8)], y: &mut [u32; n], n: usize) {
        kernel for i in 0..n {
            'rows: for k in 0..8 {
                if x[(i, k)] < 0 { break 'row; }
                y[i] += 1;
            }
        }
    }
}

fn main() {}
