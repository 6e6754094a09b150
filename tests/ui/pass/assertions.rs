// CG0207, CG0404: messages name host values; what is switched off is written before, or on another path.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Checked(x: &mut [f32; n], limit: f32) {
        let t: [f32; n] = 1.0;
        #[optional]
        'scale: basic::copy_scaled<<<1, 64>>>(&x, &out t, 2.0, n as u32);
        copy(&t, &out x);
        'check: assert!(x[n - 1] < limit && !x[0].is_nan(), "{} of {n} is beyond {limit:.1}", n - 1) after 'scale;
        assert!(x[0] > -1.0,);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
