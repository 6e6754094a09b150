//! Generated kernels that begin before those in front of them are over, beside the same graphs without the pass `overlap`, in turns.
//!
//! Prints one JSON object per graph and way; times are medians in microseconds, of a launch until everything is over. Runs on `Device::best()`.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::error::Error;
use std::time::Duration;

use benches::{median, row, time};
use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};

/// Launches of each of the two, in turns.
const LAUNCHES: usize = 40;

/// Indices of a block.
const BLOCK: usize = 256;

cuda_graph! {
    /// Each waits for the one in front.
    graph Line(x: &mut [f32; n], y: &mut [f32; n], rounds: usize) {
        for _ in 0..rounds {
            kernel for k in 0..n - 1 { y[k] = 0.5 * x[k + 1]; }
            kernel for k in 0..n - 1 { x[k] = 0.5 * y[k + 1]; }
        }
    }

    /// One, then four side by side that it lets go, then one that waits for them.
    graph Fork(x: &mut [f32; n], y: [&mut [f32; n]], rounds: usize) {
        for _ in 0..rounds {
            for i in 0..4 { kernel for k in 0..n - i { y[i][k] = 0.5 * x[k]; } }
            kernel for k in 0..n { x[k] = y[0][k] + y[1][k] + y[2][k] + y[3][k]; }
        }
    }

    /// Two side by side, each of which waits for the two in front.
    graph Pairs(x: [&mut [f32; n]], y: [&mut [f32; n]], rounds: usize) {
        for _ in 0..rounds {
            for i in 0..2 { kernel for k in 0..n - i { y[i][k] = x[0][k] + x[1][k]; } }
            for i in 0..2 { kernel for k in 0..n - i { x[i][k] = 0.25 * y[0][k] + 0.25 * y[1][k]; } }
        }
    }

    /// A sum between two kernels.
    graph Sums(x: &mut [f32; n], s: &mut [f32; 1], rounds: usize) {
        for _ in 0..rounds {
            s[0] = (0..n).map(|k| x[k]).sum();
            kernel for k in 0..n { x[k] = 0.5 * x[k] + 1e-9 * s[0]; }
        }
    }

    /// A line in the body of a loop.
    graph Loop(x: &mut [f32; n], y: &mut [f32; n], pass: &mut [u32; 1], passes: u32) {
        pass[0] = 0;
        while pass[0] < passes {
            kernel for k in 0..n - 1 { y[k] = 0.5 * x[k + 1]; }
            kernel for k in 0..n - 1 { x[k] = 0.5 * y[k + 1]; }
            pass[0] += 1;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::best()?;
    for blocks in [1, 132, 1056] {
        let n = blocks * BLOCK;
        both(&device, &format!("line of 1000, {blocks} blocks"), "x", &|device| {
            LineArgs { x: numbers(device, n)?, y: device.zeros(n)?, rounds: 500 }.build(device)
        })?;
        both(&device, &format!("forks of 4, {blocks} blocks"), "x", &|device| {
            ForkArgs { x: numbers(device, n)?, y: several(device, 4, n)?, rounds: 200 }.build(device)
        })?;
        both(&device, &format!("pairs, {blocks} blocks"), "x[0]", &|device| {
            PairsArgs { x: several(device, 2, n)?, y: several(device, 2, n)?, rounds: 250 }.build(device)
        })?;
        both(&device, &format!("sums, {blocks} blocks"), "x", &|device| {
            SumsArgs { x: numbers(device, n)?, s: device.zeros(1)?, rounds: 250 }.build(device)
        })?;
        // Short passes would be run by one launch.
        let device = device.clone().planned(Planning::default().without(Pass::ResidentLoops));
        both(&device, &format!("loop of 500 passes, {blocks} blocks"), "x", &|device| {
            LoopArgs { x: numbers(device, n)?, y: device.zeros(n)?, pass: device.zeros(1)?, passes: 500 }.build(device)
        })?;
    }
    both(&device, "line of 40, 16 Mi elements", "x", &|device| {
        LineArgs { x: numbers(device, 1 << 24)?, y: device.zeros(1 << 24)?, rounds: 20 }.build(device)
    })
}

/// All different where they lie near each other.
fn numbers(device: &Device, n: usize) -> Result<Buffer<f32>> {
    device.buffer_from(&(0..n).map(|k| (k % 8191) as f32 + 1.0).collect::<Vec<_>>())
}

fn several(device: &Device, count: usize, n: usize) -> Result<Vec<Buffer<f32>>> {
    (0..count).map(|_| numbers(device, n)).collect()
}

/// One graph both ways. What the first launch leaves in `result` must be the same, bit by bit.
fn both<P, G>(
    device: &Device,
    name: &str,
    result: &str,
    build: &dyn Fn(&Device) -> Result<G>,
) -> Result<(), Box<dyn Error>>
where
    P: graph_runtime::__private::Program,
    G: std::ops::DerefMut<Target = graph_runtime::Graph<'static, P>>,
{
    let mut graphs = [build(device)?, build(&device.clone().planned(device.planning().without(Pass::Overlap)))?];
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut ok = true;
    for turn in 0..LAUNCHES + 2 {
        for (graph, times) in graphs.iter_mut().zip(&mut times) {
            let taken = time(|| graph.launch().and_then(|()| graph.synchronize()))?;
            times.extend((turn >= 2).then_some(taken));
        }
        if turn == 0 {
            let [early, full] = graphs.each_mut().map(|graph| graph.view_of::<f32>(result)?.to_vec());
            let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            ok = bits(early?) == bits(full?);
        }
    }
    for ((graph, times), how) in graphs.iter().zip(times).zip(["early", "full edges"]) {
        let data = graph.plan().data();
        let early = data.passes.iter().find(|pass| pass.name == "overlap").map_or(0, |pass| pass.count);
        let instantiate = graph.timings().instantiate.as_secs_f64() * 1e6;
        let figures = [("early", early as f64), ("instantiate", instantiate), ("end", median(times))];
        println!("{}", row("overlap", name, how, &figures, ok));
    }
    Ok(())
}
