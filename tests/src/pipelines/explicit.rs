//! `#[explicit]` graphs: the edges that are written, and no others.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    /// Two halves side by side, then both; the first order is a way of two `after`s.
    #[explicit]
    graph Halves(x: &mut [f32; n], y: &mut [f32; n], k: usize) {
        let ones: [f32; n] = 1.0;
        'low: fill(&out x[..k], 1.0);
        'high: fill(&out x[k..], 2.0);
        'both: basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 3.0, n as u32) after 'low, 'high;
        'sum: basic::sum_of_two<<<n.div_ceil(64), 64>>>(&ones, &x, &out y, n as u32) after 'both;
        'more: basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 1.0, n as u32) after 'sum;
    }

    /// Passes of the host's, a loop on the device, and a graph inside whose edges are inferred.
    #[explicit]
    graph Passes(x: &mut [f32; n], y: &mut [f32; n], left: &mut [u32; 1], m: usize) {
        let t: [f32; n];
        'passes: for _ in 0..m {
            'one: basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 1.0, n as u32);
            'two: basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out y, 2.0, n as u32) after 'one;
        }
        'turns: loop limit 6 every 2 {
            'keep: copy(&x, &out t);
            'double: basic::sum_of_two<<<n.div_ceil(64), 64>>>(&t, &t, &out x, n as u32) after 'keep;
            'down: left[0] -= 1;
            if left[0] == 0 { break; }
        } after 'passes;
        'inside: Inferred { x: &mut x, y: &mut y } after 'turns;
    }

    graph Inferred(x: &mut [f32; n], y: &mut [f32; n]) {
        basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
        basic::add_constant<<<n.div_ceil(64), 64>>>(&mut y, 0.5, n as u32);
        copy(&x[..1], &out y[..1]);
    }
}

/// Each element, and the edges one by one.
pub fn explicit(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.zeros::<f32>(100)?, device.zeros::<f32>(100)?);
    let mut graph = HalvesArgs { x: &mut x, y: &mut y, k: 30 }.build(device)?;
    let edges = graph.plan().edges();
    let edges: Vec<_> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    let expected = [("low", "both"), ("high", "both"), ("fill ones", "sum"), ("both", "sum"), ("sum", "more")];
    assert_eq!(edges, expected);
    for k in [30, 0, 100] {
        graph.x_mut()?.write_from(&[7.0; 100])?;
        graph.set_k(k)?;
        run(&mut graph)?;
        let filled = |i: usize| if i < k { 3.0 } else { 6.0 };
        assert_eq!(graph.x().to_vec()?, (0..100).map(|i| filled(i) + 1.0).collect::<Vec<_>>());
        assert_eq!(graph.y().to_vec()?, (0..100).map(|i| filled(i) + 1.0).collect::<Vec<_>>());
    }
    Ok(())
}

/// `m` passes add one each, four turns double, a half is added.
pub fn passes(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.buffer_from(&[1.0_f32; 70])?, device.zeros::<f32>(70)?);
    let mut left = device.buffer_from(&[4_u32])?;
    let mut graph = PassesArgs { x: &mut x, y: &mut y, left: &mut left, m: 3 }.build(device)?;
    run(&mut graph)?;
    // (1 + 3) · 2⁴ + ½, and 2 · (1 + 3) + ½.
    assert_eq!(graph.x().to_vec()?, [64.5; 70]);
    let y = graph.y().to_vec()?;
    assert_eq!((y[0], &y[1..]), (64.5, &[8.5; 69][..]));
    Ok(())
}
