//! Kernels and reductions that are written in the block.

use graph_runtime::prelude::*;

use crate::run::run;

cuda_graph! {
    /// CUDASTF's example.
    graph Axpy(a: f64, x: &[f64], y: &mut [f64; x.len()]) {
        kernel for i in 0..x.len() { y[i] += a * x[i]; }
    }

    /// Heat in a rod with fixed ends, `2 * pairs` steps.
    graph Heat(u: &mut [f64; n], c: f64, pairs: u32) {
        let v: [f64; n];
        copy(&u, &out v);
        loop limit 2 * pairs every 2 {
            kernel for i in 1..n - 1 { v[i] = u[i] + c * (u[i - 1] + u[i + 1] - 2.0 * u[i]); }
            swap(&mut u, &mut v);
        }
    }

    /// Euclid's algorithm, with all values in front of the names.
    graph Divisors(a: &[u32; n], b: &[u32; n], d: &out [u32; n]) {
        kernel for i in 0..n {
            let (mut x, mut y) = (a[i], b[i]);
            while y != 0 {
                let (next, rest) = (y, x % y);
                x = next;
                y = rest;
            }
            let (x, y) = (y, x);
            d[i] = x + y;
        }
    }

    /// A graph network's activation.
    graph Relu(h: &mut [f32; nodes * features], nodes: u32, features: u32) {
        kernel for (i, j) in (0..nodes, 0..features) {
            h[i * features + j] = h[i * features + j].max(0.0);
        }
    }

    /// Solves `A x = b` for a symmetric positive definite CSR matrix, until the squared residual is at most `tolerance`.
    graph Cg(value: &[f32; nz], column: &[u32; nz], row: &[u32; n + 1], b: &[f32; n], x: &mut [f32; n], tolerance: f32) {
        let r: [f32; n];  let p: [f32; n];  let q: [f32; n];
        let rr: [f32; 1];  let new: [f32; 1];  let pq: [f32; 1];

        kernel for i in 0..n { x[i] = 0.0;  r[i] = b[i];  p[i] = b[i]; }
        rr[0] = (0..n).map(|i| r[i] * r[i]).sum();
        'solve: while rr[0] > tolerance limit 10_000 {
            kernel for i in 0..n {
                let mut sum = 0.0;
                for k in row[i]..row[i + 1] { sum += value[k] * p[column[k]]; }
                q[i] = sum;
            }
            pq[0] = (0..n).map(|i| p[i] * q[i]).sum();
            kernel for i in 0..n { x[i] += rr[0] / pq[0] * p[i];  r[i] -= rr[0] / pq[0] * q[i]; }
            new[0] = (0..n).map(|i| r[i] * r[i]).sum();
            kernel for i in 0..n { p[i] = r[i] + new[0] / rr[0] * p[i]; }
            rr[0] = new[0];
        }
    }

    /// The four reductions, over one axis and over two.
    graph Four(a: &[i64; h * w], out: &out [i64; 5], h: usize, w: usize) {
        out[0] = (0..h * w).map(|i| a[i]).sum();
        out[1] = (0..h * w).map(|i| a[i] % 3 + 2).product();
        out[2] = (0..h, 0..w).map(|(i, j)| a[i * w + j]).min();
        out[3] = (0..h, 0..w).map(|(i, j)| { let v = a[i * w + j]; v * v }).max();
        out[4] = 1000;
        out[4] += (0..h).map(|i| a[i * w]).sum();
    }

    /// How many steps each number takes to 1 (Collatz), and how it ends: `while`, `if` and `else if`, `break`, a shadowed name.
    graph Walks(steps: &out [u32; n], kinds: &out [u8; n], most: u32) {
        kernel for i in 0..n {
            let mut v = i as u64 + 1;
            let mut count = 0;
            while v != 1 {
                if count == most { break; }
                if v % 2 == 0 { v /= 2; } else { v = 3 * v + 1; }
                count += 1;
            }
            steps[i] = count;
            kinds[i] = if v != 1 { 2 } else { let count = count & 1; if count == 1 { 1 } else { 0 } };
        }
    }

    /// `y = A x` and the longest row, for a dense matrix; the trace of `AᵀA`.
    graph Dense(a: &[f64; h * w], x: &[f64; w], y: &out [f64; h], norm: &out [f64; 2], h: usize, w: usize) {
        kernel for i in 0..h { y[i] = (0..w).map(|j| a[i * w + j] * x[j]).sum(); }
        norm[0] = (0..h).map(|i| (0..w).map(|j| a[i * w + j].abs()).sum()).max();
        norm[1] = (0..w).map(|j| {
            let column = (0..h).map(|i| a[i * w + j] * a[i * w + j]).sum();
            column
        }).sum();
    }

    /// Names for numbers.
    graph Kinds(x: &[i32; n], y: &out [u8; n]) {
        kernel for i in 0..n {
            let mut kind = 9;
            match x[i] {
                -2147483648..=-1 => kind = 0,
                0 => { kind = 1; }
                1 | 2 => { kind = 2; }
                3..8 => kind = 3,
                _ => {}
            }
            y[i] = kind;
        }
    }

    /// Sums over windows that are cut off at the ends, with `continue`; `&&` guards the element beside it.
    graph Windows(x: &[i32; n], y: &out [i32; n], rising: &out [u32; n], radius: i32) {
        kernel for i in 0..n as i32 {
            let mut sum = 0;
            for d in -radius..radius + 1 {
                let k = i + d;
                if k < 0 || k >= n as i32 { continue; }
                sum += x[k];
            }
            y[i] = sum;
            rising[i] = (i > 0 && x[i - 1] < x[i]) as u32;
        }
    }
}

/// `y + a x`, and again with another `a`.
pub fn axpy(device: &Device) -> Result<()> {
    let x: Vec<f64> = (0..1000_u32).map(f64::from).collect();
    let (x, mut y) = (device.buffer_from(&x)?, device.zeros::<f64>(1000)?);
    let mut graph = AxpyArgs { a: 0.5, x: &x, y: &mut y }.build(device)?;
    run(&mut graph)?;
    graph.set_a(2.0)?;
    run(&mut graph)?;
    let expected: Vec<f64> = (0..1000_u32).map(|i| 2.5 * f64::from(i)).collect();
    assert_eq!(graph.y().to_vec()?, expected);
    graph.run_eager()?;
    assert_eq!(graph.y().to_vec()?[999], 4.5 * 999.0);
    Ok(())
}

/// A sine decays by the eigenvalue of the second difference: `(1 - 4 c sin²(π / 2 (n - 1)))` a step.
pub fn heat(device: &Device) -> Result<()> {
    let (n, c, steps) = (65_u32, 0.25, 40_i32);
    let angle = std::f64::consts::PI / f64::from(n - 1);
    let start: Vec<f64> = (0..n).map(|i| (f64::from(i) * angle).sin()).collect();
    let mut u = device.buffer_from(&start)?;
    let mut graph = HeatArgs { u: &mut u, c, pairs: 20 }.build(device)?;
    run(&mut graph)?;
    let factor = (1.0 - 4.0 * c * (angle / 2.0).sin().powi(2)).powi(steps);
    for (found, first) in graph.u().to_vec()?.iter().zip(&start) {
        assert!((found - factor * first).abs() < 1e-12, "{found} for {}", factor * first);
    }
    Ok(())
}

/// Several names by one `let`.
pub fn divisors(device: &Device) -> Result<()> {
    let (a, b) = (device.buffer_from(&[12_u32, 35, 7, 0])?, device.buffer_from(&[18_u32, 64, 21, 5])?);
    let mut graph = DivisorsArgs { a: &a, b: &b, d: device.zeros(4)? }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.d().to_vec()?, [6, 1, 7, 5]);
    Ok(())
}

/// What is negative becomes zero, in rows that are flattened.
pub fn relu(device: &Device) -> Result<()> {
    let start: Vec<f32> = (0..35_u8).map(|i| f32::from(i) - 17.0).collect();
    let mut h = device.buffer_from(&start)?;
    let mut graph = ReluArgs { h: &mut h, nodes: 7, features: 5 }.build(device)?;
    run(&mut graph)?;
    let expected: Vec<f32> = (0..35_u8).map(|i| f32::from(i.max(17)) - 17.0).collect();
    assert_eq!(graph.h().to_vec()?, expected);
    Ok(())
}

/// The matrix of `-x[i - 1] + 2 x[i] - x[i + 1]`, whose solution for ones is `(i + 1) (n - i) / 2`.
pub fn conjugate_gradient(device: &Device) -> Result<()> {
    let n = 40_u32;
    let (mut value, mut column, mut row) = (Vec::new(), Vec::new(), vec![0]);
    for i in 0..n {
        let neighbours = [(i.checked_sub(1), -1.0_f32), (Some(i), 2.0), (Some(i + 1).filter(|k| *k < n), -1.0)];
        for (k, v) in neighbours.into_iter().filter_map(|(k, v)| Some((k?, v))) {
            column.push(k);
            value.push(v);
        }
        row.push(column.len() as u32);
    }
    let (value, column, row) = (device.buffer_from(&value)?, device.buffer_from(&column)?, device.buffer_from(&row)?);
    let (b, mut x) = (device.buffer_from(&[1.0_f32; 40])?, device.zeros::<f32>(40)?);
    let arguments = CgArgs { value: &value, column: &column, row: &row, b: &b, x: &mut x, tolerance: 1e-6 };
    let mut solver = arguments.build(device)?;
    run(&mut solver)?;
    assert!(solver.iterations(Cg::SOLVE)? <= 60, "conjugate gradients end after about n / 2 passes");
    for (i, found) in (0_u32..).zip(solver.x().to_vec()?) {
        let expected = ((i + 1) * (n - i)) as f32 / 2.0;
        assert!((found - expected).abs() < 1e-2, "x[{i}] = {found}, not {expected}");
    }
    Ok(())
}

/// Whole numbers, so that every order of adding gives the same; then nothing at all.
pub fn reductions(device: &Device) -> Result<()> {
    let (h, w) = (7_usize, 11_usize);
    let values: Vec<i64> = (0..77_i64).map(|i| (i * 37) % 41 - 20).collect();
    let (a, mut out) = (device.buffer_from(&values)?, device.zeros::<i64>(5)?);
    let mut graph = FourArgs { a: &a, out: &mut out, h, w }.build(device)?;
    run(&mut graph)?;
    let product = values.iter().fold(1_i64, |product, v| product.wrapping_mul(v % 3 + 2));
    let first: i64 = values.iter().step_by(w).sum();
    assert_eq!(graph.out().to_vec()?, [values.iter().sum(), product, -20, 400, 1000 + first]);
    drop(graph);
    let empty = device.zeros::<i64>(0)?;
    let mut graph = FourArgs { a: &empty, out: &mut out, h: 0, w: 0 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.out().to_vec()?, [0, 1, i64::MAX, i64::MIN, 1000]);
    Ok(())
}

/// Lengths of Collatz walks: 27 takes 111 steps, which is too many here.
pub fn loops_in_kernels(device: &Device) -> Result<()> {
    let (mut steps, mut kinds) = (device.zeros::<u32>(30)?, device.zeros::<u8>(30)?);
    let mut graph = WalksArgs { steps: &mut steps, kinds: &mut kinds, most: 100 }.build(device)?;
    run(&mut graph)?;
    let steps = graph.steps().to_vec()?;
    assert_eq!(steps[..10], [0, 1, 7, 2, 5, 8, 16, 3, 19, 6]);
    assert_eq!((steps[26], graph.kinds().to_vec()?[26]), (100, 2));
    assert_eq!(graph.kinds().to_vec()?[..5], [0, 1, 1, 0, 1]);
    graph.set_most(200)?;
    run(&mut graph)?;
    assert_eq!(graph.steps().to_vec()?[26], 111);
    Ok(())
}

/// Sums of `0..n` within a distance.
pub fn windows(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[5, 1, 4, 4, 9, -2])?;
    let (mut y, mut rising) = (device.zeros::<i32>(6)?, device.zeros::<u32>(6)?);
    let mut graph = WindowsArgs { x: &x, y: &mut y, rising: &mut rising, radius: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [6, 10, 9, 17, 11, 7]);
    assert_eq!(graph.rising().to_vec()?, [0, 0, 1, 0, 1, 0]);
    graph.set_radius(5)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [21; 6]);
    Ok(())
}

/// A matrix of whole numbers: 2 × 3.
pub fn inner_reductions(device: &Device) -> Result<()> {
    let a = device.buffer_from(&[1.0, -2.0, 3.0, 4.0, 5.0, -6.0])?;
    let (x, mut y, mut norm) = (device.buffer_from(&[1.0, 10.0, 100.0])?, device.zeros(2)?, device.zeros(2)?);
    let mut graph = DenseArgs { a: &a, x: &x, y: &mut y, norm: &mut norm, h: 2, w: 3 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [281.0, -546.0]);
    assert_eq!(graph.norm().to_vec()?, [15.0, 91.0]);
    Ok(())
}

/// Every arm, and both ends of the ranges.
pub fn match_in_kernels(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[-5, -1, 0, 1, 2, 3, 7, 8, i32::MIN, i32::MAX])?;
    let mut y = device.zeros::<u8>(10)?;
    let mut graph = KindsArgs { x: &x, y: &mut y }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [0, 0, 1, 2, 2, 3, 3, 9, 0, 9]);
    Ok(())
}
