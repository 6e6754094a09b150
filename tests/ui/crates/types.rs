// To a graph of another crate: another mode, another element, another type of value, other generic arguments, another struct.
use graph_runtime::prelude::*;
use tests::library;

#[derive(Buffers)]
struct Affine {
    weight: Buffer<f32>,
    bias: Buffer<f32>,
}

cuda_graph! {
    graph Mode(x: &mut [f32; n], y: &mut [f32; n]) {
        library::Scale { x: &mut x, y: &out y, by: 2.0 };
    }

    graph Elements(x: &[f64; n], y: &out [f32; n]) {
        library::Scale { x: &x, y: &out y, by: 2.0 };
    }

    graph Value(x: &[f32; n], y: &out [f32; n], by: usize) {
        if by > 1 {
            library::Scale { x: &x, y: &out y, by: by + 1 };
        } else {
            fill(&out y, 0.0);
        }
    }

    graph Generic<T>(x: &mut [T; n], total: &mut [T; n]) {
        library::Exchange::<T> { a: &mut x, b: &mut total };
    }

    graph Arguments(x: &mut [f32; n], total: &mut [f32; n]) {
        library::Exchange::<f64> { a: &mut x, b: &mut total };
    }

    graph Struct(layer: &Affine, x: &mut [f32; n]) {
        let _weight = &layer.weight;
        library::Apply { layer: &layer, x: &mut x };
    }

    graph Object(log: &String, x: &[f32; n]) {
        library::Tell { x: &x, progress: &log };
    }
}

fn main() {}
