// CG0504: an even number of exchanges, within an even round, of a parameter and a transient, in a branch and back.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Swaps(x: &mut [f32; n], flag: &[u32; 1]) {
        let y: [f32; n] = 0.0;
        loop limit 10 every 2 {
            basic::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32);
            swap(&mut x, &mut y);
        }
        if flag[0] > 0 {
            swap(&mut x, &mut y);
            fill(&out x, 1.0);
            swap(&mut x, &mut y);
        }
        swap(&mut x, &mut y);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
