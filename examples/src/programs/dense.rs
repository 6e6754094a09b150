//! What captured calls of CUDA's libraries do on the CPU, in few lines: matrices by rows.

/// `C -= A B'` for square tiles.
pub(super) fn subtract_product(tile: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (row, c) in a.chunks_exact(tile).zip(c.chunks_exact_mut(tile)) {
        for (column, c) in b.chunks_exact(tile).zip(c) {
            *c -= row.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}

/// The lower triangle of `C -= A A'`.
pub(super) fn subtract_square(tile: usize, a: &[f64], c: &mut [f64]) {
    for (i, row) in a.chunks_exact(tile).enumerate() {
        for (j, column) in a.chunks_exact(tile).enumerate().take(i + 1) {
            c[i * tile + j] -= row.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}

/// Solves `X L' = B`; `B` becomes `X`.
pub(super) fn solve(tile: usize, l: &[f64], b: &mut [f64]) {
    for row in b.chunks_exact_mut(tile) {
        for (j, l) in l.chunks_exact(tile).enumerate() {
            let known: f64 = row[..j].iter().zip(l).map(|(x, l)| x * l).sum();
            row[j] = (row[j] - known) / l[j];
        }
    }
}

/// The lower triangle of `A` becomes its factor. Returns 0, or the order of the first leading minor that is not positive.
pub(super) fn factorise(tile: usize, a: &mut [f64]) -> i32 {
    for j in 0..tile {
        for i in j..tile {
            let known: f64 = (0..j).map(|k| a[i * tile + k] * a[j * tile + k]).sum();
            let rest = a[i * tile + j] - known;
            if i == j && rest <= 0.0 {
                return i32::try_from(j + 1).unwrap_or(i32::MAX);
            }
            a[i * tile + j] = if i == j { rest.sqrt() } else { rest / a[j * tile + j] };
        }
    }
    0
}

/// `y[k] = Σ x[j] exp(±2πi jk / n)`; real and imaginary parts take turns.
pub(super) fn transform(x: &[f64], y: &mut [f64], sign: f64) {
    let n = x.len() / 2;
    let wave: Vec<(f64, f64)> =
        (0..n).map(|at| (sign * std::f64::consts::TAU * at as f64 / n as f64).sin_cos()).collect();
    for (k, y) in y.chunks_exact_mut(2).enumerate() {
        y.fill(0.0);
        for (j, x) in x.chunks_exact(2).enumerate() {
            let (sin, cos) = wave[j * k % n];
            y[0] += x[0] * cos - x[1] * sin;
            y[1] += x[0] * sin + x[1] * cos;
        }
    }
}
