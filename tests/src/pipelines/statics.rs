//! `static`: what a launch leaves is what the next one finds.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    /// A running sum of everything that was put into `x`, how often, and the largest element count of a body's passes.
    graph Running(x: &[f32; n], total: &out [f32; n], start: f32) {
        static sum: [f32; n] = start;
        static launches: [u32; 1] = 0;
        static triple: [u16; 3] = 0x0102;
        basic::sum_of_two<<<n.div_ceil(32), 32>>>(&x, &sum, &out total, n as u32);
        copy(&total, &out sum);
        launches[0] += 1;
        if launches[0] % 2 == 0 {
            triple[1] += 1;
        }
    }

    /// `next` takes the place of the kept buffer on each launch, which must be found there all the same.
    graph Doubling(n: usize) {
        static kept: [f32; n] = 1.0;
        let next: [f32; n];
        basic::copy_scaled<<<n.div_ceil(32), 32>>>(&kept, &out next, 2.0, n as u32);
        swap(&mut kept, &mut next);
    }

    graph Pinned(x: &mut [u32; 2]) {
        static seen: host [u32; 2] = 9;
        let before: [u32; 2];
        copy(&seen, &out before);
        copy(&x, &out seen);
        copy(&before, &out x);
    }
}

/// `start + x₁ + … + xₖ` after launch `k`, across rebinds and setters.
pub fn statics(device: &Device) -> Result<()> {
    let first = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
    let second = device.buffer_from(&[10.0_f32, 20.0, 30.0])?;
    let mut total = device.zeros::<f32>(3)?;
    let mut graph = RunningArgs { x: &first, total: &mut total, start: 100.0 }.build(device)?;
    assert_eq!(graph.sum().to_vec()?, [100.0; 3], "filled when the graph is built");
    for launch in 1..=4_u32 {
        run(&mut graph)?;
        assert_eq!(graph.sum().to_vec()?[1], 100.0 + 2.0 * launch as f32);
    }
    graph.rebind_x(&second)?;
    graph.set_start(-5.0)?;
    run(&mut graph)?;
    assert_eq!(graph.total().to_vec()?, [114.0, 128.0, 142.0], "a setter of the first value comes too late");
    assert_eq!(graph.launches().to_vec()?, [5]);
    assert_eq!(graph.triple().to_vec()?, [0x0102, 0x0104, 0x0102]);
    graph.sum_mut()?.write_from(&[0.0; 3])?;
    run(&mut graph)?;
    assert_eq!(graph.sum().to_vec()?, [10.0, 20.0, 30.0]);
    Ok(())
}

/// `2ᵏ` after launch `k`; each graph has its own.
pub fn swapped_statics(device: &Device) -> Result<()> {
    let mut graph = DoublingArgs { n: 40 }.build(device)?;
    let mut other = DoublingArgs { n: 2 }.build(device)?;
    for launch in 1..=6 {
        run(&mut graph)?;
        assert_eq!(graph.kept().to_vec()?, vec![2.0_f32.powi(launch); 40]);
    }
    run(&mut other)?;
    assert_eq!(other.kept().to_vec()?, [2.0; 2]);
    Ok(())
}

/// A setter that would change the length is refused, and nothing has changed.
pub fn static_lengths(device: &Device) -> Result<()> {
    let mut graph = DoublingArgs { n: 4 }.build(device)?;
    run(&mut graph)?;
    let Err(refused) = graph.set_n(8) else { panic!("the length of a static cannot change") };
    let text = refused.to_string();
    assert!(text.contains("`static kept` was built with 4 elements and would have 8 [CG0407]"), "{text}");
    run(&mut graph)?;
    assert_eq!(graph.kept().to_vec()?, [4.0; 4]);
    Ok(())
}

/// What goes in comes out one launch later.
pub fn pinned_statics(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1_u32, 2])?;
    let mut graph = PinnedArgs { x }.build(device)?;
    for expected in [[9, 9], [1, 2], [9, 9]] {
        run(&mut graph)?;
        assert_eq!(graph.x().to_vec()?, expected);
    }
    assert_eq!(graph.seen().to_vec()?, [1, 2]);
    Ok(())
}
