// The kernel takes a list of buffers, and is given a list of lists.
use graph_runtime::prelude::*;
use tests::kernels::tables;

cuda_graph! {
    graph Whole(w: [[&mut [u32]]]) {
        tables::number_all<<<1, 64>>>(&out w);
    }
}

fn main() {}
