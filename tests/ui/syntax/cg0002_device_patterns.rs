// What no arm can be where the device decides: a name for everything, a range without an end, and no integers.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], y: &mut [u32; 1]) {
        match s[0] {
            k @ 3.. => { y[0] = 1; }
            Some(_) => { y[0] = 3; }
            k => { y[0] = k; }
        }
    }
}

fn main() {}
