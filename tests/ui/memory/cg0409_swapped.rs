// A mailbox stays where the host has it, and it is read-only behind `&`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Swapped(seen: &mut mailbox [f32; n], x: &mut [f32; n]) {
        swap(&mut seen, &mut x);
        seen[0] = 1.0;
        swap(&mut seen, &mut x);
    }

    graph Written(stop: &mailbox [u32; 1]) {
        stop[0] = 1;
    }
}

fn main() {}
