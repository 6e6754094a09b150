//! Lanes on the device: the same results, and tuning that leaves everything as it was.

use std::time::Duration;

use graph_runtime::prelude::*;
use graph_runtime::{Planning, Tuning};
use tests::pipelines::wide::{LISTS, Wide, WideArgs, wide};

use crate::device;

#[test]
fn nobody_can_tell_a_wide_graph_by_its_results() {
    let Some(device) = device() else { return };
    wide(&device).unwrap();
    for planning in [Planning::default().lanes(3), Planning::as_written(), Planning::default().memory_budget(256 * 9)] {
        wide(&device.clone().planned(planning)).unwrap();
    }
}

fn graph(device: &Device) -> Wide<'static> {
    let x = (0..LISTS).map(|i| device.buffer_from(&[i as f32; 300])).collect::<Result<Vec<_>>>().unwrap();
    WideArgs { x, factor: 2.0, rounds: 2 }.build(device).unwrap()
}

fn contents(graph: &Wide<'_>) -> Vec<Vec<f32>> {
    (0..LISTS).map(|at| graph.view_of::<f32>(&format!("x[{at}]")).unwrap().to_vec().unwrap()).collect()
}

#[test]
fn tuning_leaves_the_contents_and_what_a_launch_does() {
    let Some(device) = device() else { return };
    let mut graph = graph(&device);
    let before = contents(&graph);
    let tuning = graph.tune(Duration::MAX).unwrap();
    println!("{tuning}");
    assert_eq!(contents(&graph), before);
    assert!(tuning.candidates().len() > 4 && tuning.candidates().iter().all(|one| one.time.is_some()), "{tuning}");
    let plain = tuning.candidates()[0].time;
    assert!(tuning.candidates().iter().filter(|one| one.lanes == tuning.lanes()).all(|one| one.time <= plain));
    graph.launch().unwrap();
    // Twice `2 x + i`, of `i`.
    let expected: Vec<_> = (0..LISTS).map(|i| vec![7.0 * i as f32; 300]).collect();
    assert_eq!(contents(&graph), expected);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.json");
    tuning.save(&path).unwrap();
    let mut other = self::graph(&device);
    other.use_tuning(&Tuning::load(&path).unwrap()).unwrap();
    assert_eq!(other.plan().edges(), graph.plan().edges());
    other.launch().unwrap();
    assert_eq!(contents(&other), expected);
    // By the times of the nodes alone: no launch, and the same results.
    let durations = other.profile().unwrap().durations();
    let mut by = self::graph(&device);
    let tuning = by.tune_by(&durations).unwrap();
    println!("{tuning}");
    assert!(tuning.is_estimated() && tuning.candidates().len() > 4, "{tuning}");
    assert_eq!(contents(&by), before);
    by.launch().unwrap();
    assert_eq!(contents(&by), expected);
}
