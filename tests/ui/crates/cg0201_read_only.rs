// What is read only cannot be passed to a graph of another crate to be written; also behind what a macro of that crate writes.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Wrong(x: &[f32; n], y: &[f32; n]) {
        library::Scale { x: &x, y: &out y, by: 2.0 };
    }

    graph Generic<T: Element>(x: &mut [T; n], total: &[T; n], c: &[u32; 1]) {
        if c[0] > 0 {
            library::Exchange::<T> { a: &mut x, b: &mut total };
        }
    }
}

tests::doubling!(Doubled, x, y, fill(&out x, 1.0););

fn main() {}
