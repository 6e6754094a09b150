//! More launches side by side than lanes.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::{as_usual, run};

cuda_graph! {
    /// Each list has a chain of its own, in scratch memory of its own.
    pub graph Wide(x: [&mut [f32; n]], factor: f32, rounds: usize) {
        for _ in 0..rounds {
            for i in 0..x.len() {
                let t: [f32; n];
                basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x[i], &out t, factor, n as u32);
                basic::add_constant<<<n.div_ceil(32), 32>>>(&mut t, i as f32, n as u32);
                copy(&t, &out x[i]);
            }
        }
    }
}

/// So many lists.
pub const LISTS: usize = 150;

/// `x = 2 x + i` in 150 lists at once, then `x = 3 x + i` twice, and again after two of them are exchanged.
pub fn wide(device: &Device) -> Result<()> {
    let mut lists: Vec<_> = (0..LISTS).map(|i| device.buffer_from(&[i as f32; 3])).collect::<Result<_>>()?;
    let mut graph = WideArgs { x: &mut lists, factor: 2.0, rounds: 1 }.build(device)?;
    assert!(graph.plan().width() == 128 || !as_usual(device), "{}", graph.plan().width());
    run(&mut graph)?;
    graph.set_factor(3.0)?;
    assert_eq!(graph.last_update().and_then(graph_runtime::Update::touched), Some(LISTS));
    run(&mut graph)?;
    graph.set_rounds(2)?;
    run(&mut graph)?;
    for i in 0..LISTS {
        let first = 2.0 * i as f32 + i as f32;
        let expected = (0..3).fold(first, |x, _| 3.0 * x + i as f32);
        assert_eq!(graph.view_of::<f32>(&format!("x[{i}]"))?.to_vec()?, [expected; 3], "{i}");
    }
    let mut other = device.buffer_from(&[1.0_f32; 3])?;
    graph.rebind_x(7, &mut other)?;
    graph.set_rounds(1)?;
    run(&mut graph)?;
    assert_eq!(graph.view_of::<f32>("x[7]")?.to_vec()?, [10.0; 3]);
    Ok(())
}
