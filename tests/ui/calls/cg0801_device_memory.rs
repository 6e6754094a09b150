// A callback looks at pinned memory only.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Show(x: &[f32; n], y: &mut [f32; n]) {
        let t: [f32; n] = 0.0;
        host(&x, |x| println!("{}", x[0]));
        host(&mut y, |y| y[0] = 1.0);
        host(&t, |t| println!("{}", t[0]));
    }
}

fn main() {}
