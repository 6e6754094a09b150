//! Kernels that are written in the block, beside what the device can do at most: the Rust side of `cpp/kernel_for.cu`.
//!
//! An axpy beside the driver's own copy, a sum beside the read bandwidth that the C++ program finds, and conjugate gradients on the
//! Poisson equation without a kernel file. Prints one JSON object per measurement; times are medians in microseconds, bandwidths in
//! GB/s. Runs on `Device::best()`; on the CPU with small sizes.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::time::Duration;

use benches::{median, time};
use graph_runtime::prelude::*;
use graph_runtime::{DeviceKind, Result};

cuda_graph! {
    graph Axpy(a: f32, x: &[f32; n], y: &mut [f32; n]) {
        kernel for i in 0..n { y[i] += a * x[i]; }
    }

    graph Copy(x: &[f32; n], y: &out [f32; n]) {
        copy(&x, &out y);
    }

    graph Sum(x: &[f32; n], s: &out [f32; 1]) {
        s[0] = (0..n).map(|i| x[i]).sum();
    }

    graph Dot(x: &[f32; n], y: &[f32; n], s: &out [f32; 1]) {
        s[0] = (0..n).map(|i| x[i] * y[i]).sum();
    }

    /// Solves `A x = b` for a symmetric positive definite CSR matrix, until the squared residual is at most `tolerance`.
    graph Cg(value: &[f32; nz], column: &[u32; nz], row: &[u32; n + 1], b: &[f32; n], x: &mut [f32; n], tolerance: f32) {
        let r: [f32; n];
        let p: [f32; n];
        let q: [f32; n];
        let rr: [f32; 1];
        let new: [f32; 1];
        let pq: [f32; 1];
        kernel for i in 0..n { x[i] = 0.0; r[i] = b[i]; p[i] = b[i]; }
        rr[0] = (0..n).map(|i| r[i] * r[i]).sum();
        'solve: while rr[0] > tolerance limit 10_000 {
            kernel for i in 0..n {
                let mut sum = 0.0;
                for k in row[i]..row[i + 1] { sum += value[k] * p[column[k]]; }
                q[i] = sum;
            }
            pq[0] = (0..n).map(|i| p[i] * q[i]).sum();
            kernel for i in 0..n { x[i] += rr[0] / pq[0] * p[i]; r[i] -= rr[0] / pq[0] * q[i]; }
            new[0] = (0..n).map(|i| r[i] * r[i]).sum();
            kernel for i in 0..n { p[i] = r[i] + new[0] / rr[0] * p[i]; }
            rr[0] = new[0];
        }
    }
}

/// Does it a few times and waits behind each.
fn median_of(count: usize, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    work()?;
    let times: Vec<Duration> = (0..count).map(|_| time(&mut work)).collect::<Result<_>>()?;
    Ok(median(times))
}

/// Ten launches, one behind the other, before each wait.
macro_rules! ten {
    ($graph:expr) => {
        median_of(20, || {
            for _ in 0..10 {
                $graph.launch()?;
            }
            $graph.synchronize()
        })
    };
}

/// `moved` bytes in a launch.
fn print(device: &Device, what: &str, elements: usize, moved: f64, micros: f64) {
    let bandwidth = moved / micros / 1e3;
    println!(
        "{{\"program\":\"kernel_for\",\"device\":\"{}\",\"what\":\"{what}\",\"elements\":{elements},\"time\":{micros:.3},\"bandwidth\":{bandwidth:.1}}}",
        device.name()
    );
}

fn bandwidths(device: &Device, elements: usize) -> Result<()> {
    let bytes = 10.0 * 4.0 * elements as f64;
    let x = device.buffer_from(&vec![1.0_f32; elements])?;
    let mut y = device.zeros::<f32>(elements)?;
    let mut axpy = AxpyArgs { a: 0.5, x: &x, y: &mut y }.build(device)?;
    let micros = ten!(axpy)?;
    print(device, "axpy", elements, 3.0 * bytes, micros);
    drop(axpy);
    let mut copy = CopyArgs { x: &x, y: &mut y }.build(device)?;
    let micros = ten!(copy)?;
    print(device, "copy", elements, 2.0 * bytes, micros);
    drop(copy);
    let mut s = device.zeros::<f32>(1)?;
    let mut sum = SumArgs { x: &x, s: &mut s }.build(device)?;
    let micros = ten!(sum)?;
    print(device, "sum", elements, bytes, micros);
    drop(sum);
    let mut dot = DotArgs { x: &x, y: &y, s: &mut s }.build(device)?;
    let micros = ten!(dot)?;
    print(device, "dot", elements, 2.0 * bytes, micros);
    Ok(())
}

/// The five-point Laplacian of a square of `side` points a side, in CSR form.
fn poisson(side: u32) -> (Vec<f32>, Vec<u32>, Vec<u32>) {
    let (mut value, mut column, mut row) = (Vec::new(), Vec::new(), vec![0]);
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let at = i * side + j;
        let neighbours = [
            (i > 0, at.wrapping_sub(side), -1.0),
            (j > 0, at.wrapping_sub(1), -1.0),
            (true, at, 4.0),
            (j + 1 < side, at + 1, -1.0),
            (i + 1 < side, at + side, -1.0),
        ];
        for (_, at, factor) in neighbours.into_iter().filter(|(inside, ..)| *inside) {
            value.push(factor);
            column.push(at);
        }
        row.push(column.len() as u32);
    }
    (value, column, row)
}

fn conjugate_gradients(device: &Device, side: u32) -> Result<()> {
    let (value, column, row) = poisson(side);
    let n = (side * side) as usize;
    let (value, column) = (device.buffer_from(&value)?, device.buffer_from(&column)?);
    let (row, b) = (device.buffer_from(&row)?, device.buffer_from(&vec![1.0_f32; n])?);
    let mut x = device.zeros::<f32>(n)?;
    let tolerance = 1e-4 * n as f32;
    let mut solver = CgArgs { value: &value, column: &column, row: &row, b: &b, x: &mut x, tolerance }.build(device)?;
    let micros = median_of(10, || solver.launch().and_then(|()| solver.synchronize()))?;
    let passes = solver.iterations(Cg::SOLVE)?;
    print_solver(device, "cg", side as usize, micros, passes);
    Ok(())
}

fn print_solver(device: &Device, what: &str, side: usize, micros: f64, passes: u64) {
    println!(
        "{{\"program\":\"kernel_for\",\"device\":\"{}\",\"what\":\"{what}\",\"side\":{side},\"passes\":{passes},\"time\":{micros:.3},\"pass\":{:.3}}}",
        device.name(),
        micros / passes as f64
    );
}

fn main() -> Result<()> {
    let device = Device::best()?;
    let large = matches!(device.kind(), DeviceKind::Cuda(_));
    for elements in if large { vec![1 << 20, 1 << 24, 1 << 28] } else { vec![1 << 20] } {
        bandwidths(&device, elements)?;
    }
    for side in if large { vec![128, 256, 360, 512, 1024] } else { vec![64] } {
        conjugate_gradients(&device, side)?;
    }
    Ok(())
}
