// A function of Rust that takes no buffer is launched.
use graph_runtime::prelude::*;

fn log(value: u32) {
    let _ = value;
}

cuda_graph! {
    graph Log(value: u32) {
        log<<<1, 1>>>(value);
    }
}

fn main() {}
