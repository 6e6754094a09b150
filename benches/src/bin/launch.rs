//! What building and launching graphs costs, from 10 to 100,000 kernels: the Rust side of `cpp/launch.cu` and `torch_rows.py`.
//!
//! Kernels of one block add to 256 elements, in one chain, in 32, or each to its own. Beside the block stand the same launches into streams with
//! cudarc, as they are and captured. A line of 1,000 fills is there too. Prints one JSON object per graph and way; times are medians in
//! microseconds: `cpu` until the launch returns, `end` until all is over, `first` the first launch until it is over. `limit` is what no
//! schedule beats: kernels leave 0.17 µs apart, and 0.5 µs lie between two of a chain. `launch 1000` has at most 1,000 kernels.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]
#![expect(clippy::float_cmp, reason = "sums of small integers are exact")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benches::adding::kernels;
use benches::{launches, median, row, time};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaFunction, CudaGraph, CudaSlice, CudaStream, LaunchConfig, PushKernelArg as _};
use graph_runtime::DeviceKind;
use graph_runtime::prelude::*;

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

const SOURCE: &str = include_str!("../../kernels/add.cu");
const N: usize = 256;
/// Streams that the launches beside the block are dealt onto at most.
const STREAMS: usize = 32;
const CUDARC_CAPTURED: &str = "cudarc: streams, captured";
const CUDARC_STREAMS: &str = "cudarc: streams";

cuda_graph! {
    graph Chains(y: [&mut [f32; 256]], nodes: usize) {
        for k in 0..nodes { kernels::add<<<1, 256>>>(&mut y[k % y.len()], 1.0, 256); }
    }

    /// Of what each fill writes, the next one leaves an element.
    graph Fills(y: &out [f32; n], n: usize) {
        for k in 0..n { fill(&out y[k..n], k as f32); }
    }
}

/// A graph's shape.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    chains: usize,
    nodes: usize,
}

impl Shape {
    fn case(self) -> String {
        format!("{} {}", self.name, self.nodes)
    }

    fn limit(self) -> f64 {
        (0.17 * self.nodes as f64).max(0.5 * self.nodes.div_ceil(self.chains) as f64)
    }

    /// How many kernels each chain has.
    fn expected(self) -> impl Iterator<Item = f32> {
        (0..self.chains).map(move |chain| (self.nodes - chain).div_ceil(self.chains) as f32)
    }

    /// Builds, of which the first does not count, and launches.
    fn repeats(self) -> (usize, usize) {
        match self.nodes {
            50_000.. => (3, 10),
            5_000.. => (4, 20),
            500.. => (8, 60),
            _ => (16, 200),
        }
    }
}

/// What was measured of one way.
#[derive(Default)]
struct Times {
    build: Vec<Duration>,
    plan: Vec<Duration>,
    instantiate: Vec<Duration>,
    first: Vec<Duration>,
    cpu: Vec<Duration>,
    end: Vec<Duration>,
}

impl Times {
    fn print(self, shape: Shape, how: &str, ok: bool) {
        let parts =
            [("build", self.build), ("plan", self.plan), ("instantiate", self.instantiate), ("first", self.first)];
        let mut figures: Vec<(&str, f64)> = Vec::new();
        figures.extend(
            parts.into_iter().filter(|(_, times)| !times.is_empty()).map(|(name, times)| (name, median(times))),
        );
        figures.extend([("cpu", median(self.cpu)), ("end", median(self.end)), ("limit", shape.limit())]);
        println!("{}", row("launch", &shape.case(), how, &figures, ok));
    }
}

fn zeros(device: &Device, shape: Shape) -> Result<Vec<Buffer<f32>>> {
    Ok((0..shape.chains).map(|_| device.zeros(N)).collect::<graph_runtime::Result<_>>()?)
}

fn block(device: &Device, shape: Shape, how: &str) -> Result {
    let (builds, count) = shape.repeats();
    let mut times = Times::default();
    let mut y = zeros(device, shape)?;
    for number in 1..builds {
        let (mut graph, took) = build(device, &mut y, shape)?;
        times.build.push(took);
        let timings = graph.timings();
        times.plan.push(timings.evaluate + timings.plan);
        times.instantiate.push(timings.instantiate);
        times.first.push(time(|| graph.launch().and_then(|()| graph.synchronize()))?);
        if number == 1 {
            times = Times::default(); // the first build pays for what the driver sets up once
        }
    }
    for chain in &mut y {
        chain.write_from(&[0.0; N])?;
    }
    let mut graph = ChainsArgs { y: &mut y, nodes: shape.nodes }.build(device)?;
    graph.launch()?;
    graph.synchronize()?;
    let mut ok = true;
    for (chain, expected) in shape.expected().enumerate() {
        ok &= graph.y(chain)?.to_vec()?.iter().all(|y| *y == expected);
    }
    [times.cpu, times.end] = launches(&mut graph, count, |graph| graph.launch(), |graph| graph.synchronize())?;
    times.print(shape, how, ok);
    Ok(())
}

fn build<'b>(device: &Device, y: &'b mut [Buffer<f32>], shape: Shape) -> Result<(Chains<'b>, Duration)> {
    let start = Instant::now();
    let graph = ChainsArgs { y, nodes: shape.nodes }.build(device)?;
    Ok((graph, start.elapsed()))
}

/// The same launches with cudarc.
struct Streams {
    main: Arc<CudaStream>,
    others: Vec<Arc<CudaStream>>,
    add: CudaFunction,
    y: Vec<CudaSlice<f32>>,
    nodes: usize,
}

impl Streams {
    fn new(ordinal: usize, shape: Shape) -> Result<Self> {
        let context = CudaContext::new(ordinal)?;
        // SAFETY: the slices below are used in the order that `issue` makes, and freed when nothing runs.
        unsafe { context.disable_event_tracking() };
        let main = context.new_stream()?;
        let others = (1..shape.chains.min(STREAMS)).map(|_| context.new_stream()).collect::<Result<_, _>>()?;
        let add = context.load_module(cudarc::nvrtc::compile_ptx(SOURCE)?)?.load_function("add")?;
        let y = (0..shape.chains).map(|_| main.alloc_zeros(N)).collect::<Result<_, _>>()?;
        Ok(Self { main, others, add, y, nodes: shape.nodes })
    }

    fn issue(&mut self) -> Result {
        let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (N as u32, 1, 1), shared_mem_bytes: 0 };
        for other in &self.others {
            other.join(&self.main)?;
        }
        let chains = self.y.len();
        for k in 0..self.nodes {
            let chain = k % chains;
            let stream = match chain % STREAMS {
                0 => &self.main,
                other => &self.others[other - 1],
            };
            let mut launch = stream.launch_builder(&self.add);
            launch.arg(&mut self.y[chain]).arg(&1.0_f32).arg(&(N as u32));
            // SAFETY: the kernel takes these parameters, and each slice has so many elements.
            unsafe { launch.launch(shape) }?;
        }
        for other in &self.others {
            self.main.join(other)?;
        }
        Ok(())
    }

    fn capture(&mut self) -> Result<CudaGraph> {
        self.main.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
        self.issue()?;
        Ok(self.main.end_capture(CUgraphInstantiate_flags(0))?.ok_or("nothing was captured")?)
    }

    fn clear(&mut self) -> Result {
        for y in &mut self.y {
            self.main.memset_zeros(y)?;
        }
        Ok(self.main.synchronize()?)
    }

    fn adds_up(&self, shape: Shape) -> Result<bool> {
        let mut ok = true;
        for (y, expected) in self.y.iter().zip(shape.expected()) {
            ok &= self.main.clone_dtoh(y)?.iter().all(|y| *y == expected);
        }
        Ok(ok)
    }
}

fn cudarc(ordinal: usize, shape: Shape) -> Result {
    let mut streams = Streams::new(ordinal, shape)?;
    let (builds, count) = shape.repeats();
    let mut times = Times::default();
    for build in 0..builds {
        let start = Instant::now();
        let graph = streams.capture()?;
        let took = start.elapsed();
        streams.clear()?;
        let first = time(|| graph.launch().and_then(|()| streams.main.synchronize()))?;
        if build > 0 {
            times.build.push(took);
            times.first.push(first);
        }
        if build + 1 == builds {
            let ok = streams.adds_up(shape)?;
            let wait = |streams: &mut Streams| streams.main.synchronize();
            [times.cpu, times.end] = launches(&mut streams, count, |_| graph.launch(), wait)?;
            std::mem::take(&mut times).print(shape, CUDARC_CAPTURED, ok);
        }
    }
    streams.clear()?;
    streams.issue()?;
    let ok = streams.adds_up(shape)?;
    let wait = |streams: &mut Streams| Ok(streams.main.synchronize()?);
    [times.cpu, times.end] = launches(&mut streams, count.min(20), Streams::issue, wait)?;
    times.print(shape, CUDARC_STREAMS, ok);
    Ok(())
}

fn fills(device: &Device, n: usize) -> Result {
    let shape = Shape { name: "fills", chains: 1, nodes: n };
    let (_, count) = shape.repeats();
    let mut graph = FillsArgs { y: device.zeros(n)?, n }.build(device)?;
    graph.launch()?;
    let ok =
        graph.plan().data().nodes.len() == n && graph.y().to_vec()?.iter().enumerate().all(|(k, y)| *y == k as f32);
    let [cpu, end] = launches(&mut graph, count, |graph| graph.launch(), |graph| graph.synchronize())?;
    Times { cpu, end, ..Times::default() }.print(shape, "cuda_graph!: kernels that fill", ok);
    Ok(())
}

fn main() -> Result {
    let device = Device::best()?;
    let most: usize = std::env::args().nth(1).map_or(Ok(100_000), |most| most.parse())?;
    for nodes in [10, 100, 1000, 10_000, 100_000].into_iter().filter(|nodes| *nodes <= most) {
        for (name, chains) in [("line", 1), ("32 chains", 32), ("independent", nodes)] {
            // As they are written, the driver takes minutes for 100,000 that wait for nothing.
            if chains > nodes || chains > 10_000 {
                continue;
            }
            let shape = Shape { name, chains, nodes };
            block(&device, shape, "cuda_graph!")?;
            if let DeviceKind::Cuda(ordinal) = device.kind() {
                cudarc(ordinal, shape)?;
            }
        }
    }
    fills(&device, 1000)
}
