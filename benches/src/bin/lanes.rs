//! Graphs of the shapes that cost, as written, on lanes and tuned: kernels of one block that take about 0, 3 and 10 µs.
//!
//! Prints one JSON object per graph and way of planning; times are in microseconds, medians of launches. `cpu` is the time until `launch`
//! returns, `end` until everything is over. `limit` is what no schedule beats: kernels leave 0.17 µs apart, and 0.5 µs lie between two on
//! the longest path. `lanes` alone runs all of them; `lanes stencil cholesky` only these; `lanes --write FILE` writes them down for
//! `cpp/lanes.cu` instead.
#![expect(clippy::print_stdout, reason = "prints its measurements")]
#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "small numbers, none negative")]

use std::error::Error;
use std::time::Duration;

use benches::shapes::{LayersArgs, Shape, band, cholesky, independent, layers, nodes, random, stencil};
use benches::{launches, median, row};
use graph_runtime::prelude::*;
use graph_runtime::{Durations, Graph, PlanView, Planning};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// Launches of each graph.
const LAUNCHES: usize = 25;
/// Clock cycles of a microsecond.
const CLOCK: f64 = 1980.0;
/// What tuning may take for each node, and at least.
const BUDGET: [Duration; 2] = [Duration::from_micros(400), Duration::from_secs(1)];

/// A graph, and how many microseconds each node takes.
struct Case {
    name: String,
    shape: Shape,
    durations: Vec<f64>,
}

impl Case {
    fn cycles(&self) -> Vec<u32> {
        self.durations.iter().map(|micros| (micros * CLOCK) as u32).collect()
    }
}

/// How a graph is planned.
#[derive(Clone, Copy)]
enum Way {
    Written,
    Untuned,
    /// By the durations that the kernels are given.
    Given,
    Tuned,
}

impl Way {
    const ALL: [Self; 4] = [Self::Written, Self::Untuned, Self::Given, Self::Tuned];

    fn name(self) -> &'static str {
        match self {
            Self::Written => "cuda_graph!, as written",
            Self::Untuned => "cuda_graph!",
            Self::Given => "cuda_graph!, durations given",
            Self::Tuned => "cuda_graph!, tuned",
        }
    }

    fn planned(self, device: &Device) -> Device {
        match self {
            Self::Written => device.clone().planned(Planning::as_written()),
            _ => device.clone(),
        }
    }
}

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, file] = arguments.as_slice()
        && flag == "--write"
    {
        let text: String = cases().iter().map(|case| case.shape.text(&case.name, &case.cycles())).collect();
        return Ok(std::fs::write(file, text)?);
    }
    let device = Device::cuda(0)?;
    for case in cases() {
        if arguments.is_empty() || arguments.iter().any(|wanted| case.name.starts_with(wanted.as_str())) {
            case.run(&device)?;
        }
    }
    Ok(())
}

fn cases() -> Vec<Case> {
    type Make = fn() -> Shape;
    let shapes: [(&str, Make); 8] = [
        ("independent 100", || independent(100)),
        ("independent 1000", || independent(1000)),
        ("independent 10000", || independent(10_000)),
        ("stencil 64x32", || stencil(64, 32)),
        ("cholesky 20x20", || cholesky(20)),
        ("random 100x20", || random(100, 20)),
        ("layers 32x32", || layers(32, 32)),
        ("line behind eight", || band(1000)),
    ];
    let mut cases = Vec::new();
    for (name, shape) in shapes {
        for micros in [0.0, 3.0, 10.0] {
            let shape = shape();
            let durations = vec![micros; shape.nodes.len()];
            cases.push(Case { name: format!("{name}, {micros} µs"), shape, durations });
        }
    }
    for (name, shape) in [("skewed 1000", independent(1000)), ("skewed random", random(200, 10))] {
        let durations = (0..shape.nodes.len()).map(|at| if at % 23 == 7 { 60.0 } else { 1.0 }).collect();
        cases.push(Case { name: name.to_owned(), shape, durations });
    }
    cases
}

impl Case {
    fn run(&self, device: &Device) -> Result {
        let mut limit = 0.0;
        for way in Way::ALL {
            let device = way.planned(device);
            if self.shape.adds {
                let x: Vec<_> = (0..self.shape.cells).map(|_| device.zeros(1)).collect::<graph_runtime::Result<_>>()?;
                let wide = self.shape.nodes.iter().filter(|(own, _)| *own == 1).count();
                let mut graph = LayersArgs { x, wide, cycles: self.cycles()[0] }.build(&device)?;
                self.measure(way, &mut graph, |graph, cell| graph.x(cell)?.to_vec(), &mut limit)?;
            } else {
                let mut graph = nodes(&device, &self.shape, self.cycles())?;
                self.measure(way, &mut graph, |graph, cell| graph.x(cell)?.to_vec(), &mut limit)?;
            }
        }
        Ok(())
    }

    /// How long each node of the plan takes: `spin2[7]` is the seventh of the shape; of layers all take as long.
    fn given(&self, plan: &PlanView) -> Durations {
        let duration = |label: &str| {
            let number = label.trim_end_matches(']').rsplit('[').next().and_then(|number| number.parse().ok());
            let at = number.filter(|_| !self.shape.adds).unwrap_or(0_usize);
            Duration::from_secs_f64(self.durations[at] / 1e6)
        };
        let labels = plan.data().nodes.into_iter().map(|node| node.label);
        labels.fold(Durations::default(), |all, label| {
            let duration = duration(&label);
            all.with(label, duration)
        })
    }

    /// `limit` is found out from the graph as written, and used for the others.
    fn measure<P, G>(
        &self,
        way: Way,
        graph: &mut G,
        read: impl Fn(&mut G, usize) -> graph_runtime::Result<Vec<u32>>,
        limit: &mut f64,
    ) -> Result
    where
        P: graph_runtime::__private::Program,
        G: std::ops::DerefMut<Target = Graph<'static, P>>,
    {
        match way {
            Way::Tuned => _ = graph.tune((BUDGET[0] * self.durations.len() as u32).max(BUDGET[1]))?,
            Way::Given => {
                let durations = self.given(&graph.plan());
                graph.tune_by(&durations)?;
            }
            Way::Written | Way::Untuned => {}
        }
        let timings = graph.timings();
        graph.launch()?;
        let cells: graph_runtime::Result<Vec<_>> = (0..self.shape.cells).map(|cell| read(graph, cell)).collect();
        let ok = cells?.concat() == self.shape.result();
        let [cpu, end] = launches(graph, LAUNCHES, |graph| graph.launch(), |graph| graph.synchronize())?;
        let data = graph.plan().data();
        if let Way::Written = way {
            let edges = data.edges.iter().map(|edge| (edge.from as usize, edge.to as usize)).collect();
            *limit = least(&self.durations, edges);
        }
        let count = |name: &str| data.passes.iter().find(|pass| pass.name == name).map_or(0, |pass| pass.count);
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let figures = [
            ("nodes", data.nodes.len() as f64),
            ("edges", data.edges.len() as f64),
            ("width", f64::from(data.width)),
            ("lanes", count("lanes") as f64),
            ("gates", count("gates") as f64),
            ("plan", micros(timings.plan)),
            ("instantiate", micros(timings.instantiate)),
            ("cpu", median(cpu)),
            ("end", median(end)),
            ("limit", *limit),
        ];
        println!("{}", row("lanes", &self.name, way.name(), &figures, ok));
        Ok(())
    }
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
