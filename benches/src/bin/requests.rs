//! Where the time of a server's request goes on the host, step by step: the graph of the example `server`.
//!
//! Prints one JSON object per step; times are medians in microseconds. A dry device executes nothing, so there it is what the library
//! does by itself. Give the device's name to measure another: `requests cuda`, `requests cpu`.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use benches::median;
use graph_runtime::Result;
use graph_runtime::prelude::*;

const IN: usize = 24;
const HIDDEN: usize = 40;
const OUT: usize = 8;
const ROWS: usize = 64;
const REQUESTS: usize = 4000;

cuda_graph! {
    graph Infer(
        w1: &[f32; IN * HIDDEN],
        w2: &[f32; HIDDEN * OUT],
        x: &host [f32; n * IN],
        y: &out host [f32; n * OUT],
        n: usize <= ROWS,
        sent: &Event,
    ) {
        let input: [f32; n * IN];
        let hidden: [f32; n * HIDDEN];
        let output: [f32; n * OUT];
        copy(&x, &out input);
        kernel for (i, j) in (0..n, 0..HIDDEN) {
            let mut sum = 0.0;
            for k in 0..IN { sum += input[i * IN + k] * w1[k * HIDDEN + j]; }
            hidden[i * HIDDEN + j] = sum.max(0.0);
        }
        kernel for (i, j) in (0..n, 0..OUT) {
            let mut sum = 0.0;
            for k in 0..HIDDEN { sum += hidden[i * HIDDEN + k] * w2[k * OUT + j]; }
            output[i * OUT + j] = sum;
        }
        wait(&sent, &y);
        copy(&output, &out y);
    }
}

/// Wakes the thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

const STEPS: [&str; 6] = ["set the rows", "write the request", "launch", "await", "read the answer", "record `sent`"];

/// The times of one request, by step.
fn request(graph: &mut Infer<'_>, sent: &Event, rows: usize, input: &[f32]) -> Result<[Duration; STEPS.len()]> {
    let mut at = [Instant::now(); STEPS.len() + 1];
    graph.set_n(rows)?;
    at[1] = Instant::now();
    graph.x_mut()?.slice_mut(..rows * IN)?.write_from(&input[..rows * IN])?;
    at[2] = Instant::now();
    graph.launch()?;
    at[3] = Instant::now();
    block_on(graph.ticket())?;
    at[4] = Instant::now();
    let answer = graph.y().slice(..rows * OUT)?.to_vec()?;
    std::hint::black_box(answer);
    at[5] = Instant::now();
    sent.record()?;
    at[6] = Instant::now();
    Ok(std::array::from_fn(|step| at[step + 1] - at[step]))
}

fn main() -> Result<()> {
    let device = match std::env::args().nth(1).as_deref() {
        Some("cuda") => Device::cuda(0)?,
        Some("cpu") => Device::cpu(),
        _ => Device::dry(),
    };
    let (w1, w2) = (device.zeros::<f32>(IN * HIDDEN)?, device.zeros::<f32>(HIDDEN * OUT)?);
    let (x, y) = (device.pinned_zeros(ROWS * IN)?, device.pinned_zeros(ROWS * OUT)?);
    let sent = device.event()?;
    let mut graph = InferArgs { w1: &w1, w2: &w2, x, y, n: ROWS, sent: &sent }.build(&device)?;
    let input = [1.0; ROWS * IN];
    let mut times = Vec::new();
    for number in 0..REQUESTS {
        times.push(request(&mut graph, &sent, 1 + number * 7 % ROWS, &input)?);
    }
    // The first ones load and warm up.
    times.drain(..REQUESTS / 8);
    for (step, name) in STEPS.iter().enumerate() {
        println!("{{\"step\": \"{name}\", \"us\": {:.2}}}", median(times.iter().map(|time| time[step])));
    }
    println!("{{\"step\": \"all\", \"us\": {:.2}}}", median(times.iter().map(|time| time.iter().sum())));
    Ok(())
}
