//! What captures of CUDA's libraries do on the CPU, by the definitions: matrices by rows.

/// `C = alpha A B + beta C` for `[m, n, k]`, where the elements of `A` and `B` are found by functions.
pub fn gemm(
    [m, n, k]: [usize; 3],
    alpha: f64,
    a: impl Fn(usize, usize) -> f64,
    b: impl Fn(usize, usize) -> f64,
    beta: f64,
    c: &mut [f64],
) {
    for i in 0..m {
        for j in 0..n {
            let sum: f64 = (0..k).map(|l| a(i, l) * b(l, j)).sum();
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
    }
}

/// Solves `X L' = B` row by row; `B` becomes `X`.
pub fn solve_right(order: usize, l: &[f64], b: &mut [f64]) {
    for row in b.chunks_exact_mut(order) {
        for j in 0..order {
            let known: f64 = (0..j).map(|k| row[k] * l[j * order + k]).sum();
            row[j] = (row[j] - known) / l[j * order + j];
        }
    }
}

/// The lower triangle of `C = alpha A A' + beta C`.
pub fn rank_k([n, k]: [usize; 2], alpha: f64, a: &[f64], beta: f64, c: &mut [f64]) {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..k).map(|l| a[i * k + l] * a[j * k + l]).sum();
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
    }
}

/// The lower triangle of a positive definite matrix becomes its factor; the order of the first minor that is not positive, else 0.
pub fn factorise(order: usize, a: &mut [f64]) -> i32 {
    for j in 0..order {
        for i in j..order {
            let known: f64 = (0..j).map(|k| a[i * order + k] * a[j * order + k]).sum();
            let rest = a[i * order + j] - known;
            if i == j && rest <= 0.0 {
                return j as i32 + 1;
            }
            a[i * order + j] = if i == j { rest.sqrt() } else { rest / a[j * order + j] };
        }
    }
    0
}

/// `y[k] = Σ x[j] exp(±2πi jk / n)`
pub fn transform(x: &[[f32; 2]], y: &mut [[f32; 2]], sign: f64) {
    let n = x.len();
    for (k, y) in y.iter_mut().enumerate() {
        let mut sum = [0.0, 0.0];
        for (j, [re, im]) in x.iter().map(|x| x.map(f64::from)).enumerate() {
            let (sin, cos) = (sign * std::f64::consts::TAU * ((j * k) % n) as f64 / n as f64).sin_cos();
            sum = [sum[0] + re * cos - im * sin, sum[1] + re * sin + im * cos];
        }
        *y = sum.map(|part| part as f32);
    }
}
