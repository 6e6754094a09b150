// A body runs without the host.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(c: &mut [u32; 1], h: &mut host [u32; 1], e: &Event, wide: bool) {
        while c[0] > 0 limit 10 {
            c[0] -= 1;
            if wide { host(&mut h, |h| h[0] += 1); }
        }
        if c[0] == 0 { record(&e); } else { wait(&e, &c); }
    }
}

fn main() {}
