//! Graphs of the shapes that cost, as written, on lanes and tuned: kernels of one block that do nothing for about 0, 3 and 10 µs.
//!
//! Prints one JSON object per graph, duration and way of planning; times are in microseconds, medians of launches. `cpu` is the time until
//! `launch` returns, `end` until everything is over. `limit` is what no schedule beats: kernels leave 0.17 µs apart, and 0.5 µs lie between
//! two on the longest path. `lanes` alone runs all of them; `lanes stencil cholesky` only these.
#![expect(clippy::print_stdout, reason = "prints its measurements")]
#![expect(clippy::cast_precision_loss, reason = "small numbers")]

use std::time::Duration;

use benches::shapes::{LayersArgs, Shape, cholesky, independent, nodes, random, stencil};
use benches::{launches, median};
use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};

/// Launches of each graph.
const LAUNCHES: usize = 25;
/// Clock cycles of a microsecond.
const CLOCK: f64 = 1980.0;
/// What tuning may take for each node, and at least.
const BUDGET: [Duration; 2] = [Duration::from_micros(400), Duration::from_secs(1)];

/// Makes one.
type Make = fn() -> Shape;

/// Microseconds of each node.
type Durations = Vec<f64>;

/// How a graph is planned.
#[derive(Clone, Copy)]
enum Way {
    Written,
    Untuned,
    Tuned,
}

const WAYS: [Way; 3] = [Way::Written, Way::Untuned, Way::Tuned];

fn main() -> Result<()> {
    let device = Device::cuda(0)?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| name.starts_with(one.as_str()));
    println!("{{\"device\": \"{}\", \"launches\": {LAUNCHES}}}", device.name());
    let shapes: [(&str, Make); 6] = [
        ("independent 100", || independent(100)),
        ("independent 1000", || independent(1000)),
        ("independent 10000", || independent(10_000)),
        ("stencil 64x32", || stencil(64, 32)),
        ("cholesky 20x20", || cholesky(20)),
        ("random 100x20", || random(100, 20)),
    ];
    for (name, shape) in shapes.iter().filter(|(name, _)| is_wanted(name)) {
        for micros in [0.0, 3.0, 10.0] {
            let shape = shape();
            let durations = vec![micros; shape.nodes.len()];
            let mut limit = 0.0;
            for way in WAYS {
                let graph = nodes(&planned(&device, way), &shape, all_cycles(&durations))?;
                measure(&format!("{name}, {micros} us"), &durations, way, graph, &mut limit)?;
            }
        }
    }
    for micros in [0.0, 3.0, 10.0].into_iter().filter(|_| is_wanted("layers")) {
        let mut limit = 0.0;
        for way in WAYS {
            let device = planned(&device, way);
            let x: Vec<_> = (0..33).map(|_| device.zeros::<u32>(1)).collect::<Result<_>>()?;
            let graph = LayersArgs { x, wide: 32, cycles: cycles(micros) }.build(&device)?;
            measure(&format!("layers 32x32, {micros} us"), &vec![micros; 32 * 32], way, graph, &mut limit)?;
        }
    }
    for (name, shape) in [("skewed 1000", independent(1000)), ("skewed random", random(200, 10))] {
        let durations: Durations = (0..shape.nodes.len()).map(|at| if at % 23 == 7 { 60.0 } else { 1.0 }).collect();
        let mut limit = 0.0;
        for way in WAYS.into_iter().filter(|_| is_wanted(name)) {
            let graph = nodes(&planned(&device, way), &shape, all_cycles(&durations))?;
            measure(name, &durations, way, graph, &mut limit)?;
        }
    }
    Ok(())
}

#[expect(clippy::cast_sign_loss, reason = "no duration is negative")]
fn cycles(micros: f64) -> u32 {
    (micros * CLOCK) as u32
}

fn all_cycles(durations: &[f64]) -> Vec<u32> {
    durations.iter().copied().map(cycles).collect()
}

fn planned(device: &Device, way: Way) -> Device {
    match way {
        Way::Written => device.clone().planned(Planning::default().without(Pass::Lanes).without(Pass::Gates)),
        Way::Untuned | Way::Tuned => device.clone(),
    }
}

/// `limit` is found out from the graph as written, and used for the others.
fn measure<P, G>(name: &str, durations: &[f64], way: Way, mut graph: G, limit: &mut f64) -> Result<()>
where
    P: graph_runtime::__private::Program,
    G: std::ops::DerefMut<Target = graph_runtime::Graph<'static, P>>,
{
    let mut tried = String::new();
    if let Way::Tuned = way {
        let budget = (BUDGET[0] * durations.len() as u32).max(BUDGET[1]);
        let tuning = graph.tune(budget)?;
        let of = |one: &graph_runtime::Candidate| {
            let lanes = one.lanes.map_or("none".to_owned(), |lanes| lanes.to_string());
            one.time.map(|time| format!("\"{lanes}\": {:.0}", time.as_secs_f64() * 1e6))
        };
        tried = tuning.candidates().iter().filter_map(of).collect::<Vec<_>>().join(", ");
    }
    let timings = graph.timings();
    graph.launch()?;
    graph.synchronize()?;
    let [cpu, end] = launches(&mut graph, LAUNCHES, |graph| graph.launch(), |graph| graph.synchronize())?;
    let data = graph.plan().data();
    if let Way::Written = way {
        *limit = least(durations, data.edges.iter().map(|edge| (edge.from as usize, edge.to as usize)).collect());
    }
    let way = ["as written", "untuned", "tuned"][way as usize];
    let count = |name: &str| data.passes.iter().find(|pass| pass.name == name).map_or(0, |pass| pass.count);
    let (lanes, gates) = (count("lanes"), count("gates"));
    let [plan, instantiate] = [timings.plan, timings.instantiate].map(|time| time.as_secs_f64() * 1e6);
    println!(
        "{{\"graph\": \"{name}\", \"plan\": \"{way}\", \"nodes\": {}, \"width\": {}, \"edges\": {}, \"lanes\": {lanes}, \"gates\": {gates}, \
         \"planning\": {plan:.0}, \"instantiate\": {instantiate:.0}, \"cpu\": {:.1}, \"end\": {:.0}, \"limit\": {limit:.0}, \
         \"tried\": {{{tried}}}}}",
        data.nodes.len(),
        data.width,
        data.edges.len(),
        median(cpu),
        median(end),
    );
    Ok(())
}

/// What no schedule beats, from the edges that the block demands.
fn least(durations: &[f64], mut edges: Vec<(usize, usize)>) -> f64 {
    let (mut begin, mut longest) = (vec![0.0_f64; durations.len()], 0.17 * durations.len() as f64);
    edges.sort_unstable();
    let mut rest = edges.iter().peekable();
    for (node, duration) in durations.iter().enumerate() {
        let over = begin[node] + duration + 0.5;
        longest = longest.max(over);
        while let Some((_, to)) = rest.next_if(|(from, _)| *from == node) {
            begin[*to] = begin[*to].max(over);
        }
    }
    longest
}
