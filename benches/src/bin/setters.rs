//! Where the time of a setter goes on the host: a graph like a server's, and graphs of 1,000 nodes.
//!
//! Prints one JSON object per graph and setter; times are medians in microseconds. `evaluate` and `plan` are parts of `setter`; the rest
//! is what the device does, which is nothing for a dry device. Give the device's name to measure another: `setters cuda`.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::time::{Duration, Instant};

use benches::adding::kernels as adding;
use benches::median;
use graph_runtime::prelude::*;
use graph_runtime::{BuildTimings, Result};

const IN: usize = 24;
const HIDDEN: usize = 40;
const OUT: usize = 8;
const ROWS: usize = 64;

#[cuda_module("kernels/empty.ptx")]
unsafe mod kernels {
    /// Does nothing to its chain's element.
    pub fn empty(lane: &mut [u32; 1]) {
        let _ = lane;
    }
}

cuda_graph! {
    /// The graph of the example `server`, with a factor.
    graph Infer(
        w1: &[f32; IN * HIDDEN],
        w2: &[f32; HIDDEN * OUT],
        x: &host [f32; n * IN],
        y: &out host [f32; n * OUT],
        n: usize <= ROWS,
        factor: f32,
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
            output[i * OUT + j] = sum * factor;
        }
        copy(&output, &out y);
    }

    /// Only the last node sees `factor`.
    graph Launches(lane: &mut [u32; 1], out: &mut [f32; 64], nodes: usize, factor: f32) {
        for _ in 0..nodes { kernels::empty<<<1, 1>>>(&mut lane); }
        kernel for i in 0..64 { out[i] = out[i] * factor; }
    }

    /// Every node sees `factor`.
    graph Bodies(out: &mut [f32; 64], nodes: usize, factor: f32) {
        for _ in 0..nodes { kernel for i in 0..64 { out[i] = out[i] * factor; } }
    }

    /// Only the last nodes go by `n`.
    graph Tail(lane: &mut [u32; 1], out: &mut [f32; n], nodes: usize, n: usize <= 64) {
        for _ in 0..nodes { kernels::empty<<<1, 1>>>(&mut lane); }
        kernel for i in 0..n { out[i] = out[i] * 2.0; }
        fill(&out out[n / 2..], 1.0);
    }

    /// Every node goes by `n`.
    graph Parts(out: &mut [f32; n], nodes: usize, n: usize <= 64) {
        for _ in 0..nodes { kernel for i in 0..n { out[i] = out[i] * 2.0; } }
    }

    /// Every launch is passed `n`.
    graph Lengths(out: &mut [f32; n], nodes: usize, n: usize <= 64) {
        for _ in 0..nodes { adding::add<<<1, 64>>>(&mut out, 2.0, n as u32); }
    }
}

/// A setter's time, whole and by part.
fn measure(graph: &str, setter: &str, mut set: impl FnMut(u16) -> Result<(Duration, BuildTimings)>) -> Result<()> {
    let mut times = (0..201_u16).map(&mut set).collect::<Result<Vec<_>>>()?;
    times.remove(0);
    let of = |part: fn(&(Duration, BuildTimings)) -> Duration| median(times.iter().map(part));
    println!(
        "{{\"graph\": \"{graph}\", \"setter\": \"{setter}\", \"setter_us\": {:.1}, \"evaluate\": {:.1}, \"plan\": {:.1}}}",
        of(|time| time.0),
        of(|time| time.1.evaluate),
        of(|time| time.1.plan)
    );
    Ok(())
}

macro_rules! measure {
    ($graph:ident, $name:literal, $setter:ident($number:ident) $value:expr) => {
        measure($name, stringify!($setter), |$number| {
            let value = $value;
            let start = Instant::now();
            $graph.$setter(value)?;
            Ok((start.elapsed(), $graph.timings()))
        })?
    };
}

fn main() -> Result<()> {
    let device = if std::env::args().nth(1).as_deref() == Some("cuda") { Device::cuda(0)? } else { Device::dry() };
    let weights = [device.zeros::<f32>(IN * HIDDEN)?, device.zeros::<f32>(HIDDEN * OUT)?];
    let (x, y) = (device.pinned_zeros(ROWS * IN)?, device.pinned_zeros(ROWS * OUT)?);
    let [w1, w2] = &weights;
    let mut infer = InferArgs { w1, w2, x, y, n: ROWS, factor: 1.0 }.build(&device)?;
    measure!(infer, "server", set_factor(number) f32::from(number));
    measure!(infer, "server", set_n(number) usize::from(number) % ROWS + 1);
    let (lane, out) = (device.zeros::<u32>(1)?, device.zeros::<f32>(64)?);
    let mut launches = LaunchesArgs { lane, out, nodes: 1000, factor: 1.0 }.build(&device)?;
    measure!(launches, "1000 launches, one sees it", set_factor(number) f32::from(number));
    let mut bodies = BodiesArgs { out: device.zeros::<f32>(64)?, nodes: 1000, factor: 1.0 }.build(&device)?;
    measure!(bodies, "1000 nodes, all see it", set_factor(number) f32::from(number));
    let (lane, out) = (device.zeros::<u32>(1)?, device.zeros::<f32>(64)?);
    let mut tail = TailArgs { lane, out, nodes: 1000, n: 64 }.build(&device)?;
    measure!(tail, "1000 launches, two nodes go by it", set_n(number) usize::from(number) % 60 + 4);
    let mut parts = PartsArgs { out: device.zeros::<f32>(64)?, nodes: 1000, n: 64 }.build(&device)?;
    measure!(parts, "1000 nodes, all go by it", set_n(number) usize::from(number) % 60 + 4);
    let mut lengths = LengthsArgs { out: device.zeros::<f32>(64)?, nodes: 1000, n: 64 }.build(&device)?;
    measure!(lengths, "1000 launches, all are passed it", set_n(number) usize::from(number) % 60 + 4);
    Ok(())
}
