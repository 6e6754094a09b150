// CG0002, CG0202, CG0601: one buffer of a list and another one; an element of one as a range; lists of lists.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Lists(w: [&mut [f32; n]], v: [[&[f32]]], k: usize) {
        basic::copy_scaled<<<1, 64>>>(&w[0], &out w[1], 2.0, n as u32);
        basic::copy_scaled<<<1, 64>>>(&w[k], &out w[k + 1], 3.0, n as u32);
        for i in 0..w.len() {
            basic::add_constant<<<1, 64>>>(&mut w[i][n - 1..=n - 1], 0.5, 1);
        }
        copy(&v[0][1], &out w[0][..v[0][1].len()]);
        w[2][0] = w[1][1] + v[1][0][0];
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let w = [device.buffer_from(&[1.0_f32, 2.0])?, device.zeros(2)?, device.zeros(2)?];
    let v = vec![vec![device.zeros::<f32>(1)?, device.buffer_from(&[9.0_f32])?], vec![device.buffer_from(&[20.0_f32])?]];
    let mut graph = ListsArgs { w: Vec::from(w), v, k: 1 }.build(&device)?;
    graph.launch()?;
    // w[1] = [2, 4], w[2] = [6, 12], then a half is added to the last of each.
    assert_eq!(graph.w(0)?.to_vec()?, [9.0, 2.5]);
    assert_eq!(graph.w(1)?.to_vec()?, [2.0, 4.5]);
    assert_eq!(graph.w(2)?.to_vec()?, [24.5, 12.5]);
    Ok(())
}
