//! What a pass of a loop costs: the Rust side of `cpp/loops.cu`, with the same kernels.
//!
//! A pass is a chain of kernels of one block that add 1 to 256 elements; the loop ends when the first one has reached a number. Who decides
//! is the generated test, behind each pass, each second or each fourth, or the last kernel itself; and the same steps are written in the block.
//! Prints one JSON object per loop and way; times are medians in microseconds. `loops 100` makes at most 100 passes.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]
#![expect(clippy::float_cmp, reason = "sums of small integers are exact")]

use benches::{median, row, time};
use graph_runtime::Result;
use graph_runtime::prelude::*;

const N: usize = 256;

#[cuda_module("kernels/loops.cu")]
unsafe mod kernels {
    /// Adds 1.
    #[requires(grid.x == 1 && n <= block.x)]
    pub fn step(y: &mut [f32; n], n: u32) {
        let _ = n;
        y.iter_mut().for_each(|y| *y += 1.0);
    }

    /// Adds 1; another pass while the first element is below `end`.
    #[requires(grid.x == 1 && n <= block.x)]
    pub fn step_and_decide(y: &mut [f32; n], end: f32, again: Condition, n: u32) {
        let _ = n;
        y.iter_mut().for_each(|y| *y += 1.0);
        again.set(u32::from(y[0] < end));
    }
}

/// A loop whose test is generated.
macro_rules! tested {
    ($name:ident $($every:tt)*) => {
        cuda_graph! {
            graph $name(y: &out [f32; N], end: f32, kernels: usize) {
                fill(&out y, 0.0);
                'pass: loop limit 1_000_000 $($every)* {
                    for _ in 0..kernels { kernels::step<<<1, 256>>>(&mut y, 256); }
                    if y[0] >= end { break; }
                }
            }
        }
    };
}

tested!(Tested);
tested!(BySecond every 2);
tested!(ByFourth every 4);

cuda_graph! {
    graph Decided(y: &out [f32; N], end: f32, kernels: usize) {
        fill(&out y, 0.0);
        'pass: while |again| {
            for _ in 1..kernels { kernels::step<<<1, 256>>>(&mut y, 256); }
            kernels::step_and_decide<<<1, 256>>>(&mut y, end, again, 256);
        }
    }

    /// Each step reads what another index wrote, so none shares a launch with the next.
    graph InBlock(y: &out [f32; N], end: f32, kernels: usize) {
        let x: [f32; N];
        fill(&out y, 0.0);
        'pass: loop limit 1_000_000 {
            if kernels % 2 == 1 { kernel for i in 0..N { y[i] += 1.0; } }
            for _ in 0..kernels / 2 {
                kernel for i in 0..N { x[i] = y[N - 1 - i] + 1.0; }
                kernel for i in 0..N { y[i] = x[N - 1 - i] + 1.0; }
            }
            if y[0] >= end { break; }
        }
    }
}

/// Measures a graph of these for all numbers of passes.
macro_rules! measure {
    ($device:expr, $graph:ident, $arguments:ident, $how:literal, $kernels:expr, $passes:expr, $every:literal) => {{
        let y = $device.zeros::<f32>(N)?;
        let mut graph = $arguments { y, end: 1.0, kernels: $kernels }.build($device)?;
        let every: u64 = $every;
        for passes in $passes.iter().copied().filter(|passes| passes % every == 0) {
            let end = $kernels as f32 * passes as f32;
            graph.set_end(end)?;
            let repeats = match passes {
                10_000.. => 3,
                1_000.. => 11,
                _ => 51,
            };
            let mut launch = || time(|| graph.launch().and_then(|()| graph.synchronize()));
            launch()?;
            let micros = median((0..repeats).map(|_| launch()).collect::<Result<Vec<_>>>()?);
            let made = graph.iterations($graph::PASS)?;
            let ok = made == passes && graph.y().to_vec()?.iter().all(|y| *y == end);
            print(&format!("kernels {}, passes {passes}", $kernels), $how, micros, made, ok);
        }
    }};
}

fn print(what: &str, how: &str, micros: f64, passes: u64, ok: bool) {
    let figures = [("time", micros), ("passes", passes as f64), ("pass", micros / passes as f64)];
    println!("{}", row("loops", what, how, &figures, ok));
}

fn main() -> Result<()> {
    let device = Device::best()?;
    let most: u64 = std::env::args().nth(1).and_then(|most| most.parse().ok()).unwrap_or(10_000);
    let passes: Vec<u64> = [10, 100, 1000, 10_000].into_iter().filter(|passes| *passes <= most).collect();
    for kernels in [1, 4, 16] {
        measure!(&device, Tested, TestedArgs, "cuda_graph!", kernels, passes, 1);
        measure!(&device, BySecond, BySecondArgs, "cuda_graph!, every 2", kernels, passes, 2);
        measure!(&device, ByFourth, ByFourthArgs, "cuda_graph!, every 4", kernels, passes, 4);
        measure!(&device, Decided, DecidedArgs, "cuda_graph!, its last kernel decides", kernels, passes, 1);
        measure!(&device, InBlock, InBlockArgs, "cuda_graph!, kernels in the block", kernels, passes, 1);
    }
    Ok(())
}
