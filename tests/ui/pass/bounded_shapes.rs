// CG0206, CG0208: the bound decides what there is, the value how much of it; `limit` and geometry may vary.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Rows(n: u32 <= 8, x: &mut [f32; (n, 4)], passes: &mut [u32; 1]) {
        for row in 0..n.bound() { if row == 7 { fill(&out passes, 0); } }
        let wide = n.bound() > 4;
        if wide { fill(&out x[(.., 0)], 1.0); }
        'down: while passes[0] < 100 limit n { passes[0] += 1; }
        basic::add_constant<<<n.div_ceil(2), 8>>>(&mut x, 1.0, n * 4);
        match n.bound() { 8 => { fill(&out x[(0, ..)], 5.0); } _ => {} }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (x, passes) = (device.zeros::<f32>(32)?, device.zeros(1)?);
    let mut graph = RowsArgs { n: 2, x, passes }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.iterations(Rows::DOWN)?, 2);
    assert_eq!(graph.x().to_vec()?[..9], [5.0, 5.0, 5.0, 5.0, 2.0, 1.0, 1.0, 1.0, 0.0]);
    graph.set_n(8)?;
    graph.launch()?;
    assert_eq!(graph.passes().to_vec()?, [8]);
    assert!(graph.set_n(9).is_err());
    Ok(())
}
