//! Where the time of a server's request goes on the host, step by step: the graph of the example `server`.
//!
//! Prints one JSON object per step; times are medians in microseconds. A dry device executes nothing, so there it is what the library
//! does by itself. Give the device's name to measure another: `requests cuda`, `requests cpu`.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::time::{Duration, Instant};

use benches::median;
use examples::programs::server::{HIDDEN, IN, Infer, InferArgs, OUT, ROWS};
use graph_runtime::prelude::*;

const REQUESTS: usize = 4000;

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
    pollster::block_on(graph.ticket())?;
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
    let [begun, read, sent] = [device.event()?, device.event()?, device.event()?];
    let arguments = InferArgs { w1: &w1, w2: &w2, x, y, n: ROWS, begun: &begun, read: &read, sent: &sent };
    let mut graph = arguments.build(&device)?;
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
