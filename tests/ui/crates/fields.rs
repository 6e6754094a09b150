// Of a graph of another crate: a parameter that is missing, one that there is not, one that is named twice. Also from a macro of that crate.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Missing(x: &[f32; n], y: &mut [f32; n], c: &mut [u32; 1]) {
        while c[0] > 0 limit 8 {
            library::Scale { x: &x, y: &out y };
            c[0] -= 1;
        }
    }

    graph Unknown(x: &[f32; n], y: &out [f32; n]) {
        library::Scale { x: &x, y: &out y, factor: 2.0 };
    }

    graph Twice(x: &[f32; n], y: &out [f32; n]) {
        library::Scale { x: &x, y: &out y, by: 2.0, by: 3.0 };
    }
}

macro_rules! scaled {
    ($name:ident, $($field:ident: $value:expr),*) => {
        cuda_graph! {
            graph $name(x: &[f32; n], y: &out [f32; n]) {
                library::Scale { x: &x, y: &out y, $($field: $value),* };
            }
        }
    };
}

scaled!(Expanded, factor: 2.0);

tests::doubling!(Doubled, x, y, library::Scale { x: &x, y: &out y, factor: 2.0 };);

fn main() {}
