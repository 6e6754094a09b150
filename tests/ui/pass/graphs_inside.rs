// CG0002, CG0102, CG0202, CG0401: parameters in any order, parts of one buffer that do not overlap, a label to wait for, results read.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &[f32; n], y: &out [f32; n], by: f32, n: usize) {
        kernel for i in 0..n { y[i] = by * x[i]; }
    }

    graph Halves(x: &mut [f32; 2 * n], y: &mut [f32; n], z: &out [f32; n], n: usize, by: f32) {
        'first: Scale { by, n, y: &out x[n..], x: &x[..n] };
        Scale { x: &x[n..], y: &out y, n, by: by + 1.0 };
        fill(&out z, 1.0) after 'first;
        let t: [f32; n];
        Scale { x: &z, y: &out t, by: 0.5, n: t.len() };
        copy(&t, &out z);
        for i in 0..2 { 'each: Scale { x: &x[i * n..(i + 1) * n], y: &out t, by, n }; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut y, mut z) = (device.buffer_from(&[1.0_f32, 2.0, 0.0, 0.0])?, device.zeros(2)?, device.zeros(2)?);
    let mut graph = HalvesArgs { x: &mut x, y: &mut y, z: &mut z, n: 2, by: 3.0 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1.0, 2.0, 3.0, 6.0]);
    assert_eq!(graph.y().to_vec()?, [12.0, 24.0]);
    assert_eq!(graph.z().to_vec()?, [0.5; 2]);
    Ok(())
}
