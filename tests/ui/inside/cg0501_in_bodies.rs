// What runs on the host is not allowed in a body, also if a graph inside it has it.
use graph_runtime::prelude::*;

mod other {
    use graph_runtime::prelude::*;

    cuda_graph! {
        pub graph Report(seen: &host [f32; 1]) {
            host(&seen, |seen| println!("{}", seen[0]));
        }

        pub graph Deeper(seen: &host [f32; 1]) {
            Report { seen: &seen };
        }
    }
}

cuda_graph! {
    graph Wrong(x: &mut [f32; 1], seen: &mut host [f32; 1]) {
        while x[0] > 1.0 limit 10 {
            x[0] = x[0] / 2.0;
            copy(&x, &out seen);
            other::Deeper { seen: &seen };
        }
        other::Report { seen: &seen };
    }
}

fn main() {}
