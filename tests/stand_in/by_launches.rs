//! Graphs with conditions on a driver that has no conditional nodes: single launches, and a host that decides.
//!
//! Nothing runs here, so each condition is what memory happens to hold: zero, which is no, unless the test says what is stored there.

use graph_runtime::prelude::*;
use stand_in_driver::{Config, Report, StandIn};
use tests::kernels::basic;
use tests::pipelines::conditions::HalveArgs;
use tests::run::watched;
use tests::told::told;

use crate::child::{child, device, lawful, live, settle};
use crate::pipelines::pipelines;
use crate::shape::calls;

cuda_graph! {
    graph Decides(x: &mut [u32; n], y: &out [u32; n], by: u32) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
        fill(&out y, by);
        'large: if x[0] > by { copy(&x, &out y); }
        'again: while x[1] > 3 { copy(&y, &out x); }
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }

    graph Chooses(x: &mut [u32; 4], y: &mut [u32; 4]) {
        match x[0] {
            0 => { copy(&x, &out y); }
            1 | 2 => { basic::increment<<<1, 4>>>(&mut x, 4); basic::increment<<<1, 4>>>(&mut y, 4); }
            _ => { if x[1] > 0 { copy(&y, &out x); } else { copy(&y[..2], &out x[..2]); } }
        }
        'outer: while x[2] > 0 {
            copy(&y, &out x);
            loop limit 10 {
                basic::increment<<<1, 4>>>(&mut y, 4);
                if y[3] == 0 { break; }
            }
        }
    }

    /// All passes of its loop are one launch.
    graph Counts(x: &mut [u32; 2]) {
        while x[0] > 0 limit 100 { x[0] -= 1; x[1] += 2; }
    }
}

const OLD: i32 = 12030;

fn decides(device: &Device) -> Result<Decides<'static>> {
    let [x, y] = [device.zeros::<u32>(300)?, device.zeros(300)?];
    DecidesArgs { x, y, by: 7 }.build(device)
}

/// What is done to run a graph, without what is asked.
fn work(report: &Report) -> Vec<&str> {
    calls(report, &["cuLaunch", "cuStreamSynchronize", "cuGraph", "cuMemcpy", "cuMemset"])
}

#[test]
fn nodes_are_launched_in_order_and_only_tests_are_waited_for() {
    child(|stand_in| {
        let device = device(stand_in, OLD);
        let mut graph = decides(&device).unwrap();
        assert_eq!(calls(&lawful(stand_in), &["cuGraph", "cuLaunch"]), [""; 0], "nothing is launched by a build");
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        let (launch, wait) = ("cuLaunchKernel", "cuStreamSynchronize");
        let counters = "cuMemsetD8Async";
        let report = lawful(stand_in);
        assert_eq!(work(&report), [counters, launch, launch, launch, wait, launch, wait, launch]);
        stand_in.forget().unwrap();
        graph.set_by(9).unwrap();
        let touched = graph.last_update().map(|update| (update.is_rebuilt(), update.touched()));
        assert_eq!(touched, Some((false, Some(2))), "the fill and the test");
        graph.launch().unwrap();
        graph.synchronize().unwrap();
        assert_eq!(graph.iterations(Decides::AGAIN).unwrap(), 0);
        drop(graph);
        settle(&device);
        assert_eq!(live(stand_in).iter().filter(|kind| kind.contains("memory")).count(), 0, "{:?}", live(stand_in));
    });
}

/// What runs between the tests when these are stored, one after another: `k` a launch, `c` a copy, `,` a wait.
fn run_with(stand_in: &StandIn, stores: &[u64]) -> String {
    stand_in.configure(&Config { version: OLD, stores: stores.to_vec(), ..Config::default() }).unwrap();
    let device = Device::cuda(0).unwrap();
    let [mut x, mut y] = [device.zeros::<u32>(4).unwrap(), device.zeros::<u32>(4).unwrap()];
    let mut graph = ChoosesArgs { x: &mut x, y: &mut y }.build(&device).unwrap();
    stand_in.forget().unwrap();
    graph.launch().unwrap();
    let report = lawful(stand_in);
    let letter = |call: &&str| match *call {
        "cuLaunchKernel" => 'k',
        "cuMemcpyAsync" => 'c',
        "cuStreamSynchronize" => ',',
        _ => '?',
    };
    work(&report).iter().filter(|call| !call.starts_with("cuMemset")).map(letter).collect()
}

/// An arm's index, then for each loop whether there is another pass; behind each test comes a wait.
#[test]
fn the_host_takes_the_way_that_the_tests_have_stored() {
    child(|stand_in| {
        assert_eq!(run_with(stand_in, &[]), "k,ck,", "the first arm, no pass");
        assert_eq!(run_with(stand_in, &[1]), "k,kkk,", "the second arm");
        assert_eq!(run_with(stand_in, &[2, 1]), "k,k,ck,", "behind the arms, then");
        assert_eq!(run_with(stand_in, &[2, 0]), "k,k,ck,", "behind the arms, else");
        assert_eq!(run_with(stand_in, &[3]), run_with(stand_in, &[2]), "no such arm is the last");
        // One pass of the outer loop: a copy, the inner loop's test, two passes with a test behind each, the outer test.
        assert_eq!(run_with(stand_in, &[0, 1, 1, 1, 0, 0]), "k,ck,ck,kk,kk,k,");
        // Two passes of the outer loop, of which the second does not enter the inner one.
        assert_eq!(run_with(stand_in, &[0, 1, 0, 1, 0, 0]), "k,ck,ck,k,ck,k,");
    });
}

#[test]
fn a_loop_that_one_launch_runs_is_a_graph_there_too() {
    child(|stand_in| {
        let device = device(stand_in, OLD).require_graphs();
        let mut graph = CountsArgs { x: device.zeros(2).unwrap() }.build(&device).unwrap();
        graph.launch().unwrap();
        assert_eq!(graph.plan().by_launches(), None);
        assert_eq!(calls(&lawful(stand_in), &["cuGraphLaunch"]).len(), 1);
    });
}

#[test]
fn the_plan_and_one_event_say_so() {
    child(|stand_in| {
        let device = device(stand_in, OLD);
        let mut built = None;
        let told = told(|| {
            let graph = built.insert(decides(&device)?);
            graph.launch()?;
            graph.set_by(9)?;
            graph.launch()?;
            graph.run_eager()
        });
        let said = told.iter().filter(|told| told["message"] == "run by single launches").collect::<Vec<_>>();
        let [said] = said[..] else { panic!("{told:#?}") };
        assert_eq!([&*said["graph"], &*said["needs"], &*said["driver"]], ["Decides", "12.4", "12.3"]);
        assert!(said["node"].starts_with("node `large` (") && said["node"].contains("by_launches.rs:"), "{said:?}");
        let plan = built.unwrap().plan();
        let why = plan.by_launches().unwrap();
        assert!(why.starts_with("single launches, with conditions decided on the host: node `large` ("), "{why}");
        assert!(why.ends_with(" needs CUDA 12.4, and the driver supports CUDA 12.3"), "{why}");
        let line = format!("launched as: {why}\n");
        assert!(plan.to_string().contains(&line), "{plan}");
        let json: serde_json::Value = serde_json::from_str(&plan.to_json()).unwrap();
        assert_eq!(json["launched"], why.as_str());
        assert!(plan.to_html().contains(&why), "the page has it");
        assert!(plan.data().nodes.iter().all(|node| node.launch.is_none()), "no launch is shared");
    });
}

#[test]
fn a_newer_driver_says_nothing() {
    child(|stand_in| {
        let device = device(stand_in, 12040);
        let mut built = None;
        let told = told(|| {
            built = Some(decides(&device)?);
            Ok(())
        });
        assert!(told.iter().all(|told| told["message"] != "run by single launches"), "{told:#?}");
        assert_eq!(built.unwrap().plan().by_launches(), None);
    });
}

#[test]
fn a_device_that_requires_graphs_refuses_with_node_versions_and_cure() {
    child(|stand_in| {
        let device = device(stand_in, OLD).require_graphs();
        let told = decides(&device).map(drop).unwrap_err().to_string();
        assert!(told.starts_with("graph `Decides` cannot be one CUDA graph: node `large` ("), "{told}");
        let parts = [
            "by_launches.rs:",
            ") decides on the device, which needs CUDA 12.4 [CG0512]\nnote: the driver supports CUDA 12.3\nnote: ",
            "which `Device::require_graphs` forbids\nhelp: update the NVIDIA driver to 550 or newer, or build",
        ];
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
        settle(&device);
        assert!(!live(stand_in).iter().any(|kind| kind == "graph" || kind.contains("memory")), "{:?}", live(stand_in));
    });
}

#[test]
fn a_condition_that_a_kernel_sets_is_refused() {
    child(|stand_in| {
        let device = device(stand_in, OLD);
        let (x, passes) = (device.zeros::<f32>(4).unwrap(), device.zeros(1).unwrap());
        let told = HalveArgs { x, passes, bound: 1.0 }.build(&device).map(drop).unwrap_err().to_string();
        assert!(
            told.contains("node `halve` (") && told.contains(" is ended by a kernel, which needs CUDA 12.4"),
            "{told}"
        );
        assert!(told.contains("[CG0512]\nnote: the driver supports CUDA 12.3\n"), "{told}");
        assert!(
            told.contains("help: update the NVIDIA driver to 550 or newer, or let the kernel write a buffer"),
            "{told}"
        );
    });
}

#[test]
fn every_pipeline_is_built_or_refused_by_name() {
    child(|stand_in| every(stand_in, &Config { version: OLD, ..Config::default() }));
}

/// Those with conditions that kernels set are refused; all others run, and nothing of what they use is left.
fn every(stand_in: &StandIn, config: &Config) {
    stand_in.configure(config).unwrap();
    let device = Device::cuda(0).unwrap();
    let (mut refused, mut wrong) = (Vec::new(), Vec::new());
    for (name, pipeline) in pipelines().filter(|(name, _)| !crate::pipelines::ends_on_device(name)) {
        match watched(Box::new(|_| {}), || pipeline(&device)) {
            Ok(()) => {}
            Err(error) if error.to_string().contains("is ended by a kernel, which needs CUDA 12.4") => {
                refused.push(*name);
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
        wrong.extend(stand_in.report().unwrap().violations.iter().map(|one| format!("{name}: {one:?}")));
        stand_in.forget().unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("refused: {refused:?}");
    assert!(refused.contains(&"set_by_a_kernel") && refused.len() < 8, "{refused:?}");
    settle(&device);
    let left: std::collections::BTreeSet<String> = live(stand_in).into_iter().collect();
    assert_eq!(left, ["context", "module", "stream"].map(str::to_owned).into());
}
