// A function of Rust is launched.
use graph_runtime::prelude::*;

pub fn halve(x: &mut [f32], n: u32) {
    x[..n as usize].iter_mut().for_each(|x| *x /= 2.0);
}

cuda_graph! {
    graph Halves(x: &mut [f32; n]) {
        halve<<<1, 64>>>(&mut x, n as u32);
    }
}

fn main() {}
