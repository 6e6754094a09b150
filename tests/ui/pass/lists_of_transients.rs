// CG0401: each buffer of a list is written before it is read; a whole list is written by a kernel that takes it.
use graph_runtime::prelude::*;
use tests::kernels::tables;

cuda_graph! {
    graph Parts(y: &out [f32; n], z: &out [u32; 4]) {
        let t: [[f32; n]; 3];
        for i in 0..3 { fill(&out t[i], i as f32); }
        copy(&t[2], &out y);
        let all: [[u32; 4]; 2];
        tables::number_all<<<(1, 2), 32>>>(&out all);
        copy(&all[1], &out z);
        let halves: [[f32; n]; 2];
        fill(&out halves[0], 1.0);
        kernel for i in 0..n { y[i] += 1.0; }
        copy(&halves[0], &out t[0]);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut y, mut z) = (device.zeros(2)?, device.zeros(4)?);
    let mut graph = PartsArgs { y: &mut y, z: &mut z }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [3.0; 2]);
    Ok(())
}
