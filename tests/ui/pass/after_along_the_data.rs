// CG0301: `after` down the text, with the data, and up between statements that share nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Order(x: &mut [f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'first: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32) after 'third;
        'second: basic::copy_scaled<<<1, 64>>>(&x, &out y, 2.0, n as u32) after 'first;
        'third: basic::add_constant<<<1, 64>>>(&mut z, 1.0, n as u32);
        basic::add_constant<<<1, 64>>>(&mut z, 1.0, n as u32) after 'second, 'third;
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
