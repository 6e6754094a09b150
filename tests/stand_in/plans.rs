//! What the driver is given of each pipeline's graphs is what `plan()` says: node for node, edge for edge.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use graph_runtime::{Pass, PlanView, Planning};
use stand_in_driver::{Config, StandIn};
use tests::run::watched;
use tests::stand_in::beside_plan::last_launch;

use crate::child::{child, configured, live, settle};
use crate::expected::Driver;
use crate::pipelines::{ends_on_device, pipelines};

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
        // The others change edges and places only: those as written are compared below.
        for pass in [Pass::Reduction, Pass::Fusion, Pass::ResidentLoops] {
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
        let mut told = told.borrow_mut();
        told.wrong.extend(last_launch(&report, driver, plan));
        told.wrong.extend(report.violations.iter().map(|one| format!("{one:?}")));
        told.compared += 1;
        stand_in.forget().unwrap();
    })
}
