// What leaves the body, prints, or takes tuples apart: each is reported at its own token.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Odd(x: &mut [f32; n], scale: f32) {
        kernel for i in 0..n {
            if x[i] < 0.0 { return; }
            println!("{i}");
            let [a, b] = [1.0, 2.0];
            scale = 2.0;
            total += x[i];
            x = 0.0;
            x[i] = x[i] * scale;
        }
    }
}

fn main() {}
