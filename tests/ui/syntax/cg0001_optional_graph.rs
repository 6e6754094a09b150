// What cannot be switched off: a graph inside the graph, a callback, an event.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &out [f32; n]) {
        fill(&out x, 0.0);
    }

    graph Switched(x: &mut [f32; n], h: &host [f32; 4], e: &Event) {
        #[optional]
        'clear: Clear { x: &out x };
        #[optional]
        'tell: host(&h, |h| println!("{}", h[0]));
        #[optional]
        'begun: record(&e);
    }
}

fn main() {}
