// CG0401, CG0407: a `static` is always initialised, on every path, also where a body writes it; it may be swapped.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Kept(x: &mut [f32; n], flag: &[u32; 1], start: u32) {
        static sum: [f32; n] = 0.5;
        static launches: [u32; 1] = start;
        static pinned: host [u32; 1] = 7;
        if flag[0] > launches[0] {
            basic::add_constant<<<1, 64>>>(&mut sum, 1.0, n as u32);
            launches[0] += 1;
        }
        copy(&launches, &out pinned);
        swap(&mut x, &mut sum);
        swap(&mut x, &mut sum);
        let t: [f32; n];
        copy(&sum, &out t);
        swap(&mut t, &mut sum);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
