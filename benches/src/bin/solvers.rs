//! Two solvers until they converge, without a kernel file: the Rust side of `cpp/solvers.cu`.
//!
//! The same problems, sizes and stop rules. Prints one JSON object per solver and way; times are medians in microseconds, from the launch
//! until it is over. Runs on `Device::best()`; on the CPU with a small size.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use benches::{median, row, time};
use graph_runtime::prelude::*;
use graph_runtime::{DeviceKind, Result};

const SHIFT: f64 = 0.01;
#[expect(clippy::cast_possible_truncation, reason = "single precision is meant")]
const FACTOR: f32 = (1.0 / (4.0 + SHIFT)) as f32;
const CHANGE: f32 = 1e-3;
const LIMIT: u64 = 20_000;

/// Jacobi for `(4 + SHIFT) u - (the four neighbours) = 1`, until no element changes by `CHANGE`; what is around the points stays zero.
macro_rules! jacobi {
    ($name:ident every $every:literal) => {
        cuda_graph! {
            graph $name(u: &mut [f32; (n + 2, n + 2)], v: &mut [f32; (n + 2, n + 2)], n: usize) {
                let change: [f32; 1];
                'solve: loop limit 20_000 every $every {
                    kernel for (i, j) in (1..n + 1, 1..n + 1) {
                        v[(i, j)] = FACTOR * (u[(i - 1, j)] + u[(i + 1, j)] + u[(i, j - 1)] + u[(i, j + 1)] + 1.0);
                    }
                    change[0] = (1..n + 1, 1..n + 1).map(|(i, j)| (v[(i, j)] - u[(i, j)]).abs()).max();
                    swap(&mut u, &mut v);
                    if change[0] < CHANGE { break; }
                }
            }
        }
    };
}

jacobi!(JacobiBySecond every 2);
jacobi!(JacobiByFourth every 4);

/// Conjugate gradients for `4 x - (the four neighbours) = 1` without a matrix, until the squared residual is below `stop`.
macro_rules! gradients {
    ($name:ident $($every:tt)*) => {
        cuda_graph! {
            graph $name(x: &mut [f64; (n + 2, n + 2)], r: &mut [f64; (n + 2, n + 2)], p: &mut [f64; (n + 2, n + 2)], stop: f64, n: usize) {
                let q: [f64; (n + 2, n + 2)];
                let rr: [f64; 1];
                let new: [f64; 1];
                let pq: [f64; 1];
                rr[0] = (1..n + 1, 1..n + 1).map(|(i, j)| r[(i, j)] * r[(i, j)]).sum();
                'solve: loop limit 20_000 $($every)* {
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
                    if rr[0] < stop { break; }
                }
            }
        }
    };
}

gradients!(Gradients);
gradients!(GradientsBySecond every 2);

/// What is left of `1 - (diagonal x - the four neighbours)`, in double precision, point by point.
fn residuals(x: &[f64], side: usize, diagonal: f64) -> impl Iterator<Item = f64> {
    let row = side + 2;
    let points = (1..=side).flat_map(move |i| (1..=side).map(move |j| i * row + j));
    points.map(move |at| 1.0 + x[at - 1] + x[at + 1] + x[at - row] + x[at + row] - diagonal * x[at])
}

fn print(what: &str, side: usize, how: &str, micros: f64, passes: u64, ok: bool) {
    let figures = [("time", micros), ("passes", passes as f64), ("pass", micros / passes as f64)];
    println!("{}", row("solvers", &format!("{what} {side}"), how, &figures, ok && passes < LIMIT));
}

macro_rules! jacobi_until_done {
    ($device:expr, $graph:ident, $arguments:ident, $how:literal, $side:expr, $repeats:expr) => {{
        let zeros = vec![0.0_f32; ($side + 2) * ($side + 2)];
        let [u, v] = [$device.buffer_from(&zeros)?, $device.buffer_from(&zeros)?];
        let mut graph = $arguments { u, v, n: $side }.build($device)?;
        let mut times = Vec::new();
        for _ in 0..=$repeats {
            graph.u_mut()?.write_from(&zeros)?;
            graph.v_mut()?.write_from(&zeros)?;
            graph.synchronize()?;
            times.push(time(|| graph.launch().and_then(|()| graph.synchronize()))?);
        }
        let u: Vec<f64> = graph.u().to_vec()?.into_iter().map(f64::from).collect();
        let worst = residuals(&u, $side, 4.0 + SHIFT).map(f64::abs).fold(0.0, f64::max);
        let ok = worst < 1.1 * (4.0 + SHIFT) * f64::from(CHANGE);
        print("jacobi", $side, $how, median(times.split_off(1)), graph.iterations($graph::SOLVE)?, ok);
    }};
}

macro_rules! gradients_until_done {
    ($device:expr, $graph:ident, $arguments:ident, $how:literal, $side:expr, $repeats:expr) => {{
        let padded = $side + 2;
        let inside = |at: usize| (1..=$side).contains(&(at / padded)) && (1..=$side).contains(&(at % padded));
        let ones: Vec<f64> = (0..padded * padded).map(|at| f64::from(u8::from(inside(at)))).collect();
        let zeros = vec![0.0_f64; padded * padded];
        let (x, r, p) = ($device.buffer_from(&zeros)?, $device.buffer_from(&ones)?, $device.buffer_from(&ones)?);
        let stop = 1e-12 * ($side * $side) as f64;
        let mut graph = $arguments { x, r, p, stop, n: $side }.build($device)?;
        let mut times = Vec::new();
        for _ in 0..=$repeats {
            graph.x_mut()?.write_from(&zeros)?;
            graph.r_mut()?.write_from(&ones)?;
            graph.p_mut()?.write_from(&ones)?;
            graph.synchronize()?;
            times.push(time(|| graph.launch().and_then(|()| graph.synchronize()))?);
        }
        let left: f64 = residuals(&graph.x().to_vec()?, $side, 4.0).map(|left| left * left).sum();
        let ok = left < 1.1 * stop;
        print("cg", $side, $how, median(times.split_off(1)), graph.iterations($graph::SOLVE)?, ok);
    }};
}

fn main() -> Result<()> {
    let device = Device::best()?;
    let large = matches!(device.kind(), DeviceKind::Cuda(_));
    for (side, repeats) in if large { vec![(128, 7), (1024, 3)] } else { vec![(32, 1)] } {
        jacobi_until_done!(&device, JacobiBySecond, JacobiBySecondArgs, "cuda_graph!, every 2", side, repeats);
        jacobi_until_done!(&device, JacobiByFourth, JacobiByFourthArgs, "cuda_graph!, every 4", side, repeats);
        gradients_until_done!(&device, Gradients, GradientsArgs, "cuda_graph!", side, repeats);
        gradients_until_done!(&device, GradientsBySecond, GradientsBySecondArgs, "cuda_graph!, every 2", side, repeats);
    }
    Ok(())
}
