//! NVIDIA's `simpleCudaGraphs`: a sum of many numbers that a callback on the host is told at every launch.
//!
//! The sample clears its two outputs with memsets, though both are overwritten; here five nodes are left of its seven.

use std::sync::{Arc, Mutex, PoisonError};

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "reduce", about: "a sum in two kernels, told to a callback (simpleCudaGraphs)", run };

/// Blocks of 512 threads.
#[cuda_module("kernels/programs/reduce.cu", define(THREADS = 512))]
unsafe mod k {
    #[block(512)]
    #[requires(grid.x == blocks)]
    pub fn reduce(x: &[f32; n], part: Out<[f64; blocks]>, n: u32, blocks: u32) {
        let one = n.div_ceil(blocks).max(1) as usize;
        for (i, part) in part.iter_mut().enumerate() {
            *part = x.iter().skip(i * one).take(one).map(|x| f64::from(*x)).sum();
        }
    }

    #[block(512)]
    #[requires(grid.x == 1)]
    pub fn reduce_final(part: &[f64; blocks], sum: Out<[f64; 1]>, blocks: u32) {
        sum[0] = part.iter().sum();
    }
}

/// The totals that callbacks have told.
pub type Log = Mutex<Vec<f64>>;

cuda_graph! {
    /// With kernels of its own, as the sample has them.
    pub graph Reduce(h: &host [f32; n], blocks: u32, log: &Log) {
        let x: [f32; n];
        let part: [f64; blocks];
        let sum: [f64; 1];
        let total: host [f64; 1];
        copy(&h, &out x);
        k::reduce<<<blocks>>>(&x, &out part, n as u32, blocks);
        k::reduce_final<<<1>>>(&part, &out sum, blocks);
        copy(&sum, &out total);
        host(&total, |total| log.lock().unwrap_or_else(PoisonError::into_inner).push(total[0]));
    }

    /// With a reduction that is written here.
    pub graph Sum(h: &host [f32; n], log: &Log) {
        let x: [f32; n];
        let sum: [f64; 1];
        let total: host [f64; 1];
        copy(&h, &out x);
        sum[0] = (0..n).map(|i| x[i] as f64).sum();
        copy(&sum, &out total);
        host(&total, |total| log.lock().unwrap_or_else(PoisonError::into_inner).push(total[0]));
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    let numbers = uniform(12, report.size(100_000, 1 << 24));
    let h = device.pinned_from(&numbers)?;
    let log = Arc::new(Log::default());
    let mut graph = ReduceArgs { h: &h, blocks: 64, log: Arc::clone(&log) }.build(device)?;
    let mut written = SumArgs { h: &h, log: Arc::clone(&log) }.build(device)?;
    report.equal("nodes", &graph.plan().nodes().len(), &5);
    graph.launch()?;
    graph.set_blocks(256)?;
    graph.launch()?;
    graph.synchronize()?;
    written.launch()?;
    written.synchronize()?;
    // The numbers are multiples of 2^-24: their sum is exact in any order.
    let sum: i64 = numbers.iter().map(|x| (x * 16_777_216.0) as i64).sum();
    let told = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let total = sum as f64 / 16_777_216.0;
    report.close("what the callbacks were told", &told, &[total; 3], 0.0);
    let launches = || streams::reduce::Reduce::new(device, &numbers);
    let own = report.checked(launches()?, &[total], 0.0)?;
    report.time_beside("kernels of its own", own, || {
        graph.launch()?;
        graph.synchronize()
    })?;
    report.time_beside("written in the block", launches()?, || {
        written.launch()?;
        written.synchronize()
    })
}
