// CG0301: `after` down the text, with the data, and up between statements that share nothing, or where that shows when the graph is built.
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

cuda_graph! {
    graph Later(x: &mut [f32; n], low: usize, high: usize, wide: bool) {
        let w: [[f32; n]; 2];
        'below: kernel for i in 0..low { x[i] = 1.0; } after 'above;
        'above: kernel for i in high..n { x[i] = 2.0; }
        'first: copy(&x, &out w[0]) after 'second;
        'second: fill(&out w[1], 3.0);
        'sum: kernel for i in 0..n { x[i] = w[0][i] + w[1][i]; } after 'more;
        'more: if wide { kernel for i in 0..n { x[i] *= 10.0; } }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros(3)?;
    let mut graph = LaterArgs { x: &mut x, low: 1, high: 2, wide: false }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [4.0, 3.0, 5.0]);
    drop(graph);
    let says = |low, wide| {
        let mut x = device.zeros(3)?;
        let refused = LaterArgs { x: &mut x, low, high: 2, wide }.build(&device);
        Ok::<_, Error>(refused.err().map(|error| error.to_string()).unwrap_or_default())
    };
    let message = says(3, false)?;
    assert!(message.contains("dependency cycle: `below` -> `above` -> `below` [CG0301]"), "{message}");
    let message = says(1, true)?;
    assert!(message.contains("-> `sum` [CG0301]"), "{message}");
    Ok(())
}
