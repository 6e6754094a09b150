#![deny(deprecated)]
// CG0502: a test that the body changes, through a kernel, an element or an inner body, also behind a test of its own; a `limit` alone.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Ends(error: &mut [f32; 1], count: &mut [u32; 2], x: &[u32; n]) {
        while error[0] > 0.1 limit 100 { error[0] *= 0.5; }
        while count[1] > 0 { if count[0] > 7 { count[1] -= 1; } else { count[1] /= 2; } }
        while count[0] < 9 { basic::count_equal<<<1, 64>>>(&x, 0, &atomic count[0..1], n as u32); }
        while count[0] > 0 { if count[1] > 0 { count[0] -= 1; } else { count[1] += 1; } }
        while count[0] > 0 { if x[0] > 0 { count[0] -= 1; } else { count[0] = 0; } }
        while count[0] > 0 limit 10 { if x[0] > 0 { count[0] -= 1; } }
        loop limit 10 { count[0] += 1; }
        loop { count[0] += 1; if count[0] > 9 { break; } }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
