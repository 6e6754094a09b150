// Read before anything writes it. In a generic graph, in nested bodies, behind ten statements in a row, in another module's graph, from a macro.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Generic<T: Element + Default>(x: &mut [f32; n], z: &mut [T; 4]) {
        fill(&out z, T::default());
        let t: [f32; n];
        basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
    }

    graph Nested(x: &mut [f32; n], c: &mut [u32; 1]) {
        while c[0] > 0 limit 8 {
            if c[0] > 2 {
                let t: [f32; n];
                basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
            }
            c[0] -= 1;
        }
    }

    graph Chained(x: &mut [f32; n], y: &mut [f32; 16]) {
        'a: y[0] += 1.0;
        'b: y[1] += 1.0 after 'a;
        'c: y[2] += 1.0 after 'b;
        'd: y[3] += 1.0 after 'c;
        'e: y[4] += 1.0 after 'd;
        'f: y[5] += 1.0 after 'e;
        'g: y[6] += 1.0 after 'f;
        'h: y[7] += 1.0 after 'g;
        'i: y[8] += 1.0 after 'h;
        'j: y[9] += 1.0 after 'i;
        let t: [f32; n];
        basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
    }

    graph Outer(x: &mut [f32; n]) {
        inner::Within { x: &mut x };
    }
}

mod inner {
    use super::*;

    cuda_graph! {
        pub graph Within(x: &mut [f32; n]) {
            let t: [f32; n];
            basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
        }
    }
}

macro_rules! from_macro {
    ($name:ident $parameters:tt $($statements:tt)*) => {
        cuda_graph! {
            graph $name $parameters { $($statements)* }
        }
    };
}

from_macro! {
    Expanded(x: &mut [f32; n])
    let t: [f32; n];
    basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
}

fn main() {}
