//! Order that data gives: chains, fan-outs, branches side by side.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::{as_usual, run};

cuda_graph! {
    /// `((x + 2) * 3) * 3`
    #[allow(redundant_after, reason = "an edge that two reasons give is one edge")]
    graph Chain(x: &mut [f32; n]) {
        'two: basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 2.0, n as u32);
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 3.0, n as u32) after 'two;
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 3.0, n as u32);
    }

    /// Two branches from one source, joined.
    graph Diamond(x: &[f32; n], y: &out [f32; n]) {
        let a: [f32; n];
        let b: [f32; n];
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out a, 2.0, n as u32);
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out b, 3.0, n as u32);
        basic::sum_of_two<<<n.div_ceil(64), 64>>>(&a, &b, &out y, n as u32);
    }
}

macro_rules! fan_out {
    ($($from:literal)*) => {
        cuda_graph! {
            /// One writer, many readers of disjoint parts.
            graph FanOut(x: &mut [f32; 64], y: &out [f32; 64]) {
                basic::add_constant<<<1, 64>>>(&mut x, 1.0, 64);
                $(basic::copy_scaled<<<1, 1>>>(&x[$from..$from + 1], &out y[$from..$from + 1], 2.0, 1);)*
            }
        }
    };
}

fan_out!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42
    43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);

/// 1 becomes ((1 + 2) * 3) * 3 = 27, then ((27 + 2) * 3) * 3 = 261.
pub fn chain(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1.0_f32; 100])?;
    let mut graph = ChainArgs { x: &mut x }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [27.0; 100]);
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [261.0; 100]);
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [2367.0; 100]);
    drop(graph);
    assert_eq!(x.to_vec()?, [2367.0; 100]);
    Ok(())
}

/// Every reader sees what the writer wrote, on each of many launches.
pub fn fan_out(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&std::array::from_fn::<f32, 64, _>(|i| i as f32))?;
    let mut y = device.zeros::<f32>(64)?;
    let mut graph = FanOutArgs { x: &mut x, y: &mut y }.build(device)?;
    for launch in 1..=50_u32 {
        run(&mut graph)?;
        let expected: Vec<f32> = (0..64).map(|i| 2.0 * (i + launch) as f32).collect();
        assert_eq!(graph.y().to_vec()?, expected, "launch {launch}");
    }
    Ok(())
}

/// `2 x + 3 x`, with both products free to run at once.
pub fn side_by_side(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
    let mut y = device.zeros::<f32>(3)?;
    let mut graph = DiamondArgs { x: &x, y: &mut y }.build(device)?;
    assert!(graph.plan().width() == 2 || !as_usual(device));
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [5.0, 10.0, 15.0]);
    Ok(())
}
