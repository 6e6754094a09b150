// An error because an attribute of a graph, a body or a statement says so; the innermost one counts.
use graph_runtime::prelude::*;

cuda_graph! {
    #[deny(unread_result, unused_parameter, reason = "nothing is for nothing here")]
    graph Denied(x: &mut [f32; n], y: f32) {
        let t: [f32; n];
        copy(&x, &out t);
        #[allow(unread_result)]
        let u: [f32; n];
        copy(&x, &out u);
    }

    #[allow(warnings)]
    graph Inner(x: &mut [f32; 4], c: &mut [u32; 1], unused: f32) {
        #[deny(unlimited_loop)]
        while x[0] > 0.5 { x[0] *= 0.5; }
        #[warn(unlimited_loop)]
        #[deny(warnings)]
        if c[0] > 0 {
            while x[1] > 0.5 { x[1] *= 0.5; }
            #[allow(unlimited_loop)]
            while x[2] > 0.5 { x[2] *= 0.5; }
        }
        match c[0] {
            #[deny(redundant_after)]
            0 => {
                'a: x[0] = 1.0;
                'b: x[1] = x[0] after 'a;
            }
            _ => {}
        }
    }
}

fn main() {}
