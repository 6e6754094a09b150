// CG0002, CG0701: what combines with what is there, over two axes, inside an index, of elements that are written nowhere.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Reduced(x: &[f32; (h, w)], s: &mut [f32; 4], rows: &out [f32; h], h: usize, w: usize) {
        s[0] += (0..h, 0..w).map(|(i, j)| x[(i, j)]).sum();
        s[1] *= (0..w).map(|j| x[(0, j)]).product();
        s[2] = (0..h * w).map(|i| { let row = i / w; x[(row, i % w)] * s[3] }).max();
        kernel for i in 0..h { rows[i] = (0..w).map(|j| x[(i, j)]).min(); }
        s[3] = (3..3).map(|i| s[i as usize % 3]).sum();
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let s = device.buffer_from(&[100.0_f32, 10.0, 0.0, 0.5])?;
    let mut graph = ReducedArgs { x: &x, s, rows: device.zeros::<f32>(2)?, h: 2, w: 3 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.s().to_vec()?, [121.0, 60.0, 3.0, 0.0]);
    assert_eq!(graph.rows().to_vec()?, [1.0, 4.0]);
    Ok(())
}
