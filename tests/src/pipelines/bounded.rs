//! Values with a bound: memory and order for the bound, everything else for the value.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    /// `y = 2 x + 1` for the first `n` elements, by way of a transient.
    graph First(n: usize <= capacity, x: &[f32; n], y: &mut [f32; n], capacity: usize) {
        let t: [f32; n] = 1.0;
        let twice: [f32; n];
        basic::copy_scaled<<<n.bound().div_ceil(32), 32>>>(&x, &out twice, 2.0, x.len() as u32);
        basic::sum_of_two<<<n.div_ceil(32) + 1, 32>>>(&t, &twice, &out y, n as u32);
    }

    /// The first `n` of 100 elements are ones, the others twos; the last `n` of `z` are the first of `y`.
    graph Cut(y: &out [u32; 100], z: &mut [u32; size], n: u32 <= 100, size: usize) {
        let at = n as usize;
        fill(&out y[at..], 2);
        fill(&out y[..at], 1);
        copy(&y[..at], &out z[size - at..]);
    }

    /// A loop on the device of `n` passes, and as many rows of three.
    graph Rows(n: u32 <= 8, rows: &out [u32; 3 * n], passes: &out [u32; 1]) {
        passes[0] = 0;
        'rows: while passes[0] < n limit n.bound() {
            passes[0] += 1;
        }
        fill(&out rows, n);
    }
}

/// Setters up and down, from nothing to the bound; what lies behind the value stays.
pub fn bounded(device: &Device) -> Result<()> {
    let x = device.buffer_from(&(0..40).map(|i| i as f32).collect::<Vec<_>>())?;
    let mut y = device.zeros::<f32>(40)?;
    let mut graph = FirstArgs { n: 40, x: &x, y: &mut y, capacity: 40 }.build(device)?;
    let memory = graph.memory();
    let edges = graph.plan().edges();
    for n in [40, 3, 1, 40, 33] {
        graph.set_n(n)?;
        graph.y_mut()?.write_from(&[-1.0; 40])?;
        run(&mut graph)?;
        let expected: Vec<f32> = (0..40).map(|i| if i < n { 2.0 * i as f32 + 1.0 } else { -1.0 }).collect();
        assert_eq!(graph.y().to_vec()?, expected, "{n} of 40");
        assert_eq!(graph.memory(), memory, "the memory is that of the bound");
        assert_eq!(graph.plan().edges(), edges, "so is the order");
    }
    Ok(())
}

/// Ranges on both sides of the value.
pub fn bounded_ranges(device: &Device) -> Result<()> {
    let mut y = device.zeros::<u32>(100)?;
    let mut z = device.zeros::<u32>(120)?;
    let mut graph = CutArgs { y: &mut y, z: &mut z, n: 0, size: 120 }.build(device)?;
    for n in [0_u32, 1, 50, 100, 0, 99] {
        graph.set_n(n)?;
        graph.z_mut()?.write_from(&[7; 120])?;
        run(&mut graph)?;
        let y: Vec<u32> = (0..100).map(|i| if i < n { 1 } else { 2 }).collect();
        let z: Vec<u32> = (0..120).map(|i| if i >= 120 - n { 1 } else { 7 }).collect();
        assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), (y, z), "{n} of 100");
    }
    Ok(())
}

/// The device sees the value; a value beyond the bound changes nothing.
pub fn bounded_values(device: &Device) -> Result<()> {
    let mut rows = device.zeros::<u32>(24)?;
    let mut passes = device.zeros::<u32>(1)?;
    let mut graph = RowsArgs { n: 2, rows: &mut rows, passes: &mut passes }.build(device)?;
    for n in [2, 8, 0, 5] {
        graph.set_n(n)?;
        run(&mut graph)?;
        assert_eq!(graph.iterations(Rows::ROWS)?, u64::from(n));
        assert_eq!(graph.passes().to_vec()?, [n]);
        let first = 3 * n as usize;
        assert_eq!(graph.rows().to_vec()?[..first], vec![n; first]);
    }
    let text = graph.set_n(9).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("`n` is 9, more than its bound `8` [CG0206]"), "{text}");
    run(&mut graph)?;
    assert_eq!(graph.passes().to_vec()?, [5]);
    drop(graph);
    let (x, mut y) = (device.zeros(8)?, device.zeros(8)?);
    let small = FirstArgs { n: 9, x: &x, y: &mut y, capacity: 8 }.build(device);
    let text = small.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("`n` is 9, but its bound `capacity` is 8 [CG0206]"), "{text}");
    let (x, mut y) = (device.zeros(4)?, device.zeros(8)?);
    let short = FirstArgs { n: 4, x: &x, y: &mut y, capacity: 8 }.build(device);
    let text = short.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("`x` has 4 elements, but `n` is 8 [CG0203]"), "{text}");
    Ok(())
}

/// Graphs with bounds of their own.
mod inner {
    use graph_runtime::prelude::*;

    cuda_graph! {
        pub graph Raised(x: &mut [u32; most], count: usize <= most, most: usize, by: u32) {
            kernel for i in 0..count { x[i] += by; }
        }
    }
}

cuda_graph! {
    graph Bounded(x: &mut [u32; most], count: usize <= most, most: usize) {
        inner::Raised { x: &mut x, count, most, by: 1 };
        inner::Raised { x: &mut x, count: count / 2, most, by: 10 };
    }
}

/// A value with a bound reaches graphs inside the graph.
pub fn bounded_inside(device: &Device) -> Result<()> {
    let mut x = device.zeros::<u32>(6)?;
    let mut graph = BoundedArgs { x: &mut x, count: 4, most: 6 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [11, 11, 1, 1, 0, 0]);
    graph.set_count(6)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [22, 22, 12, 2, 1, 1]);
    graph.set_count(0)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [22, 22, 12, 2, 1, 1]);
    let beyond = graph.set_count(7).unwrap_err().to_string();
    assert!(beyond.contains("`count` is 7"), "{beyond}");
    Ok(())
}
