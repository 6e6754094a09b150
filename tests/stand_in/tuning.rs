//! Tuning: what is tried, what stays, what is saved and who may use it. The stand-in executes nothing, so which number of lanes is kept is
//! left to chance here.
#![allow(clippy::cast_precision_loss, reason = "small numbers")]

use std::time::Duration;

use graph_runtime::prelude::*;
use graph_runtime::{Durations, Planning, Tuning};
use tests::kernels::basic;
use tests::pipelines::wide::{LISTS, Wide, WideArgs};

use crate::child::{child, device, lawful};
use crate::shape::{calls, exec};

cuda_graph! {
    graph Called(x: [&mut [f32; n]], seen: &mut host [f32; 1]) {
        for i in 0..x.len() { basic::add_constant<<<1, 32>>>(&mut x[i], 1.0, n as u32); }
        'tell: host(&mut seen, |seen| seen[0] += 1.0);
    }

    graph Narrow(x: &mut [f32; n], y: &mut [f32; n]) {
        basic::add_constant<<<1, 32>>>(&mut x, 1.0, n as u32);
        basic::add_constant<<<1, 32>>>(&mut y, 1.0, n as u32);
    }
}

const LONG: Duration = Duration::MAX;

fn wide(device: &Device, length: usize) -> Wide<'static> {
    let x = (0..LISTS).map(|i| device.buffer_from(&vec![i as f32; length])).collect::<Result<Vec<_>>>().unwrap();
    WideArgs { x, factor: 2.0, rounds: 1 }.build(device).unwrap()
}

#[test]
fn every_number_of_lanes_is_tried_and_one_is_kept() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = wide(&device, 3);
        let tuning = graph.tune(LONG).unwrap();
        let tried: Vec<_> = tuning.candidates().iter().map(|one| one.lanes).collect();
        assert_eq!(tried, [None, Some(128), Some(64), Some(32), Some(16), Some(8), Some(4)]);
        assert!(tuning.candidates().iter().all(|one| one.time.is_some()), "{tuning}");
        let kept = tuning.candidates().iter().find(|one| one.lanes == tuning.lanes()).unwrap();
        let shortest = tuning.candidates().iter().filter_map(|one| one.time).min();
        assert_eq!(kept.time, shortest);
        assert_eq!(graph.plan().edges().len(), kept.edges);
        assert_eq!(graph.plan().arena_bytes(), kept.transients);
        // Without lanes each list has two edges of its own and a place of its own.
        let plain = &tuning.candidates()[0];
        assert_eq!((plain.edges, plain.transients), (2 * LISTS, 256 * LISTS as u64));
        for at in [0, 77, LISTS - 1] {
            assert_eq!(graph.view_of::<f32>(&format!("x[{at}]")).unwrap().to_vec().unwrap(), [at as f32; 3]);
        }
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        graph.synchronize().unwrap();
        let report = lawful(stand_in);
        assert_eq!(
            calls(&report, &["cuGraphLaunch", "cuGraphInstantiate"]),
            ["cuGraphLaunch"],
            "what is kept is there"
        );
        // Twelve launches or more that wait for nothing have one in front.
        let starts = tuning.lanes().is_none_or(|lanes| lanes >= 12);
        assert_eq!(exec(&report).works.len(), 3 * LISTS + usize::from(starts));
    });
}

#[test]
fn no_time_is_enough_for_the_graph_without_lanes() {
    child(|stand_in| {
        let mut graph = wide(&device(stand_in, 13000), 3);
        let tuning = graph.tune(Duration::ZERO).unwrap();
        assert_eq!(tuning.lanes(), None);
        let measured: Vec<_> = tuning.candidates().iter().map(|one| one.time.is_some()).collect();
        assert_eq!(measured, [true, false, false, false, false, false, false]);
        assert_eq!(graph.plan().edges().len(), 2 * LISTS);
        let said = "none: the driver chooses, which was measured to be best";
        assert!(graph.plan().data().passes.iter().any(|pass| pass.result == said), "{:?}", graph.plan().data().passes);
    });
}

#[test]
fn what_is_saved_makes_the_same_plan_and_belongs_to_nothing_else() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = wide(&device, 3);
        let tuning = graph.tune(LONG).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wide.json");
        tuning.save(&path).unwrap();
        let loaded = Tuning::load(&path).unwrap();
        assert_eq!(loaded, tuning);
        let mut other = wide(&device, 3);
        other.use_tuning(&loaded).unwrap();
        assert_eq!(other.plan().to_json(), graph.plan().to_json());
        // A setter that plans anew keeps what still fits, and says so where it does not.
        other.set_factor(3.0).unwrap();
        assert_eq!(other.plan().to_json(), graph.plan().to_json());
        other.set_rounds(2).unwrap();
        let said = "; they were tuned for another structure";
        assert!(other.plan().data().passes.iter().any(|pass| pass.result.contains(said)));
        let mut longer = wide(&device, 4);
        let before = longer.plan().to_json();
        let error = longer.use_tuning(&loaded).unwrap_err().to_string();
        let expected = "what was tuned does not belong to graph `Wide` as it is here\n\
                        note: graph `Wide` has other lengths or launches than those that were measured\n\
                        help: call `tune`, and save the result";
        assert_eq!(error, expected);
        assert_eq!(longer.plan().to_json(), before);
        let text = std::fs::read_to_string(&path).unwrap().replace("driver 13000", "driver 12090");
        std::fs::write(&path, text).unwrap();
        let error = wide(&device, 3).use_tuning(&Tuning::load(&path).unwrap()).unwrap_err().to_string();
        assert!(error.contains("driver 12090, and this is ") && error.contains("driver 13000\n"), "{error}");
        std::fs::write(&path, "{}").unwrap();
        let error = Tuning::load(&path).unwrap_err().to_string();
        assert!(error.contains("does not hold what was tuned\nnote: missing field"), "{error}");
    });
}

#[test]
fn what_cannot_be_run_twice_is_refused_and_what_is_narrow_has_nothing_to_tune() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let x: Vec<_> = (0..9).map(|_| device.zeros::<f32>(2).unwrap()).collect();
        let seen = device.pinned_zeros::<f32>(1).unwrap();
        let mut called = CalledArgs { x, seen }.build(&device).unwrap();
        let error = called.tune(LONG).unwrap_err().to_string();
        let said =
            "graph `Called` cannot be tuned: its launches do more than write buffers of its own\nnote: node `tell` (";
        assert!(error.starts_with(said), "{error}");
        assert!(error.contains(") calls the host\nhelp: say how many lanes"), "{error}");
        let (x, y) = (device.zeros::<f32>(2).unwrap(), device.zeros::<f32>(2).unwrap());
        let mut narrow = NarrowArgs { x, y }.build(&device).unwrap();
        let tuning = narrow.tune(LONG).unwrap();
        assert_eq!(tuning.nothing_to_tune(), Some("since nothing in it is wider than 4 launches"));
        let shared = Shared::new(device.zeros::<f32>(2).unwrap());
        let mut shares = NarrowArgs { x: &shared, y: device.zeros::<f32>(2).unwrap() }.build(&device).unwrap();
        let error = shares.tune(LONG).unwrap_err().to_string();
        assert!(error.contains("note: it writes `x`, which other graphs may write"), "{error}");
        let budget = Planning::default().memory_budget(256 * 20);
        let tuning = wide(&device.clone().planned(budget), 3).tune(LONG).unwrap();
        let tried: Vec<_> = tuning.candidates().iter().map(|one| one.lanes).collect();
        assert!(!tried.contains(&None) && !tried.contains(&Some(128)) && tried.contains(&Some(4)), "{tried:?}");
        assert!(tuning.candidates().iter().all(|one| one.transients <= 256 * 20), "{tuning}");
        let off = device.planned(Planning::as_written());
        let tuning = wide(&off, 3).tune(LONG).unwrap();
        assert_eq!(tuning.nothing_to_tune(), Some("since the pass `lanes` is off"));
    });
}

#[test]
fn durations_that_are_given_choose_lanes_without_a_launch() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = wide(&device, 3);
        stand_in.forget().unwrap();
        // 450 kernels that take no time of their own leave 0.17 µs apart, so four lanes are the slowest; of what is as fast the widest stays.
        let short = graph.tune_by(&Durations::default()).unwrap();
        assert!(short.is_estimated() && short.candidates().iter().all(|one| one.time.is_some()), "{short}");
        let time = |lanes| short.candidates().iter().find(|one| one.lanes == lanes).unwrap().time.unwrap();
        let shortest = short.candidates().iter().filter_map(|one| one.time).min().unwrap();
        assert!(shortest >= Duration::from_nanos(450 * 170) && time(Some(4)) > 3 * shortest / 2, "{short}");
        assert!(time(short.lanes()) <= shortest + shortest / 50, "{short}");
        assert_ne!(short.lanes(), Some(4));
        assert!(graph.plan().data().passes.iter().any(|pass| pass.result.contains("by how long nodes take")));
        // Where kernels take a millisecond each, as many as can run at once.
        let labels = ["copy_scaled", "add_constant", "copy x"];
        let long = labels.iter().fold(Durations::default(), |all, label| all.with(*label, Duration::from_millis(1)));
        let long = graph.tune_by(&long).unwrap();
        assert!(long.lanes().is_none_or(|lanes| lanes >= 64), "{long}");
        // 450 milliseconds of work, of which 128 run at once.
        let best = long.candidates().iter().find(|one| one.lanes == long.lanes()).unwrap().time.unwrap();
        assert!((3516..4600).contains(&best.as_micros()), "{long}");
        let report = lawful(stand_in);
        let launched = calls(&report, &["cuGraphLaunch", "cuLaunchKernel"]);
        assert!(launched.is_empty(), "{launched:?}");
        let text = long.to_string();
        assert!(text.contains("estimate"), "{text}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wide.json");
        long.save(&path).unwrap();
        let mut other = wide(&device, 3);
        other.use_tuning(&Tuning::load(&path).unwrap()).unwrap();
        assert_eq!(other.plan().to_json(), graph.plan().to_json());
        let before = graph.plan().to_json();
        let error = graph.tune_by(&Durations::default().with("add_constnt", Duration::ZERO)).unwrap_err().to_string();
        let said =
            "a duration is given for `add_constnt`, and no node of graph `Wide` is called so\nnote: its nodes are `";
        assert!(error.starts_with(said), "{error}");
        assert!(error.ends_with("help: name a node as `plan()` does, or leave that duration out"), "{error}");
        assert_eq!(graph.plan().to_json(), before);
    });
}
