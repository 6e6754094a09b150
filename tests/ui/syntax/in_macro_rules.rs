// The fault is in the text of a user's macro, and reported there.
use graph_runtime::prelude::*;

macro_rules! copies {
    ($name:ident, $element:ty) => {
        cuda_graph! {
            graph $name(a: &[$element; n], b: &out [$element; n]) {
                copy(&a, &mut b);
            }
        }
    };
}

copies!(Copies, f32);

fn main() {}
