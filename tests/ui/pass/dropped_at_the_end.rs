// CG0406: dropped behind the last use, in the body that declares it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Drops(y: &mut [f32; n], count: &mut [u32; 1]) {
        let t: [f32; n] = 1.0;
        copy(&t, &out y);
        drop(t);
        while count[0] > 0 {
            let u: [f32; n] = 2.0;
            copy(&u, &out y);
            drop(u);
            count[0] -= 1;
        }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
