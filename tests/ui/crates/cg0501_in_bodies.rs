// A graph of another crate that calls the host is not allowed in a body, nor is one that has such a graph in it.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Loops(x: &mut [f32; n], progress: &library::Progress) {
        while x[0] > 1.0 limit 10 {
            kernel for i in 0..n { x[i] *= 0.5; }
            library::TellTwice { x: &x, progress: &progress };
        }
    }

    graph Branch<T: Element + Default>(x: &mut [f32; n], z: &out [T; 4], progress: &library::Progress) {
        fill(&out z, T::default());
        for i in 0..2 {
            if x[i] > 1.0 {
                library::Tell { x: &x, progress: &progress };
            }
        }
    }
}

fn main() {}
