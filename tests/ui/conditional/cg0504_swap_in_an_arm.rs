// An arm leaves names exchanged, which no other arm does.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], x: &mut [u32; 1], y: &mut [u32; 1], count: u32) {
        match s[0] {
            k @ 0..count => {
                y[0] = k;
                swap(&mut x, &mut y);
            }
            _ => { y[0] = 4; }
        }
    }
}

fn main() {}
