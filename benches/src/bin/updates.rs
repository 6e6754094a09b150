//! What it costs the host to change a graph that is built: the Rust side of `cpp/updates.cu`.
//!
//! A line of 1,000 kernels that add `a` to 256 elements, and one behind them that adds `last`. Each change is followed by a launch, whose CPU
//! time is beside it, since part of a change may be done then; afterwards the elements are compared with the sum. Prints one JSON object per
//! change; times are medians in microseconds. `updates dry` needs no GPU and checks nothing.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]
#![expect(clippy::float_cmp, reason = "sums of small integers are exact")]

use std::time::{Duration, Instant};

use benches::adding::kernels;
use benches::{median, row, time};
use graph_runtime::prelude::*;
use graph_runtime::{DeviceKind, Result, Update};

const NODES: usize = 1000;
const N: usize = 256;
const ROUNDS: u16 = 41;

cuda_graph! {
    graph Line(y: &mut [f32; N], nodes: usize, a: f32, last: f32) {
        for _ in 0..nodes { kernels::add<<<1, 256>>>(&mut y, a, 256); }
        kernels::add<<<1, 256>>>(&mut y, last, 256);
    }
}

/// A graph and what it should leave.
struct State {
    device: Device,
    graph: Line<'static>,
    nodes: usize,
    a: f32,
    last: f32,
}

impl State {
    fn new(device: &Device) -> Result<Self> {
        let (nodes, a, last) = (NODES, 0.5, 0.5);
        let graph = LineArgs { y: device.zeros(N)?, nodes, a, last }.build(device)?;
        Ok(Self { device: device.clone(), graph, nodes, a, last })
    }

    /// Whether a launch adds what it should; nothing is known of a device that does not run kernels.
    fn adds_up(&mut self) -> Result<bool> {
        if self.device.kind() == DeviceKind::Dry {
            return Ok(true);
        }
        self.graph.y_mut()?.write_from(&[0.0; N])?;
        self.graph.launch()?;
        let expected = self.nodes as f32 * self.a + self.last;
        Ok(self.graph.y().to_vec()?.iter().all(|y| *y == expected))
    }
}

/// What a change should come to.
type Expected = fn(&Update) -> bool;

/// Makes a change again and again, each time with another number; `change` says how long the part that counts took.
fn measure(
    device: &Device,
    what: &str,
    expected: Expected,
    mut change: impl FnMut(&mut State, u16) -> Result<Duration>,
) -> Result<()> {
    let mut state = State::new(device)?;
    state.graph.launch()?;
    let (mut changes, mut launches, mut sums, mut ok) = (Vec::new(), Vec::new(), Vec::new(), true);
    for round in 1..=ROUNDS {
        state.graph.synchronize()?;
        let took = change(&mut state, round)?;
        ok &= state.graph.last_update().is_none_or(expected);
        let start = Instant::now();
        state.graph.launch()?;
        let launch = start.elapsed();
        if round > 1 {
            changes.push(took);
            launches.push(launch);
            sums.push(took + launch);
        }
        if round % 10 == 1 {
            ok &= state.adds_up()?;
        }
    }
    let figures = [("change", median(changes)), ("launch", median(launches)), ("both", median(sums))];
    println!("{}", row("updates", what, "cuda_graph!", &figures, ok));
    Ok(())
}

fn patched(nodes: usize) -> Expected {
    match nodes {
        1 => |update| matches!(update, Update::Patched(nodes) if nodes.len() == 1),
        _ => |update| matches!(update, Update::Patched(nodes) if nodes.len() >= NODES),
    }
}

fn main() -> Result<()> {
    let device = if std::env::args().nth(1).as_deref() == Some("dry") { Device::dry() } else { Device::cuda(0)? };
    measure(&device, "one value in one node", patched(1), |state, round| {
        state.last = f32::from(round);
        time(|| state.graph.set_last(state.last))
    })?;
    measure(&device, "one value in 1,000 nodes", patched(NODES), |state, round| {
        state.a = f32::from(round);
        time(|| state.graph.set_a(state.a))
    })?;
    let mut spare = Some(device.zeros::<f32>(N)?);
    measure(&device, "a pointer in 1,001 nodes", patched(NODES), |state, _| {
        let y = spare.take().map_or_else(|| state.device.zeros(N), Ok)?;
        let start = Instant::now();
        let old = state.graph.rebind_y(y)?;
        let took = start.elapsed();
        spare = old.into_buffer();
        Ok(took)
    })?;
    let every = |update: &Update| matches!(update, Update::Updated(nodes) if nodes.len() >= NODES);
    measure(&device, "all from another graph, which is made", every, |state, round| {
        (state.a, state.last) = (f32::from(round), f32::from(round) + 1.0);
        let y = state.device.zeros(N)?;
        time(|| {
            let other = LineArgs { y, nodes: NODES, a: state.a, last: state.last }.build(&state.device)?;
            state.graph.update_from(other).map(drop)
        })
    })?;
    measure(
        &device,
        "one node more or less",
        |update| matches!(update, Update::Rebuilt { .. }),
        |state, round| {
            state.nodes = NODES + usize::from(round % 2);
            time(|| state.graph.set_nodes(state.nodes))
        },
    )?;
    measure(
        &device,
        "built anew",
        |_| true,
        |state, round| {
            state.a = f32::from(round);
            let y = state.device.zeros(N)?;
            let start = Instant::now();
            let graph = LineArgs { y, nodes: NODES, a: state.a, last: state.last }.build(&state.device)?;
            let took = start.elapsed();
            state.graph = graph;
            Ok(took)
        },
    )
}
