// One name in two blocks, a label in two regions, a host value that shadows another.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scopes(x: &mut [f32; n], flag: &[u32; 1]) {
        let by = 1.0_f32;
        let by = by * 2.0;
        if flag[0] > 0 {
            let t: [f32; n] = by;
            'sum: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            copy(&t, &out x);
        } else {
            let t: [f32; n] = 2.0;
            'sum: basic::add_constant<<<1, 64>>>(&mut x, by, n as u32);
            copy(&t, &out x);
        }
        {
            let t: [f32; n] = 3.0;
            copy(&t, &out x);
        }
        {
            let t: [f32; n] = 4.0;
            copy(&t, &out x);
        }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
