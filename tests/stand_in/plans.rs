//! What the driver is given of each pipeline's graphs is what `plan()` says: node for node, edge for edge.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use graph_runtime::{Pass, PlanView, Planning};
use stand_in_driver::{Config, Graph, Report, StandIn, Work};
use tests::run::watched;

use crate::child::{child, configured, live, settle};
use crate::expected::{Driver, Expected, body, region};
use crate::pipelines::{ends_on_device, pipelines};
use crate::shape::{self, edges, graph};

#[test]
fn every_pipeline_is_built_as_planned() {
    child(|stand_in| all(stand_in, &Config::default(), Planning::default()));
}

/// Most edges of these come from lanes.
#[test]
fn every_pipeline_is_built_as_planned_on_two_lanes() {
    child(|stand_in| all(stand_in, &Config::default(), Planning::default().lanes(2)));
}

#[test]
fn every_pipeline_is_built_as_planned_without_each_pass() {
    child(|stand_in| {
        for pass in Pass::ALL {
            all(stand_in, &Config::default(), Planning::default().without(pass));
        }
    });
}

#[test]
fn every_pipeline_is_built_as_written() {
    child(|stand_in| all(stand_in, &Config::default(), Planning::as_written()));
}

/// `if` with `else` is a row of two conditionals there.
#[test]
fn every_pipeline_is_built_as_planned_for_cuda_12_8() {
    child(|stand_in| all(stand_in, &Config { version: 12080, ..Config::default() }, Planning::default()));
}

/// `match` is a row of conditionals too, and a body is never empty.
#[test]
fn every_pipeline_is_built_as_planned_for_cuda_12_4() {
    child(|stand_in| all(stand_in, &Config { version: 12040, ..Config::default() }, Planning::default()));
}

/// Memory is taken and given back by calls that know no streams, and loops in bodies are not run by one launch.
#[test]
fn every_pipeline_is_built_as_planned_without_pools_and_with_mps() {
    const POOLS: u32 = 115;
    let config = || Config { attributes: [(POOLS, 0), (MPS, 1)].into(), ..Config::default() };
    child(|stand_in| all(stand_in, &config(), Planning::default()));
}

/// `CU_DEVICE_ATTRIBUTE_MPS_ENABLED`
const MPS: u32 = 133;

fn all(stand_in: &StandIn, config: &Config, planning: Planning) {
    let device = configured(stand_in, config).planned(planning);
    let driver = Driver { version: config.version, by_mps: config.attributes.get(&MPS) == Some(&1) };
    // Pipelines that end on a device panic.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (name, pipeline) in pipelines() {
        let told = Rc::new(RefCell::new(Told::default()));
        let watch = watch(driver, Rc::clone(&told));
        match watched(watch, || catch_unwind(AssertUnwindSafe(|| pipeline(&device)))) {
            Ok(Ok(())) if ends_on_device(name) => wrong.push(format!("{name} does not end early")),
            Err(panic) if !ends_on_device(name) => wrong.push(format!("{name}: {:?}", panic.downcast_ref::<String>())),
            Ok(Err(error)) => wrong.push(format!("{name}: {error}")),
            Ok(Ok(())) | Err(_) => {}
        }
        let report = stand_in.report().unwrap();
        wrong.extend(report.violations.iter().map(|one| format!("{name}: {one:?}")));
        let told = told.borrow();
        wrong.extend(told.wrong.iter().map(|one| format!("{name}: {one}")));
        compared += told.compared;
        stand_in.forget().unwrap();
    }
    drop(std::panic::take_hook());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{compared} launches of graphs compared with their plans");
    assert!(compared > 300, "only {compared}");
    settle(&device);
    let left: BTreeSet<String> = live(stand_in).into_iter().collect();
    assert_eq!(left, ["context", "module", "stream"].map(str::to_owned).into());
}

#[derive(Default)]
struct Told {
    wrong: Vec<String>,
    compared: usize,
}

/// Compares the graph that was launched last with its plan.
fn watch(driver: Driver, told: Rc<RefCell<Told>>) -> Box<dyn FnMut(&PlanView)> {
    let stand_in = StandIn::attach().unwrap();
    Box::new(move |plan| {
        let report = stand_in.report().unwrap();
        let launched = report.calls.iter().rev().find(|call| call.function == "cuGraphLaunch").unwrap();
        let exec = report.execs.iter().find(|exec| Some(exec.handle) == launched.about).unwrap();
        let mut compared = Compared { report: &report, driver, told: Vec::new() };
        compared.root(&region(compared.driver, &plan.planned(), false), graph(&report, exec.graph));
        let mut told = told.borrow_mut();
        told.wrong.extend(compared.told.into_iter().map(|one| format!("{one}\n{plan}")));
        told.wrong.extend(report.violations.iter().map(|one| format!("{one:?}")));
        told.compared += 1;
        stand_in.forget().unwrap();
    })
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

/// What a node is, whatever its kernel.
fn word(work: &Work) -> &str {
    match work {
        Work::Kernel { .. } | Work::Fill { .. } => "kernel",
        other => shape::word(other),
    }
}
