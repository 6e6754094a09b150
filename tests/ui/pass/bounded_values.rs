// CG0206, CG0208: bounds may name other values and lengths, and decide; what the value decides is decided on the device.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Bounded(n: usize <= capacity, m: u32 <= wide, x: &mut [f32; capacity], y: &out [f32; m], wide: u32) {
        let rest = capacity - n;
        fill(&out x[n..], 0.0);
        fill(&out x[..n], 1.0);
        basic::add_constant<<<n.bound().div_ceil(32), 32>>>(&mut x[n..], 1.0, rest as u32);
        if n.bound() > 4 && m.bound() < 4 {
            basic::add_constant<<<1, 32>>>(&mut x, 2.0, 1);
        }
        let count: [u32; 1] = m;
        if count[0] > 2 {
            x[0] = m as f32;
        }
        let scratch: [f32; m * 2];
        fill(&out scratch[..m], 1.0);
        fill(&out scratch[m..], 1.0);
        copy(&scratch[m..], &out y);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.zeros(8)?;
    let y = device.zeros(3)?;
    let mut graph = BoundedArgs { n: 3, m: 2, x, y, wide: 3 }.build(&device)?;
    graph.launch()?;
    graph.set_m(3)?;
    graph.set_n(8)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(graph.y().to_vec()?, [1.0; 3]);
    Ok(())
}
