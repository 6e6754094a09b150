//! Graphs inside a graph: passed whole buffers, parts of them and elements of lists; in bodies, in passes, and inside each other.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// Graphs that others name by path.
pub mod parts {
    use graph_runtime::prelude::*;

    use crate::kernels::basic;

    cuda_graph! {
        /// `y = by * x + add`
        pub graph Affine(x: &[f32; n], y: &out [f32; n], by: f32, add: f32) {
            let t: [f32; n];
            basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out t, by, n as u32);
            copy(&t, &out y);
            'add: basic::add_constant<<<n.div_ceil(32), 32>>>(&mut y, add, n as u32);
        }

        /// `x = (x * x) * x`, by a kernel in the block.
        pub graph Cube(x: &mut [f32; n]) {
            kernel for i in 0..n {
                x[i] = x[i] * x[i] * x[i];
            }
        }

        /// Counts its launches in `calls`, and adds the count to each of `x`.
        pub graph Counted(x: &mut [u32]) {
            static count: [u32; 1] = 0;
            count[0] += 1;
            kernel for i in 0..x.len() {
                x[i] += count[0];
            }
        }
    }
}

/// Two things to add.
#[derive(Buffers)]
pub struct Layer {
    /// The first.
    pub weight: Buffer<f32>,
    /// The second.
    pub bias: Buffer<f32>,
}

cuda_graph! {
    /// `b = 3 * (2 * a + 1) + 1`, then its second half cubed.
    graph Twice(a: &[f32; n], b: &out [f32; n], by: f32) {
        let between: [f32; n];
        'first: parts::Affine { x: &a, y: &out between, by, add: 1.0 };
        'second: parts::Affine { x: &between, y: &out b, by: by + 1.0, add: 1.0 };
        parts::Cube { x: &mut b[n / 2..n] };
    }

    /// Each of `passes` rounds applies `Affine` to one half and swaps the halves.
    graph Rounds(x: &mut [f32; n], passes: usize) {
        let y: [f32; n];
        for i in 0..passes {
            Shifted { x: &x, y: &out y, by: i as f32 };
            swap(&mut x, &mut y);
        }
    }

    /// `y = x + by`: a graph that names another one of the block and one of another module.
    graph Shifted(x: &[f32; n], y: &out [f32; n], by: f32) {
        parts::Affine { x: &x, y: &out y, by: 1.0, add: by };
    }

    /// Doubles `x` until its sum is at least `goal`.
    graph Grow(x: &mut [f32; n], sum: &out [f32; 1], goal: f32) {
        sum[0] = (0..n).map(|i| x[i]).sum();
        'grow: while sum[0] < goal limit 64 {
            let next: [f32; n];
            parts::Affine { x: &x, y: &out next, by: 2.0, add: 0.0 };
            copy(&next, &out x);
            Sum { x: &x, sum: &out sum };
        }
    }

    graph Sum(x: &[f32; n], sum: &out [f32; 1]) {
        sum[0] = (0..n).map(|i| x[i]).sum();
    }

    /// Cubes each buffer of a list but one, which is left as it is.
    graph Each(w: [&mut [f32]], but: usize) {
        for i in 0..w.len() {
            if i != but {
                parts::Cube { x: &mut w[i] };
            }
        }
    }

    /// `y = y + x` in any element type, as a graph and in another one.
    graph Add<T: Element>(x: &[T; n], y: &mut [T; n], whole: &out [T; n]) {
        copy(&x[0..n / 2], &out whole[0..n / 2]);
        copy(&y[n / 2..n], &out whole[n / 2..n]);
    }

    graph AddBoth(a: &[f32; n], b: &mut [f32; n], c: &[u64; m], d: &mut [u64; m], e: &out [f32; n], f: &out [u64; m]) {
        Add::<f32> { x: &a[..n / 2], y: &mut b[..n / 2], whole: &out e[..n / 2] };
        copy(&a[n / 2..n], &out e[n / 2..n]);
        Add::<u64> { x: &c, y: &mut d, whole: &out f };
    }

    /// `y = x + weight + bias` of a layer that is passed whole.
    graph Linear(layer: &Layer, x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        basic::sum_of_two<<<n.div_ceil(32), 32>>>(&layer.weight, &x, &out t, n as u32);
        basic::sum_of_two<<<n.div_ceil(32), 32>>>(&layer.bias, &t, &out y, n as u32);
    }

    /// The layers one behind the other, all of one width.
    graph Layers(layers: [&Layer], x: &[f32; n], y: &out [f32; n]) {
        let h: [f32; n];
        copy(&x, &out y);
        for i in 0..layers.len() {
            Linear { layer: &layers[i], x: &y, y: &out h };
            swap(&mut y, &mut h);
        }
    }

    /// A list whole, then a list of it again.
    graph Lists(layers: [&Layer], x: &[f32; n], y: &out [f32; n]) {
        Layers { layers: &layers, x: &x, y: &out y };
    }

    /// Rows of a matrix as a line, a line as a matrix, a tile as a matrix.
    graph Shapes(x: &mut [f32; (4, 6)], line: &mut [f32; 24]) {
        parts::Cube { x: &mut x[(1..3, 0..6)] };
        Corner { x: &mut line[12..24] };
        CopyTile { from: &x[(0..2, 1..3)], to: &mut x[(2..4, 3..5)] };
    }

    /// What was picked from `x`, and ten more; where there is a mark, `y[i + n / 2]` is overwritten with 100.
    graph Picked(x: &[u32; n], pick: &[u32; n], mark: &[u32; n], y: &out [u32; n], ends: &out [u32; 2]) {
        kernel for i in 0..n { y[i] = x[pick[i]] + 10; }
        kernel for i in 0..n {
            if mark[i] > 0 { y[i + n / 2] = 100; }
        }
        kernel for i in 0..1 { ends[i] = y[0]; ends[i + 1] = y[n - 1]; }
    }

    /// Parts of one buffer, each made from the one before.
    graph Behind(pick: &[u32; n], mark: &[u32; n], y: &out [u32; 4 * n], ends: &out [u32; (2, 2)], n: usize) {
        let x: [u32; 4 * n];
        kernel for i in 0..n { x[i] = i as u32; }
        for k in 0..2 {
            let (at, next) = (k * n, (k + 1) * n);
            Picked { x: &x[at..next], pick: &pick, mark: &mark, y: &out x[next..next + n], ends: &out ends[(k..k + 1, ..)] };
        }
        kernel for i in 0..n { x[3 * n + i] = 7; }
        copy(&x, &out y);
    }

    graph Corner(x: &mut [f32; (3, 4)]) {
        kernel for (i, j) in (0..3, 0..4) {
            x[(i, j)] = x[(i, j)] + 100.0 * i as f32;
        }
    }

    graph CopyTile(from: &[f32; (2, 2)], to: &mut [f32; (2, 2)]) {
        copy(&from, &out to);
    }

    /// A callback and its object, in a graph inside the graph.
    graph Logged(x: &mut [f32; 1], seen: &mut host [f32; 1], log: &mut Vec<f32>) {
        for i in 0..3 {
            x[0] = x[0] * 2.0;
            copy(&x, &out seen);
            Note { seen: &seen, log: &mut log, plus: i as f32 };
        }
    }

    graph Note(seen: &host [f32; 1], log: &mut Vec<f32>, plus: f32) {
        host(&seen, &mut log, |seen, log| log.push(seen[0] + plus));
    }

    /// Two calls of one graph with a `static`: each counts for itself.
    graph Counts(x: &mut [u32; n], y: &mut [u32; 1]) {
        parts::Counted { x: &mut x[..2] };
        loop limit 3 {
            parts::Counted { x: &mut y };
        }
    }
}

/// A chain of two, with a part of the result, across setters and rebinds.
pub fn inside(device: &Device) -> Result<()> {
    let first = device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0])?;
    let second = device.buffer_from(&[0.0_f32, -1.0, 0.5, 1.0])?;
    let mut b = device.zeros::<f32>(4)?;
    let mut graph = TwiceArgs { a: &first, b: &mut b, by: 2.0 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.b().to_vec()?, [10.0, 16.0, 22.0_f32.powi(3), 28.0_f32.powi(3)]);
    graph.set_by(1.0)?;
    run(&mut graph)?;
    assert_eq!(graph.b().to_vec()?, [5.0, 7.0, 729.0, 1331.0]);
    graph.rebind_a(&second)?;
    run(&mut graph)?;
    assert_eq!(graph.b().to_vec()?, [3.0, 1.0, 64.0, 125.0]);
    Ok(())
}

/// `0 + 1 + … + (k - 1)` is added in `k` passes; an odd number of passes ends with a copy back.
pub fn inside_passes(device: &Device) -> Result<()> {
    for passes in [0, 1, 4, 5_usize] {
        let x = device.buffer_from(&[0.0_f32, 10.0, 20.0])?;
        let mut graph = RoundsArgs { x, passes }.build(device)?;
        run(&mut graph)?;
        let added = (0..passes).sum::<usize>() as f32;
        assert_eq!(graph.x().to_vec()?, [added, 10.0 + added, 20.0 + added]);
    }
    Ok(())
}

/// The sum of 1 … 4 is doubled until it reaches the goal.
pub fn inside_bodies(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0])?;
    let mut sum = device.zeros::<f32>(1)?;
    let mut graph = GrowArgs { x, sum: &mut sum, goal: 75.0 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.sum().to_vec()?, [80.0]);
    assert_eq!(graph.iterations(Grow::GROW)?, 3);
    assert_eq!(graph.x().to_vec()?, [8.0, 16.0, 24.0, 32.0]);
    Ok(())
}

/// Buffers of a list, of different lengths.
pub fn inside_lists(device: &Device) -> Result<()> {
    let buffer = |values: &[f32]| device.buffer_from(values);
    let mut w = vec![buffer(&[1.0, 2.0])?, buffer(&[3.0])?, buffer(&[-1.0, 0.5, 4.0])?];
    let mut graph = EachArgs { w: &mut w, but: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.w(0)?.to_vec()?, [1.0, 8.0]);
    assert_eq!(graph.w(1)?.to_vec()?, [3.0]);
    assert_eq!(graph.w(2)?.to_vec()?, [-1.0, 0.125, 64.0]);
    Ok(())
}

/// The first call has counted `k` after launch `k`, the one in the loop three times as often.
pub fn inside_statics(device: &Device) -> Result<()> {
    let x = device.zeros::<u32>(3)?;
    let y = device.zeros::<u32>(1)?;
    let mut graph = CountsArgs { x, y }.build(device)?;
    for launch in 1..=3_u32 {
        run(&mut graph)?;
        let one = launch * (launch + 1) / 2;
        let three = 3 * launch * (3 * launch + 1) / 2;
        assert_eq!(graph.x().to_vec()?, [one, one, 0]);
        assert_eq!(graph.y().to_vec()?, [three]);
    }
    Ok(())
}

/// Parts in two element types.
pub fn inside_generics(device: &Device) -> Result<()> {
    let (a, c) = (device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0])?, device.buffer_from(&[5_u64, 6])?);
    let (b, d) = (device.buffer_from(&[10.0_f32, 20.0, 30.0, 40.0])?, device.buffer_from(&[50_u64, 60])?);
    let (e, f) = (device.zeros::<f32>(4)?, device.zeros::<u64>(2)?);
    let mut graph = AddBothArgs { a, b, c, d, e, f }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.e().to_vec()?, [1.0, 20.0, 3.0, 4.0]);
    assert_eq!(graph.f().to_vec()?, [5, 60]);
    Ok(())
}

/// Each of three layers adds what it has.
pub fn inside_structs(device: &Device) -> Result<()> {
    let layer = |weight: f32, bias: f32| -> Result<Layer> {
        Ok(Layer { weight: device.buffer_from(&[weight, 1.0])?, bias: device.buffer_from(&[bias, 0.5])? })
    };
    let layers = vec![layer(1.0, 10.0)?, layer(2.0, 20.0)?, layer(3.0, 30.0)?];
    let x = device.buffer_from(&[1.0_f32, 2.0])?;
    let y = device.zeros::<f32>(2)?;
    let mut graph = ListsArgs { layers: &layers, x: &x, y }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [67.0, 6.5]);
    Ok(())
}

/// Rows 1 and 2 of 0 … 23 cubed, then a tile copied.
pub fn inside_shapes(device: &Device) -> Result<()> {
    let numbers: Vec<f32> = (0..24_u8).map(f32::from).collect();
    let (x, line) = (device.buffer_from(&numbers)?, device.buffer_from(&numbers)?);
    let mut graph = ShapesArgs { x, line }.build(device)?;
    run(&mut graph)?;
    let mut expected = numbers.clone();
    expected[6..18].iter_mut().for_each(|x| *x = x.powi(3));
    for (to, from) in [(15, 1), (16, 2), (21, 7), (22, 8)] {
        expected[to] = expected[from];
    }
    assert_eq!(graph.x().to_vec()?, expected);
    let added = |(index, x): (usize, &f32)| if index < 12 { *x } else { x + 100.0 * ((index - 12) / 4) as f32 };
    assert_eq!(graph.line().to_vec()?, numbers.iter().enumerate().map(added).collect::<Vec<_>>());
    Ok(())
}

/// `2, 4 + 1, 8 + 2` in this order.
pub fn inside_callbacks(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32])?;
    let seen = device.pinned_zeros::<f32>(1)?;
    let mut graph = LoggedArgs { x, seen, log: Vec::new() }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [8.0]);
    Ok(())
}

/// Lengths are compared, and what is touched beyond a part is refused.
pub fn inside_lengths(device: &Device) -> Result<()> {
    let x = device.zeros::<f32>(23)?;
    let line = device.zeros::<f32>(24)?;
    let Err(refused) = (ShapesArgs { x, line }).build(device) else { panic!("`x` is too short") };
    assert!(refused.to_string().contains("[CG0203]"), "{refused}");
    let (a, b) = (device.zeros::<f32>(3)?, device.zeros::<f32>(3)?);
    let (c, d) = (device.zeros::<u64>(2)?, device.zeros::<u64>(2)?);
    let (e, f) = (device.zeros::<f32>(3)?, device.zeros::<u64>(2)?);
    let mut graph = AddBothArgs { a, b, c, d, e, f }.build(device)?;
    run(&mut graph)
}

/// Indices count from a part's first element, also where they are data; one beyond the part is told, and touches nothing.
pub fn inside_indices(device: &Device) -> Result<()> {
    let (pick, mark) = (device.buffer_from(&[3_u32, 2, 1, 0])?, device.buffer_from(&[0_u32, 1, 0, 0])?);
    let (y, ends) = (device.zeros::<u32>(16)?, device.zeros::<u32>(4)?);
    let mut graph = BehindArgs { pick, mark, y, ends, n: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [0, 1, 2, 3, 13, 12, 11, 100, 110, 21, 22, 100, 7, 7, 7, 7]);
    assert_eq!(graph.ends().to_vec()?, [13, 100, 110, 100]);
    graph.mark_mut()?.write_from(&[0, 0, 1, 0])?;
    let outside = run(&mut graph).and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(outside.contains("index 4 is out of bounds: `x` has 4 elements"), "{outside}");
    Ok(())
}

/// Graphs with loops, inside each other.
mod counted {
    use graph_runtime::prelude::*;

    cuda_graph! {
        pub graph Halved(x: &mut [f32; n], bound: f32) {
            'halve: while x[0] > bound limit 20 {
                kernel for i in 0..n { x[i] *= 0.5; }
            }
        }

        pub graph Twice(x: &mut [f32; n], bound: f32) {
            for k in 0..2 {
                'step: Halved { x: &mut x, bound: bound / (1 + 7 * k) as f32 };
            }
        }
    }
}

cuda_graph! {
    graph Around(x: &mut [f32; n], bound: f32) {
        'first: counted::Halved { x: &mut x, bound: 4.0 * bound };
        'both: counted::Twice { x: &mut x, bound };
    }
}

/// How often loops of graphs inside the graph ran.
pub fn iterations(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[64.0_f32, 1.0])?;
    let mut graph = AroundArgs { x: &mut x, bound: 2.0 }.build(device)?;
    run(&mut graph)?;
    // 64 to 8, to 2, to a quarter of it.
    let step = |k: u32| Around::BOTH.inner(counted::Twice::STEP.pass(k)).inner(counted::Halved::HALVE);
    assert_eq!(graph.iterations(Around::FIRST.inner(counted::Halved::HALVE))?, 3);
    assert_eq!((graph.iterations(step(0))?, graph.iterations(step(1))?), (2, 3));
    assert_eq!(graph.exit(step(1))?, Exit::Condition);
    let none = graph.iterations(step(2)).unwrap_err().to_string();
    assert!(none.contains("there is no such pass") || none.contains("not part of the graph"), "{none}");
    let wrong = graph.iterations(step(0).inner(counted::Halved::HALVE)).unwrap_err().to_string();
    assert!(wrong.contains("names no graph"), "{wrong}");
    Ok(())
}
