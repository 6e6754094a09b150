//! A partial differential equation by split steps: Fourier transforms with cuFFT and kernels written in the block, in a loop on the device.
//!
//! The complex Ginzburg-Landau equation, `u_t = u_xx + u - (1 + i) |u|² u`: diffusion is exact between two transforms, the rest is a step of
//! Euler's. Real and imaginary parts take turns in memory, as cuFFT has them.

use graph_runtime::Fft;
use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, dense, uniform};

/// This program.
pub const PROGRAM: Program = Program {
    name: "spectral",
    about: "the Ginzburg-Landau equation by split steps, with cuFFT, looping on the device",
    run,
};

cuda_graph! {
    /// `steps` steps of length `dt`; `k2` are the squares of the wave numbers.
    pub graph Spectral(u: &mut [f64; 2 * n], k2: &[f64; n], dt: f64, steps: u32, n: usize, fft: &Fft) {
        let v: [f64; 2 * n];
        let ws: [u8; fft.workspace_bytes()];
        'steps: loop limit steps {
            capture(&u, &out v, &out ws, |s, u, v, ws| fft.forward(s, u, v, ws), cpu = |u, v, _| dense::transform(u, v, -1.0));
            kernel for i in 0..n {
                let factor = (-k2[i] * dt).exp() / n as f64;
                v[2 * i] *= factor;
                v[2 * i + 1] *= factor;
            }
            capture(&v, &out u, &out ws, |s, v, u, ws| fft.inverse(s, v, u, ws), cpu = |v, u, _| dense::transform(v, u, 1.0));
            kernel for i in 0..n {
                let re = u[2 * i];
                let im = u[2 * i + 1];
                let square = re * re + im * im;
                u[2 * i] = re + dt * (re - square * (re - im));
                u[2 * i + 1] = im + dt * (im - square * (re + im));
            }
        }
    }
}

const SIZE: usize = 256;
const STEPS: u32 = 40;
const DT: f64 = 0.02;
const WAVES: f64 = 0.5;

/// The squares of the wave numbers, in the order of a transform: 0, 1, 2, …, -2, -1, each times [`WAVES`].
fn squares() -> Vec<f64> {
    (0..SIZE).map(|at| at.min(SIZE - at) as f64 * WAVES).map(|wave| wave * wave).collect()
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/spectral.json"))?;
    let pairs = uniform(900, SIZE).into_iter().zip(uniform(901, SIZE));
    let start: Vec<f64> = pairs.flat_map(|(re, im)| [re, im]).map(f64::from).collect();
    let (mut u, k2) = (device.buffer_from(&start)?, device.buffer_from(&squares())?);
    let fft = Fft::double(device, &[SIZE], 1)?;
    let arguments = SpectralArgs { u: &mut u, k2: &k2, dt: DT, steps: STEPS, n: SIZE, fft: &fft };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    let found = graph.u().to_vec()?;
    let every_fifth = |part: usize| found.iter().copied().skip(part).step_by(10).collect::<Vec<f64>>();
    report.close("every 5th real part", &every_fifth(0), reference.get("real")?, 1e-10);
    report.close("every 5th imaginary part", &every_fifth(1), reference.get("imaginary")?, 1e-10);
    let mut other = device.buffer_from(&start)?;
    let one = SpectralArgs { u: &mut other, k2: &k2, dt: DT, steps: 1, n: SIZE, fft: &fft };
    let mut step = one.build(device)?;
    let whole = || {
        graph.launch()?;
        graph.synchronize()
    };
    report.time_against("40 steps", whole, "40 launches of one step", || {
        for _ in 0..STEPS {
            step.launch()?;
        }
        step.synchronize()?;
        Ok(true)
    })
}
