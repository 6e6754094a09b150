//! A graph that was built beside its plan: node for node, edge for edge.

use std::collections::BTreeSet;

use graph_runtime::PlanView;
use stand_in_driver::{Graph, Report, Work};

use super::expected::{Driver, Expected, body, region};
use super::shape::{self, edges, graph};

/// How the graph that was launched last differs from its plan.
pub fn last_launch(report: &Report, driver: Driver, plan: &PlanView) -> Vec<String> {
    let launched = report.calls.iter().rev().find(|call| call.function == "cuGraphLaunch").unwrap();
    let exec = report.execs.iter().find(|exec| Some(exec.handle) == launched.about).unwrap();
    let mut compared = Compared { report, driver, told: Vec::new() };
    compared.root(&region(driver, &plan.planned(), false), graph(report, exec.graph));
    compared.told.into_iter().map(|one| format!("{one}\n{plan}")).collect()
}

/// A graph beside its plan.
struct Compared<'a> {
    report: &'a Report,
    driver: Driver,
    told: Vec<String>,
}

impl Compared<'_> {
    /// The graph's own nodes stand behind those that clear the counters of nested loops, for which the conditionals around these wait.
    fn root(&mut self, expected: &[Expected<'_>], graph: &Graph) {
        let cleared = graph.nodes.len().saturating_sub(expected.len());
        let (clearing, rest) = graph.nodes.split_at(cleared);
        let handles: BTreeSet<u64> = clearing.iter().map(|node| node.handle).collect();
        let mut rest = Graph { nodes: rest.to_vec(), ..graph.clone() };
        let mut waiting = Vec::new();
        for (position, node) in rest.nodes.iter_mut().enumerate() {
            let before = node.edges.len();
            node.edges.retain(|edge| !handles.contains(&edge.from));
            waiting.extend((node.edges.len() < before).then_some(position));
        }
        let around: Vec<usize> = (0..expected.len()).filter(|position| expected[*position].clears).collect();
        if waiting != around || clearing.iter().any(|node| !node.edges.is_empty()) {
            self.told.push(format!("{waiting:?} wait until counters are clear, planned {around:?}"));
        }
        self.compare(expected, &rest);
    }

    fn compare(&mut self, expected: &[Expected<'_>], graph: &Graph) {
        let built: Vec<&str> = graph.nodes.iter().map(|node| word(&node.work)).collect();
        let planned: Vec<&str> = expected.iter().map(|one| one.word).collect();
        // What has nothing to do for these numbers, an empty grid for instance, keeps its place in the order.
        let fits = |(planned, built): (&&str, &&str)| {
            planned == built || *built == "empty" && ["kernel", "copy"].contains(planned)
        };
        if built.len() != planned.len() || !planned.iter().zip(&built).all(fits) {
            self.told.push(format!("built {built:?}, planned {planned:?}"));
            return;
        }
        let order = |(to, one): (usize, &Expected<'_>)| one.waits.iter().map(|from| (*from, to)).collect::<Vec<_>>();
        let mut planned: Vec<(usize, usize)> = expected.iter().enumerate().flat_map(order).collect();
        planned.sort_unstable();
        if edges(graph) != planned {
            self.told.push(format!("edges {:?}, planned {planned:?} of {:?}", edges(graph), shape::words(graph)));
        }
        self.early(expected, graph);
        for (one, node) in expected.iter().zip(&graph.nodes) {
            let Work::Conditional { bodies, .. } = &node.work else { continue };
            if bodies.len() != one.bodies.len() {
                self.told.push(format!("{} bodies, planned {}", bodies.len(), one.bodies.len()));
                continue;
            }
            for (handle, nodes) in bodies.iter().zip(&one.bodies) {
                let graph = shape::graph(self.report, *handle);
                let expected = body(self.driver, nodes, one.word == "while", graph.nodes.len());
                self.compare(&expected, graph);
            }
        }
    }
}

impl Compared<'_> {
    /// Programmatic edges lead from kernels to kernels, where the plan says so.
    fn early(&mut self, expected: &[Expected<'_>], graph: &Graph) {
        let position = |handle| graph.nodes.iter().position(|node| node.handle == handle).unwrap();
        let is_kernel = |at: usize| graph.nodes.get(at).is_some_and(|node| word(&node.work) == "kernel");
        for (at, (one, node)) in expected.iter().zip(&graph.nodes).enumerate() {
            let built: BTreeSet<usize> =
                node.edges.iter().filter(|edge| edge.kind == 1).map(|edge| position(edge.from)).collect();
            if !built.is_empty() && !built.iter().chain([&at]).all(|at| is_kernel(*at)) {
                self.told.push(format!("{at} begins before the end of {built:?}, and not all of them are kernels"));
            }
            let Some(early) = &one.early else { continue };
            let planned: BTreeSet<usize> =
                early.iter().copied().filter(|from| is_kernel(*from) && is_kernel(at)).collect();
            if built != planned {
                self.told.push(format!("{at} begins before the end of {built:?}, planned {planned:?}"));
            }
        }
    }
}

/// What a node is, whatever its kernel.
fn word(work: &Work) -> &str {
    match work {
        Work::Kernel { .. } | Work::Fill { .. } => "kernel",
        other => shape::word(other),
    }
}
