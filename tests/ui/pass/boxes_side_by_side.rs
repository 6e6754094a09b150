// CG0202, CG0205, CG0210, CG0601, CG0602: boxes that only touch, that end with the buffer, that are rows, and copies between them.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Boxes(x: &mut [f32; (4, 4)], y: &mut [f32; (2, 2, 2)], row: &out [f32; 4]) {
        copy(&x[(..2, ..2)], &out x[(2.., 2..)]);
        copy(&x[(.., 0)], &out x[(.., 1)]);
        copy(&x[(3, ..)], &out row);
        copy(&x[(..2, ..2)], &out y[(1, .., ..)]);
        fill(&out x[(4..4, ..)], 9.0);
        fill(&out x[1..2], 7.0);
        y[(0, 1, 1)] = x[(3, 3)] + row[0];
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let numbers: Vec<f32> = (0..16_u8).map(f32::from).collect();
    let (mut x, mut y, mut row) = (device.buffer_from(&numbers)?, device.zeros(8)?, device.zeros(4)?);
    let mut graph = BoxesArgs { x: &mut x, y: &mut y, row: &mut row }.build(&device)?;
    graph.launch()?;
    let expected = [0.0, 0.0, 2.0, 3.0, 7.0, 7.0, 7.0, 7.0, 8.0, 8.0, 0.0, 1.0, 12.0, 12.0, 4.0, 5.0];
    assert_eq!(graph.x().to_vec()?, expected);
    assert_eq!(graph.row().to_vec()?, [12.0, 12.0, 4.0, 5.0]);
    assert_eq!(graph.y().to_vec()?, [0.0, 0.0, 0.0, 17.0, 0.0, 0.0, 4.0, 4.0]);
    Ok(())
}
