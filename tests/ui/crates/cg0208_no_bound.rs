// What may change at each launch is no value for a parameter without a bound, of a graph of another crate.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Outer(x: &mut [f32; n], table: &[f32; 8], count: usize <= 8) {
        library::Repeat { x: &mut x, table: &table, times: count };
    }
}

fn main() {}
