//! What N empty kernels in W independent chains cost through `cuda_graph!`: the Rust side of `cpp/topology.cu`.
//!
//! Prints one JSON object per topology; times are medians in microseconds, with the keys of the C++ program and two more: `evaluate`
//! (host expressions) and `plan` (rules, dependences, order, arena), which `build` includes. Runs on `Device::best()`; on the CPU there
//! is no driver to time.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::time::{Duration, Instant};

use benches::median;
use graph_runtime::prelude::*;
use graph_runtime::{BuildTimings, Result};

/// The file that the C++ program loads too.
#[cuda_module("kernels/empty.ptx")]
unsafe mod kernels {
    /// Does nothing to its chain's element.
    pub fn empty(lane: &mut [u32; 1]) {
        let _ = lane;
    }
}

/// One graph of empty kernels.
trait Topology: Sized {
    const CHAINS: usize;
    const NODES: usize;

    fn make(device: &Device) -> Result<Self>;
    fn build_timings(&self) -> BuildTimings;
    fn start(&mut self) -> Result<()>;
    fn finish(&mut self) -> Result<()>;
}

/// Writes `$round` as often as the binary digits say, then `$tail`, into a graph.
macro_rules! repeat {
    ($name:ident [$($lane:ident)*] {$($round:tt)*} {$($tail:tt)*} {$($body:tt)*}) => {
        cuda_graph! { graph $name($($lane: &mut [u32; 1]),*) { $($body)* $($tail)* } }
    };
    ($name:ident $lanes:tt $round:tt $tail:tt {$($body:tt)*} 0 $($digit:tt)*) => {
        repeat! { $name $lanes $round $tail {$($body)* $($body)*} $($digit)* }
    };
    ($name:ident $lanes:tt {$($round:tt)*} $tail:tt {$($body:tt)*} 1 $($digit:tt)*) => {
        repeat! { $name $lanes {$($round)*} $tail {$($body)* $($body)* $($round)*} $($digit)* }
    };
}

/// A graph with a chain for each lane: kernel `i` updates lane `i % chains`, so it waits for the one before it in its chain.
macro_rules! topology {
    ($name:ident $arguments:ident: $nodes:literal nodes, lanes $lanes:tt, rounds [$($digit:tt)*], then [$($last:ident)*]) => {
        topology! { @graph $name $lanes [$($digit)*] [$($last)*] }
        topology! { @trait $name $arguments $nodes $lanes }
    };
    (@graph $name:ident [$($lane:ident)*] [$($digit:tt)*] [$($last:ident)*]) => {
        repeat! {
            $name [$($lane)*]
            { $(kernels::empty<<<1, 1>>>(&mut $lane);)* }
            { $(kernels::empty<<<1, 1>>>(&mut $last);)* }
            {}
            $($digit)*
        }
    };
    (@trait $name:ident $arguments:ident $nodes:literal [$($lane:ident)*]) => {
        impl Topology for $name<'static> {
            const CHAINS: usize = [$(stringify!($lane)),*].len();
            const NODES: usize = $nodes;

            fn make(device: &Device) -> Result<Self> {
                $arguments { $($lane: device.zeros::<u32>(1)?),* }.build(device)
            }

            fn build_timings(&self) -> BuildTimings {
                self.timings()
            }

            fn start(&mut self) -> Result<()> {
                self.launch()
            }

            fn finish(&mut self) -> Result<()> {
                self.synchronize()
            }
        }
    };
}

topology! { Line100 Line100Args: 100 nodes, lanes [a0], rounds [1 1 0 0 1 0 0], then [] }
topology! { Line1000 Line1000Args: 1000 nodes, lanes [a0], rounds [1 1 1 1 1 0 1 0 0 0], then [] }
topology! { Line10000 Line10000Args: 10000 nodes, lanes [a0], rounds [1 0 0 1 1 1 0 0 0 1 0 0 0 0], then [] }
topology! {
    Wide100 Wide100Args: 100 nodes,
    lanes [a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7 d0 d1 d2 d3 d4 d5 d6 d7],
    rounds [1 1],
    then [a0 a1 a2 a3]
}
topology! {
    Wide1000 Wide1000Args: 1000 nodes,
    lanes [a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7 d0 d1 d2 d3 d4 d5 d6 d7],
    rounds [1 1 1 1 1],
    then [a0 a1 a2 a3 a4 a5 a6 a7]
}
topology! {
    Wide10000 Wide10000Args: 10000 nodes,
    lanes [a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7 d0 d1 d2 d3 d4 d5 d6 d7],
    rounds [1 0 0 1 1 1 0 0 0],
    then [a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7]
}

/// Everything measured of one topology.
#[derive(Default)]
struct Samples {
    builds: Vec<BuildTimings>,
    build: Vec<Duration>,
    first_launch: Vec<Duration>,
    launch: Vec<Duration>,
    end_to_end: Vec<Duration>,
}

/// How long the launch call takes, and how long until the device is done.
fn time_launch(graph: &mut impl Topology) -> Result<(Duration, Duration)> {
    let start = Instant::now();
    graph.start()?;
    let returned = start.elapsed();
    graph.finish()?;
    Ok((returned, start.elapsed()))
}

/// Builds and launches as often as the C++ program does.
fn sample<T: Topology>(device: &Device) -> Result<Samples> {
    let (builds, launches) = match T::NODES {
        10_000.. => (6, 40),
        1_000.. => (16, 200),
        _ => (41, 200),
    };
    let mut samples = Samples::default();
    for build in 0..builds {
        let start = Instant::now();
        let mut graph = T::make(device)?;
        samples.build.push(start.elapsed());
        samples.builds.push(graph.build_timings());
        samples.first_launch.push(time_launch(&mut graph)?.1);
        for _ in 0..if build + 1 == builds { launches } else { 0 } {
            let (launch, end_to_end) = time_launch(&mut graph)?;
            samples.launch.push(launch);
            samples.end_to_end.push(end_to_end);
        }
        if build == 0 {
            samples = Samples::default(); // the first build pays for what the driver sets up once
        }
    }
    Ok(samples)
}

/// Measures one topology and prints it.
fn measure<T: Topology>(device: &Device) -> Result<()> {
    let samples = sample::<T>(device)?;
    let part = |of: fn(&BuildTimings) -> Duration| median(samples.builds.iter().map(of));
    println!(
        "{{\"program\":\"runtime\",\"device\":\"{}\",\"chains\":{},\"nodes\":{},\"build\":{:.3},\"evaluate\":{:.3},\"plan\":{:.3},\"lower\":{:.3},\
         \"add_nodes\":{:.3},\"instantiate\":{:.3},\"upload\":{:.3},\"first_launch\":{:.3},\"launch\":{:.3},\"end_to_end\":{:.3}}}",
        device.name(),
        T::CHAINS,
        T::NODES,
        median(samples.build),
        part(|timings| timings.evaluate),
        part(|timings| timings.plan),
        part(|timings| timings.lower),
        part(|timings| timings.add_nodes),
        part(|timings| timings.instantiate),
        part(|timings| timings.upload),
        median(samples.first_launch),
        median(samples.launch),
        median(samples.end_to_end),
    );
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::best()?;
    measure::<Line100<'_>>(&device)?;
    measure::<Line1000<'_>>(&device)?;
    measure::<Line10000<'_>>(&device)?;
    measure::<Wide100<'_>>(&device)?;
    measure::<Wide1000<'_>>(&device)?;
    measure::<Wide10000<'_>>(&device)
}
