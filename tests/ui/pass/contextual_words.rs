// Words of the language are names everywhere else.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Words(out: &[f32; n], limit: &mut [u32; 1], after: &mut [f32; n], every: f32) {
        'out: copy(&out, &out after);
        'limit: while limit[0] > 2 limit 4 every 2 { limit[0] -= 1; }
        basic::times_constant<<<1, 64>>>(&mut after, every, n as u32) after 'limit;
        copy(&out[1..2], &out after[0..1]);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
