//! Many launches in the place of one: values, and the memory that is held behind them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::pipelines::{ALL, Pipeline};
use crate::run::{repeatedly, runs};

/// Pipelines of which a launch may not be repeated, and why.
const ONCE: &[(&str, &str)] = &[
    ("assertions", "each launch raises what it asserts to be small"),
    ("callbacks", "its closures keep a log of all calls"),
    ("failing_callbacks", "its launches fail"),
    ("given_back", "its closures keep a log of all calls"),
    ("objects", "its closures count"),
    ("overlap", "its numbers leave their type"),
    ("triangles", "it factors a matrix in place, and the factor has no factor"),
];

/// Runs every pipeline with at least so many launches in all. Buffers are what they were before the last launch of each graph, so the
/// pipeline finds the values that it looks for; none of its memory may be held when it is over.
pub fn every_pipeline(device: &Device, launches: u32) {
    let repeated = |(name, _): &&(&str, Pipeline)| ONCE.iter().all(|(once, _)| once != name);
    for (name, pipeline) in ALL.iter().filter(repeated) {
        let work = || pipeline(device).unwrap_or_else(|error| panic!("{name}: {error}"));
        let runs = runs(work);
        assert!(runs > 0, "{name} runs its graphs by itself");
        let held = device.held_memory();
        repeatedly(launches.div_ceil(runs), work);
        assert_eq!(device.held_memory(), held, "{name}");
    }
}

/// What calls have added up.
#[derive(Default)]
pub struct Calls(AtomicU64);

impl Calls {
    fn add(&self, more: u32) {
        self.0.fetch_add(u64::from(more), Ordering::Relaxed);
    }
}

cuda_graph! {
    /// Each launch goes on from where the one before it ended, in every kind of node that can carry something on.
    graph Carried(x: &mut [u32; n], y: &mut [u32; n], sum: &out host [u32; 1], by: u32, n: usize, calls: &Calls) {
        static launches: [u32; 1] = 0;
        let t: [u32; n];
        launches[0] += 1;
        basic::increment<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        kernel for i in 0..n { y[i] = y[i].wrapping_mul(by).wrapping_add(x[i]); }
        copy(&y, &out t);
        let rounds: [u32; 1] = 0;
        while rounds[0] < 3 limit 5 {
            kernel for i in 0..n { t[i] = t[i].wrapping_add(launches[0]); }
            rounds[0] += 1;
        }
        if launches[0] % 2 == 0 { kernel for i in 0..n { t[i] = t[i].wrapping_sub(x[i]); } }
        copy(&t, &out y);
        let all: [u32; 1];
        all[0] = (0..n).map(|i| x[i]).sum();
        copy(&all, &out sum);
        host(&sum, |sum| calls.add(sum[0] % 7));
    }
}

/// Launches one graph so often without a wait, and compares all that it carries from launch to launch with plain Rust.
///
/// # Errors
/// Those of the device.
pub fn carried(device: &Device, launches: u32) -> Result<()> {
    const N: usize = 48;
    const BY: u32 = 1_664_525;
    let held = device.held_memory();
    let calls = Arc::new(Calls::default());
    let mut sum = device.pinned_zeros(1)?;
    let (mut x, mut y) = (device.zeros::<u32>(N)?, device.buffer_from(&[3_u32; N])?);
    let mut graph =
        CarriedArgs { x: &mut x, y: &mut y, sum: &mut sum, by: BY, n: N, calls: Arc::clone(&calls) }.build(device)?;
    for _ in 0..launches {
        graph.launch()?;
    }
    graph.synchronize()?;
    let (mut one, mut told) = (3_u32, 0);
    for launch in 1..=launches {
        // All elements are the same, and those of `x` count launches.
        one = one.wrapping_mul(BY).wrapping_add(launch).wrapping_add(3 * launch);
        one = if launch % 2 == 0 { one.wrapping_sub(launch) } else { one };
        told += u64::from(launch * N as u32 % 7);
    }
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![launches; N], vec![one; N]));
    assert_eq!(graph.launches().to_vec()?, [launches]);
    assert_eq!((graph.sum().to_vec()?, calls.0.load(Ordering::Relaxed)), (vec![launches * N as u32], told));
    drop(graph);
    drop((x, y, sum));
    assert_eq!(device.held_memory(), held);
    Ok(())
}
