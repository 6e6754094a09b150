// What may change at each launch is passed only where a bound says how far.
use graph_runtime::prelude::*;

mod steps {
    use graph_runtime::prelude::*;

    cuda_graph! {
        pub graph Repeat(x: &mut [f32; n], times: usize) {
            for _ in 0..times {
                kernel for i in 0..n { x[i] += 1.0; }
            }
        }
    }
}

cuda_graph! {
    graph Outer(x: &mut [f32; n], count: usize <= 8) {
        steps::Repeat { x: &mut x, times: count + 1 };
    }
}

fn main() {}
