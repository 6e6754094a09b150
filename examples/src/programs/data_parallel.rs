//! A training step on several GPUs: a thread and a graph for each, gradients summed up by NCCL while the layer before is still computed.
//!
//! In `PyTorch` the overlap of collectives and backward passes is what `DistributedDataParallel`'s buckets and hooks are for. Here it is
//! what the accesses say: a layer's sum waits for its gradient, its update waits for the sum, and nothing else does. `comm: &mut Comm`
//! keeps the sums in one order, which is the same in all ranks because all build the same graph.
//!
//! On the CPU two ranks are two devices with threads of their own.

use std::thread;

use graph_runtime::prelude::*;

use super::nccl::{Comm, Invitation};
use super::{Program, Reference, Report, Result, uniform};

/// This program.
pub const PROGRAM: Program = Program {
    name: "data_parallel",
    about: "gradient descent on one or two devices, with NCCL beside the backward pass",
    run,
};

cuda_graph! {
    /// One step on this rank's rows: a network of `layers` layers with the activation `z / (1 + |z|)`, half the squared distance from `t`.
    pub graph Step(
        p: &mut [f32; (layers, d, d)],
        x: &[f32; (n, d)],
        t: &[f32; (n, d)],
        comm: &mut Comm,
        rate: f32,
        layers: usize,
        n: usize,
        d: usize,
    ) {
        let act: [f32; (layers + 1, n, d)];
        let delta: [f32; (layers + 1, n, d)];
        let g: [f32; (layers, d, d)];
        kernel for (r, i) in (0..n, 0..d) { act[(0, r, i)] = x[(r, i)]; }
        for l in 0..layers {
            kernel for (r, i) in (0..n, 0..d) {
                let mut z = 0.0;
                for k in 0..d { z += p[(l, i, k)] * act[(l, r, k)]; }
                act[(l + 1, r, i)] = z / (1.0 + z.abs());
            }
        }
        kernel for (r, i) in (0..n, 0..d) {
            let slope = 1.0 - act[(layers, r, i)].abs();
            delta[(layers, r, i)] = (act[(layers, r, i)] - t[(r, i)]) * slope * slope;
        }
        for l in (0..layers).rev() {
            kernel for (i, k) in (0..d, 0..d) {
                let mut sum = 0.0;
                for r in 0..n { sum += delta[(l + 1, r, i)] * act[(l, r, k)]; }
                g[(l, i, k)] = sum;
            }
            capture(&mut g[(l..l + 1, .., ..)], &mut comm, |s, g, comm| comm.sum(s, g), cpu = |g, comm| comm.sum_on_host(g));
            if l > 0 {
                kernel for (r, k) in (0..n, 0..d) {
                    let mut sum = 0.0;
                    for i in 0..d { sum += p[(l, i, k)] * delta[(l + 1, r, i)]; }
                    let slope = 1.0 - act[(l, r, k)].abs();
                    delta[(l, r, k)] = sum * slope * slope;
                }
            }
            kernel for (i, k) in (0..d, 0..d) { p[(l, i, k)] -= rate * g[(l, i, k)]; }
        }
    }
}

const ROWS: usize = 32;
const WIDTH: usize = 16;
const LAYERS: usize = 4;
const STEPS: u32 = 20;
const RATE: f32 = 0.05;

/// The devices of the ranks: two GPUs if there are two, the CPU twice.
fn devices(device: &Device) -> Result<Vec<Device>> {
    match device.kind() {
        DeviceKind::Cuda(_) => Ok([Ok(device.clone()), Device::cuda(1)].into_iter().flatten().collect()),
        _ => Ok(vec![device.clone().threads(2)?, device.clone().threads(2)?]),
    }
}

/// A rank's graph, with its part of the rows.
fn build(device: &Device, invitation: &Invitation, rank: usize, ranks: usize) -> Result<Step<'static>, String> {
    let comm = invitation.join(device, rank)?;
    let rows = ROWS / ranks;
    let part = |seed| uniform(seed, ROWS * WIDTH)[rank * rows * WIDTH..(rank + 1) * rows * WIDTH].to_vec();
    let layers = (0..LAYERS as u64).flat_map(|l| uniform(1300 + l, WIDTH * WIDTH)).map(|w| 2.0 * w);
    let layers: Vec<f32> = layers.collect();
    let built = || {
        let p = device.buffer_from(&layers)?;
        let (x, t) = (device.buffer_from(&part(1310))?, device.buffer_from(&part(1311))?);
        StepArgs { p, x, t, comm, rate: RATE, layers: LAYERS, n: rows, d: WIDTH }.build(device)
    };
    built().map_err(|error| error.to_string())
}

/// One step: every rank in a thread of its own.
fn step(graphs: &mut [Step<'static>]) -> graph_runtime::Result<()> {
    thread::scope(|scope| {
        let ranks: Vec<_> =
            graphs.iter_mut().map(|graph| scope.spawn(|| graph.launch().and_then(|()| graph.synchronize()))).collect();
        ranks.into_iter().try_for_each(|rank| rank.join().unwrap_or(Ok(())))
    })
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/data_parallel.json"))?;
    let devices = devices(device)?;
    let ranks = devices.len();
    let invitation = &Invitation::new(device.kind(), ranks)?;
    // Ranks are built at once: NCCL's calls meet in captures too.
    let mut graphs = thread::scope(|scope| {
        let building: Vec<_> = devices
            .iter()
            .enumerate()
            .map(|(rank, device)| scope.spawn(move || build(device, invitation, rank, ranks)))
            .collect();
        building
            .into_iter()
            .map(|rank| rank.join().unwrap_or_else(|_| Err("a rank has panicked".to_owned())))
            .collect::<Result<Vec<_>, _>>()
    })?;
    for _ in 0..STEPS {
        step(&mut graphs)?;
    }
    for (rank, graph) in graphs.iter().enumerate() {
        let p = graph.p().to_vec()?;
        let (first, last) = (&p[..WIDTH * WIDTH], &p[(LAYERS - 1) * WIDTH * WIDTH..]);
        report.close(&format!("the first layer of rank {rank}"), first, reference.get("first")?, 1e-4);
        report.close(&format!("the last layer of rank {rank}"), last, reference.get("last")?, 1e-4);
    }
    report.time(&format!("a step on {ranks} ranks"), || step(&mut graphs))
}
