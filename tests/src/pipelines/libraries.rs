//! Captures of cuBLAS, cuSOLVER and cuFFT: alone, in a host loop, in the body of a loop.

use graph_runtime::prelude::*;
use graph_runtime::{Blas, Fft, Op, Side, Solver, Triangle};

use crate::dense;
use crate::run::run;

/// The real part, then the imaginary one.
type Complex = [f32; 2];

cuda_graph! {
    /// `c = 2 a b + c`, `d = a b''`, `e = (c's rows added up)`.
    graph Products(
        a: &[f64; m * k],
        b: &[f64; k * n],
        transposed: &[f64; n * k],
        c: &mut [f64; m * n],
        d: &out [f64; m * n],
        e: &out [f64; m],
        blas: &Blas,
        m: usize,
        n: usize,
        k: usize,
    ) {
        let ws: [[u8; blas.workspace_bytes()]; 2];
        let ones: [f64; n] = 1.0;
        capture(
            &a, &b, &mut c, &out ws[0],
            |stream, a, b, c, ws| blas.on(stream, ws).gemm([m, n, k], [Op::N, Op::N], 2.0, a, b, 1.0, c),
            cpu = |a, b, c, _| dense::gemm([m, n, k], 2.0, |i, l| a[i * k + l], |l, j| b[l * n + j], 1.0, c)
        );
        capture(
            &a, &transposed, &out d, &out ws[1],
            |stream, a, b, d, ws| blas.on(stream, ws).gemm([m, n, k], [Op::N, Op::T], 1.0, a, b, 0.0, d),
            cpu = |a, b, d, _| { d.fill(0.0); dense::gemm([m, n, k], 1.0, |i, l| a[i * k + l], |l, j| b[j * k + l], 0.0, d) }
        );
        capture(
            &c, &ones, &out e, &out ws[0],
            |stream, c, ones, e, ws| blas.on(stream, ws).gemv([m, n], Op::N, 1.0, c, ones, 0.0, e),
            cpu = |c, ones, e, _| { e.fill(0.0); dense::gemm([m, 1, n], 1.0, |i, l| c[i * n + l], |l, _| ones[l], 0.0, e) }
        );
    }

    /// Factorises `a`, solves with the factor, and adds a product to a triangle.
    graph Triangles(
        a: &mut [f64; n * n],
        b: &mut [f64; r * n],
        c: &mut [f64; r * r],
        blas: &Blas,
        solver: &Solver,
        n: usize,
        r: usize,
    ) {
        let ws: [u8; solver.potrf_bytes(n)];
        let blas_ws: [[u8; blas.workspace_bytes()]; 2];
        let info: [i32; 1];
        'factor: capture(
            &mut a, &out ws, &out info,
            |stream, a, ws, info| solver.potrf(stream, n, Triangle::Lower, a, ws, info),
            cpu = |a, _, info| info[0] = dense::factorise(n, a)
        );
        assert!(info[0] == 0, "the minor of order {r} or so is not positive");
        capture(
            &a, &mut b, &out blas_ws[0],
            |stream, a, b, ws| {
                blas.on(stream, ws).trsm([r, n], Side::Right, Triangle::Lower, Op::T, 1.0, a, b)
            },
            cpu = |a, b, _| dense::solve_right(n, a, b)
        );
        capture(
            &b, &mut c, &out blas_ws[1],
            |stream, b, c, ws| blas.on(stream, ws).syrk([r, n], Triangle::Lower, Op::N, -1.0, b, 1.0, c),
            cpu = |b, c, _| dense::rank_k([r, n], -1.0, b, 1.0, c)
        );
    }

    /// `y = a^(2 rounds + passes) x`: pairs in a loop on the device, single ones in one on the host.
    graph Powers(a: &[f32; n * n], x: &[f32; n], y: &out [f32; n], rounds: u32, passes: usize, blas: &Blas, n: usize) {
        let ws: [[u8; blas.workspace_bytes()]; 1];
        let v: [[f32; n]; 2];
        let left: [u32; 1];
        left[0] = rounds;
        copy(&x, &out v[0]);
        'rounds: while left[0] > 0 {
            left[0] -= 1;
            capture(
                &a, &v[0], &out v[1], &out ws[0],
                |stream, a, x, y, ws| blas.on(stream, ws).gemv([n, n], Op::N, 1.0, a, x, 0.0, y),
                cpu = |a, x, y, _| product(a, x, y)
            );
            capture(
                &a, &v[1], &out v[0], &out ws[0],
                |stream, a, x, y, ws| blas.on(stream, ws).gemm([n, 1, n], [Op::N, Op::N], 1.0, a, x, 0.0, y),
                cpu = |a, x, y, _| product(a, x, y)
            );
        }
        for pass in 0..passes {
            capture(
                &a, &v[pass % 2], &out v[(pass + 1) % 2], &out ws[0],
                |stream, a, x, y, ws| blas.on(stream, ws).gemv([n, n], Op::N, 1.0, a, x, 0.0, y),
                cpu = |a, x, y, _| product(a, x, y)
            );
        }
        copy(&v[passes % 2], &out y);
    }

    /// There and back again, in a loop.
    graph Transforms(x: &mut [Complex; n], y: &out [Complex; n], rounds: u32, fft: &Fft) {
        let ws: [u8; fft.workspace_bytes()];
        'rounds: loop limit rounds {
            capture(
                &x, &out y, &out ws,
                |stream, x, y, ws| fft.forward(stream, x, y, ws),
                cpu = |x, y, _| dense::transform(x, y, -1.0)
            );
            capture(
                &y, &out x, &out ws,
                |stream, y, x, ws| fft.inverse(stream, y, x, ws),
                cpu = |y, x, _| dense::transform(y, x, 1.0)
            );
        }
    }
}

fn product(a: &[f32], x: &[f32], y: &mut [f32]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
}

/// A matrix of `rows` by `columns` from its elements.
fn matrix(rows: usize, columns: usize, element: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    (0..rows * columns).map(|at| element((at / columns) as f64, (at % columns) as f64)).collect()
}

/// Products of whole numbers, by sums of powers.
pub fn products(device: &Device) -> Result<()> {
    let (m, n, k) = (5, 7, 9);
    let (a, b) = (device.buffer_from(&matrix(m, k, |i, l| i + l))?, device.buffer_from(&matrix(k, n, |l, j| l - j))?);
    let transposed = device.buffer_from(&matrix(n, k, |j, l| l - j))?;
    let mut c = device.buffer_from(&matrix(m, n, |i, j| 100.0 * i + j))?;
    let (mut d, mut e) = (device.zeros::<f64>(m * n)?, device.zeros::<f64>(m)?);
    let blas = Blas::new(device)?;
    let (transposed, blas) = (&transposed, &blas);
    let arguments = ProductsArgs { a: &a, b: &b, transposed, c: &mut c, d: &mut d, e: &mut e, blas, m, n, k };
    let mut graph = arguments.build(device)?;
    run(&mut graph)?;
    // Σ l = 36 and Σ l² = 204 for l < 9, so Σ (i + l) (l - j) = 204 + 36 (i - j) - 9 i j.
    let ab = |i: f64, j: f64| 204.0 + 36.0 * (i - j) - 9.0 * i * j;
    assert_eq!(graph.d().to_vec()?, matrix(m, n, ab));
    assert_eq!(graph.c().to_vec()?, matrix(m, n, |i, j| 100.0 * i + j + 2.0 * ab(i, j)));
    // Σ j = 21 for j < 7: 7 (100 i) + 21 + 2 (7 · 204 + 36 (7 i - 21) - 9 · 21 i).
    let sums: Vec<f64> = (0..m).map(|i| i as f64).map(|i| 1365.0 + 826.0 * i).collect();
    assert_eq!(graph.e().to_vec()?, sums);
    Ok(())
}

/// `min(i, j) + 1` is the product of a triangle of ones with its transpose; solving with it takes differences.
pub fn triangles(device: &Device) -> Result<()> {
    let (n, r) = (6, 4);
    let (blas, solver) = (Blas::new(device)?, Solver::new(device)?);
    let mut a = device.buffer_from(&matrix(n, n, |i, j| i.min(j) + 1.0))?;
    // Rows that sum up i + 1, i + 1 + 1, …: the differences are i + 1, 1, 1, ….
    let mut b = device.buffer_from(&matrix(r, n, |i, j| i + 1.0 + j))?;
    let mut c = device.buffer_from(&matrix(r, r, |_, _| 50.0))?;
    let arguments = TrianglesArgs { a: &mut a, b: &mut b, c: &mut c, blas: &blas, solver: &solver, n, r };
    let mut graph = arguments.build(device)?;
    run(&mut graph)?;
    graph.synchronize()?;
    let factor = graph.a().to_vec()?;
    assert_eq!(factor, matrix(n, n, |i, j| if j <= i { 1.0 } else { i.min(j) + 1.0 }));
    assert_eq!(graph.b().to_vec()?, matrix(r, n, |i, j| if j == 0.0 { i + 1.0 } else { 1.0 }));
    // (i + 1) (j + 1) + 5 ones; what is above the diagonal is left alone.
    let c = |i: f64, j: f64| if j <= i { 45.0 - (i + 1.0) * (j + 1.0) } else { 50.0 };
    assert_eq!(graph.c().to_vec()?, matrix(r, r, c));
    graph.a_mut()?.write_from(&matrix(n, n, |i, j| if i == j { 2.0 - i } else { 0.0 }))?;
    let failed = run(&mut graph).and_then(|()| graph.synchronize()).err().map(|error| error.to_string());
    assert!(failed.unwrap_or_default().contains("the minor of order 4 or so is not positive"));
    Ok(())
}

/// Twice a cyclic shift: each product doubles and moves by one.
pub fn loops(device: &Device) -> Result<()> {
    let n = 5;
    let shift: Vec<f32> = (0..n * n).map(|at| if (at / n + 1) % n == at % n { 2.0 } else { 0.0 }).collect();
    let (a, x) = (device.buffer_from(&shift)?, device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0, 5.0])?);
    let mut y = device.zeros::<f32>(n)?;
    let blas = Blas::new(device)?;
    let arguments = PowersArgs { a: &a, x: &x, y: &mut y, rounds: 3, passes: 1, blas: &blas, n };
    let mut graph = arguments.build(device)?;
    run(&mut graph)?;
    // Seven products: 128 times, and two further on.
    assert_eq!(graph.y().to_vec()?, [384.0, 512.0, 640.0, 128.0, 256.0]);
    assert_eq!(graph.iterations(Powers::ROUNDS)?, 3);
    graph.set_rounds(0)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [4.0, 6.0, 8.0, 10.0, 2.0]);
    Ok(())
}

/// A single wave, there and back: `n` times itself at each round.
pub fn transforms(device: &Device) -> Result<()> {
    let n = 8;
    let mut impulse = vec![[0.0_f32; 2]; n];
    impulse[1] = [1.0, 0.0];
    let mut x = device.buffer_from(&impulse)?;
    let mut y = device.zeros::<[f32; 2]>(n)?;
    let fft = Fft::single(device, &[n], 1)?;
    let mut graph = TransformsArgs { x: &mut x, y: &mut y, rounds: 2, fft: &fft }.build(device)?;
    run(&mut graph)?;
    // exp(-2πi k / 8), times 8 of the first round.
    let half = 0.5_f32.sqrt();
    let wave =
        [[1.0, 0.0], [half, -half], [0.0, -1.0], [-half, -half], [-1.0, 0.0], [-half, half], [0.0, 1.0], [half, half]];
    let near = |found: &[[f32; 2]], expected: &dyn Fn(usize) -> [f32; 2]| {
        for (at, found) in found.iter().enumerate() {
            let expected = expected(at);
            let far = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(far < 1e-4, "{at}: {found:?}, expected {expected:?}");
        }
    };
    near(&graph.y().to_vec()?, &|at| wave[at].map(|part| 8.0 * part));
    near(&graph.x().to_vec()?, &|at| impulse[at].map(|part| 64.0 * part));
    Ok(())
}
