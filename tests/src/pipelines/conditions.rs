//! Loops whose condition a kernel sets.

use graph_runtime::prelude::*;

use crate::run::run;

/// See `kernels/conditions.cu`.
#[cuda_module("kernels/conditions.cu")]
pub unsafe mod setting {
    /// Halves `x`; another pass while its first element is larger than `bound`.
    #[block(32)]
    #[requires(grid.x == 1 && n <= block.x)]
    pub fn halve(x: &mut [f32; n], passes: &mut [u32; 1], bound: f32, again: Condition, n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x *= 0.5);
        passes[0] += 1;
        again.set(u32::from(x[0] > bound));
    }
}

cuda_graph! {
    /// Halves until a kernel says stop.
    pub graph Halve(x: &mut [f32; n], passes: &mut [u32; 1], bound: f32) {
        'halve: while |again| {
            setting::halve<<<1>>>(&mut x, &mut passes, bound, again, n as u32);
        }
    }

    graph Limited(x: &mut [f32; n], passes: &mut [u32; 1], bound: f32, most: u64) {
        'halve: while |again| limit most {
            setting::halve<<<1>>>(&mut x, &mut passes, bound, again, n as u32);
        }
    }

    /// A condition within a loop, which must be set anew each time that the inner loop is reached, and one beside it.
    graph Nested(from: &[f32; n], x: &mut [f32; n], y: &mut [f32; n], passes: &mut [u32; 1], turn: &mut [u32; 1], others: &mut [u32; 1]) {
        while turn[0] < 3 {
            turn[0] += 1;
            copy(&from, &out x);
            'inner: while |again| {
                setting::halve<<<1>>>(&mut x, &mut passes, 10.0, again, n as u32);
            }
        }
        while |more| {
            setting::halve<<<1>>>(&mut y, &mut others, 1.0, more, n as u32);
            if others[0] == 100 {
                turn[0] = 0;
            }
        }
    }
}

/// The kernel ends the loop; setting a value that it decides by counts from the next launch on.
pub fn set_by_a_kernel(device: &Device) -> Result<()> {
    let (mut x, mut passes) = (device.buffer_from(&[48.0_f32, 16.0])?, device.zeros::<u32>(1)?);
    let mut graph = HalveArgs { x: &mut x, passes: &mut passes, bound: 10.0 }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.passes().to_vec()?), (vec![6.0, 2.0], vec![3]));
    assert_eq!((graph.iterations(Halve::HALVE)?, graph.exit(Halve::HALVE)?), (3, Exit::Condition));
    graph.set_bound(1.0)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.passes().to_vec()?), (vec![0.75, 0.25], vec![6]));
    let y = device.buffer_from(&[8.0_f32, 4.0])?;
    drop(graph);
    let mut graph = HalveArgs { x: y, passes: &mut passes, bound: 1.0 }.build(device)?;
    run(&mut graph)?;
    let old = graph.rebind_x(device.buffer_from(&[64.0_f32, 2.0])?)?;
    assert_eq!(old.to_vec()?, [1.0, 0.5]);
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [1.0, 0.031_25]);
    assert_eq!(graph.iterations(Halve::HALVE)?, 6);
    Ok(())
}

/// The limit ends it while the kernel asks for more.
pub fn set_with_a_limit(device: &Device) -> Result<()> {
    let (mut x, mut passes) = (device.buffer_from(&[48.0_f32])?, device.zeros::<u32>(1)?);
    let mut graph = LimitedArgs { x: &mut x, passes: &mut passes, bound: 1.0, most: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.iterations(Limited::HALVE)?), (vec![3.0], 4));
    assert_eq!(graph.exit(Limited::HALVE)?, Exit::Limit);
    graph.set_most(10)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.iterations(Limited::HALVE)?), (vec![0.75], 2));
    assert_eq!(graph.exit(Limited::HALVE)?, Exit::Condition);
    graph.set_most(0)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.iterations(Limited::HALVE)?), (vec![0.75], 0));
    Ok(())
}

/// An inner loop starts with its condition set, each time that it is reached.
pub fn set_within_a_loop(device: &Device) -> Result<()> {
    let from = device.buffer_from(&[48.0_f32])?;
    let (mut x, mut y) = (device.zeros::<f32>(1)?, device.buffer_from(&[32.0_f32])?);
    let (mut passes, mut turn) = (device.zeros::<u32>(1)?, device.zeros::<u32>(1)?);
    let mut others = device.zeros::<u32>(1)?;
    let args =
        NestedArgs { from: &from, x: &mut x, y: &mut y, passes: &mut passes, turn: &mut turn, others: &mut others };
    let mut graph = args.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.passes().to_vec()?), (vec![6.0], vec![9]));
    assert_eq!(graph.iterations(Nested::INNER)?, 3, "of the last time");
    assert_eq!((graph.y().to_vec()?, graph.others().to_vec()?), (vec![1.0], vec![5]));
    Ok(())
}
