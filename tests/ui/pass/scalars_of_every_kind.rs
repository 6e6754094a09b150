// Literals and conversions are typed by what receives them.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scalars(f: &out [f32; 1], d: &out [f64; 1], u: &out [u32; 1], w: &out [u64; 1], i: &mut [i16; 1], n: usize) {
        basic::write_values<<<1, 1>>>(&out f, &out d, &out u, &out w, 1.5, -0.5, n as u32 * 2, u64::MAX);
        i[0] = -(i[0] + 1) * 2;
        u[0] = (w[0] >> 3) as u32 | 0xff;
        f[0] = if f[0].is_nan() { 0.0 } else { f[0].abs().sqrt().max(1.0) };
        d[0] += f[0] as f64;
        w[0] = n as u64;
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
