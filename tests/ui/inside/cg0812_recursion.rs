// Graphs that contain themselves.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Itself(x: &mut [f32; n]) {
        fill(&out x, 0.0);
        Itself { x: &mut x };
    }

    graph First(x: &mut [f32; n]) {
        fill(&out x, 0.0);
        Second { x: &mut x };
    }

    graph Second(x: &mut [f32; n]) {
        self::First { x: &mut x };
    }
}

fn main() {}
