//! Loops that one launch runs whole: values, ends, counters, changes, and many of them at once.

use graph_runtime::prelude::*;

cuda_graph! {
    /// Conjugate gradient on the five-point Laplacian of `n * n` points inside a frame of zeros.
    graph Solve(x: &mut [f64; (n + 2, n + 2)], r: &mut [f64; (n + 2, n + 2)], p: &mut [f64; (n + 2, n + 2)], stop: f64, n: usize) {
        let q: [f64; (n + 2, n + 2)];
        let rr: [f64; 1];
        let new: [f64; 1];
        let pq: [f64; 1];
        rr[0] = (1..n + 1, 1..n + 1).map(|(i, j)| r[(i, j)] * r[(i, j)]).sum();
        'solve: while rr[0] > stop limit 2_000 {
            kernel for (i, j) in (1..n + 1, 1..n + 1) {
                q[(i, j)] = 4.0 * p[(i, j)] - p[(i, j - 1)] - p[(i, j + 1)] - p[(i - 1, j)] - p[(i + 1, j)];
            }
            pq[0] = (1..n + 1, 1..n + 1).map(|(i, j)| p[(i, j)] * q[(i, j)]).sum();
            kernel for (i, j) in (1..n + 1, 1..n + 1) {
                x[(i, j)] += rr[0] / pq[0] * p[(i, j)];
                r[(i, j)] -= rr[0] / pq[0] * q[(i, j)];
            }
            new[0] = (1..n + 1, 1..n + 1).map(|(i, j)| r[(i, j)] * r[(i, j)]).sum();
            kernel for (i, j) in (1..n + 1, 1..n + 1) { p[(i, j)] = r[(i, j)] + new[0] / rr[0] * p[(i, j)]; }
            rr[0] = new[0];
        }
    }

    /// Each pass shifts `x` by one place and counts: every element ends where it is known to.
    graph Shift(x: &mut [u32; n], count: &mut [u32; 1], first: &mut [u32; 1], by: u32, passes: u64) {
        let y: [u32; n];
        'shift: loop limit passes {
            kernel for i in 0..n { y[i] = x[(i + 1) % n]; }
            kernel for i in 0..n { x[i] = y[i] + by; }
            first[0] = x[0];
            count[0] += 1;
            assert!(count[0] > 0);
        }
    }

    /// A fill, a kernel that adds to it, a maximum, and the end by a sum.
    graph Sevens(x: &[u32; n], y: &mut [u32; n], most: &out [u32; 1], total: &mut [u64; 1], until: u64) {
        'count: loop limit 1_000 {
            fill(&out y, 7);
            kernel for i in 0..n { y[i] += x[i]; }
            most[0] = (0..n).map(|i| y[i]).max();
            total[0] += most[0] as u64;
            if total[0] >= until { break; }
        }
    }
}

/// What nobody has written yet.
const POISON: u32 = 0xdead_beef;

/// Zeros with `inside` in the `n * n` points within the frame.
fn framed(n: usize, inside: f64) -> Vec<f64> {
    let side = n + 2;
    let within = |i: usize| (1..=n).contains(&(i / side)) && (1..=n).contains(&(i % side));
    (0..side * side).map(|i| if within(i) { inside } else { 0.0 }).collect()
}

/// The solution and the passes that it took.
fn solved(device: &Device, n: usize) -> Result<(Vec<f64>, u64)> {
    let framed = |inside| device.buffer_from(&framed(n, inside));
    let (mut x, mut r, mut p) = (framed(0.0)?, framed(1.0)?, framed(1.0)?);
    let mut graph = SolveArgs { x: &mut x, r: &mut r, p: &mut p, stop: 1e-20, n }.build(device)?;
    graph.launch()?;
    assert_eq!(graph.exit(Solve::SOLVE)?, Exit::Condition);
    let passes = graph.iterations(Solve::SOLVE)?;
    Ok((graph.x().to_vec()?, passes))
}

#[test]
fn a_solver_gives_the_bits_of_the_cpu_for_every_size_of_grid() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    for n in [1, 2, 7, 33, 128, 300, 600] {
        let (ours, theirs) = (solved(&device, n)?, solved(&Device::cpu(), n)?);
        assert_eq!(ours.1, theirs.1, "passes on {n} * {n} points");
        let differs = ours.0.iter().zip(&theirs.0).position(|(a, b)| a.to_bits() != b.to_bits());
        assert_eq!(differs, None, "on {n} * {n} points");
        // The residual of what was found, computed here, which drifts from the one that ended the loop: every point inside has 1 on the right.
        let side = n + 2;
        let x = &ours.0;
        let residual = (1..=n)
            .flat_map(|i| (1..=n).map(move |j| i * side + j))
            .map(|k| 1.0 - (4.0 * x[k] - x[k - 1] - x[k + 1] - x[k - side] - x[k + side]));
        let squared: f64 = residual.map(|r| r * r).sum();
        assert!(squared < 1e-14, "{squared} on {n} * {n} points");
    }
    Ok(())
}

#[test]
fn a_loop_in_one_launch_is_in_the_plan() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let (mut x, mut count, mut first) = (device.zeros(4)?, device.zeros(1)?, device.zeros(1)?);
    let graph = ShiftArgs { x: &mut x, count: &mut count, first: &mut first, by: 0, passes: 3 }.build(&device)?;
    let plan = graph.plan().to_string();
    assert!(plan.contains("one launch runs all passes"), "{plan}");
    Ok(())
}

#[test]
fn passes_follow_each_other_and_changes_reach_them() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    // One block; two that one runs; more.
    for n in [1_usize, 5, 1000, 2048, 2049, 4096, 70_001, 1 << 21] {
        let start: Vec<u32> = (0..n as u32).collect();
        let mut x = device.buffer_from(&start)?;
        let (mut count, mut first) = (device.zeros::<u32>(1)?, device.buffer_from(&[77_u32])?);
        let arguments = ShiftArgs { x: &mut x, count: &mut count, first: &mut first, by: 3, passes: 5 };
        let mut graph = arguments.build(&device)?;
        let shifted = |passes: usize, by: u32| -> Vec<u32> { (0..n).map(|i| ((i + passes) % n) as u32 + by).collect() };
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, shifted(5, 15), "{n} elements");
        assert_eq!((graph.count().to_vec()?, graph.first().to_vec()?), (vec![5], vec![(5 % n) as u32 + 15]));
        assert_eq!((graph.iterations(Shift::SHIFT)?, graph.exit(Shift::SHIFT)?), (5, Exit::Limit));
        graph.set_by(1)?;
        graph.set_passes(4)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, shifted(9, 19), "{n} elements, another value");
        assert_eq!(graph.iterations(Shift::SHIFT)?, 4);
        let mut other = device.buffer_from(&start)?;
        graph.rebind_x(&mut other)?;
        graph.set_passes(0)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, start, "{n} elements, no pass");
        assert_eq!(graph.iterations(Shift::SHIFT)?, 0);
        graph.set_passes(2)?;
        graph.launch()?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, shifted(4, 4), "{n} elements, another buffer");
    }
    Ok(())
}

#[test]
fn fills_maxima_and_a_broken_loop() -> Result<()> {
    let cpu = Device::cpu();
    let device = crate::device();
    let devices = device.as_deref().into_iter().chain([&cpu]);
    let sizes = [1_usize, 17, 1023, 1024, 2047, 2048, 40_000, 1 << 20];
    for (device, n) in devices.flat_map(|device| sizes.map(|n| (device, n))) {
        // The largest is 2,593, and seven more.
        let values: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(7919) % 2593).chain([2593]).collect();
        let x = device.buffer_from(&values)?;
        let (mut y, mut most) = (device.buffer_from(&vec![POISON; n + 1])?, device.buffer_from(&[POISON])?);
        let mut total = device.zeros::<u64>(1)?;
        let arguments = SevensArgs { x: &x, y: &mut y, most: &mut most, total: &mut total, until: 26_001 };
        let mut graph = arguments.build(device)?;
        for launch in 1..=2 {
            graph.launch()?;
            assert!(graph.y().to_vec()?.iter().zip(&values).all(|(y, x)| *y == x + 7), "{n} elements");
            assert_eq!(graph.most().to_vec()?, [2600]);
            // Eleven passes of 2,600 are the first over 26,001; then one more is enough.
            let (passes, all) = if launch == 1 { (11, 28_600) } else { (1, 31_200) };
            assert_eq!((graph.iterations(Sevens::COUNT)?, graph.total().to_vec()?), (passes, vec![all]));
            assert_eq!(graph.exit(Sevens::COUNT)?, Exit::Condition);
        }
    }
    Ok(())
}

#[test]
fn many_at_once_wait_for_the_device_and_not_for_each_other() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    // Some are small, some want all multiprocessors, and the two largest are conditional nodes.
    let sizes = [100_usize, 1 << 20, 5000, 100_001, 7, 1 << 17, 300, 1 << 21];
    let mut graphs = Vec::new();
    for n in sizes {
        let x = device.buffer_from(&(0..n as u32).collect::<Vec<_>>())?;
        let (count, first) = (device.zeros::<u32>(1)?, device.zeros::<u32>(1)?);
        graphs.push(ShiftArgs { x, count, first, by: 1, passes: 20 }.build(&device)?);
    }
    for _ in 0..5 {
        for graph in &mut graphs {
            graph.launch()?;
        }
    }
    for (graph, n) in graphs.iter_mut().zip(sizes) {
        let expected: Vec<u32> = (0..n).map(|i| ((i + 100) % n) as u32 + 100).collect();
        assert!(graph.x().to_vec()? == expected, "{n} elements");
    }
    Ok(())
}
