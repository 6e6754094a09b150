//! What a graph tells `tracing`.

use graph_runtime::prelude::*;
use tests::pipelines::jacobi::JacobiArgs;
use tests::told::told;

fn jacobi() -> Result<()> {
    let device = Device::cpu();
    let (b, mut x) = (device.zeros(100)?, device.zeros(100)?);
    let mut graph = JacobiArgs { b: &b, x: &mut x, tolerance: 1e-9 }.build(&device)?;
    graph.launch()?;
    graph.set_tolerance(1e-3)?;
    graph.launch()?;
    graph.run_eager()?;
    graph.synchronize()
}

#[test]
fn builds_launches_and_changes_are_told_in_order() {
    let told = told(jacobi);
    let of_graph: Vec<_> = told.iter().filter(|told| told.get("graph").is_some_and(|name| name == "Jacobi")).collect();
    let messages: Vec<&str> = of_graph.iter().map(|told| &*told["message"]).collect();
    assert_eq!(messages, ["built", "launched", "updated", "launched", "run node by node", "launched"]);
    let launches: Vec<&str> = of_graph.iter().filter_map(|told| told.get("launch")).map(String::as_str).collect();
    assert_eq!(launches, ["1", "2", "3"]);
    let built = of_graph[0];
    // The loop, and its body twice: a fill or an assignment, two kernels.
    assert_eq!((&*built["device"], &*built["nodes"], &*built["edges"]), ("the CPU", "7", "6"));
    assert_eq!((&*of_graph[2]["touched"], &*of_graph[2]["rebuilt"]), ("1", "false"), "{:?}", of_graph[2]);
    for phase in ["evaluate_us", "plan_us", "lower_us", "add_nodes_us", "instantiate_us", "upload_us"] {
        assert!(built[phase].parse::<u64>().is_ok(), "{phase}: {}", built[phase]);
    }
}

#[test]
fn long_work_is_told_when_it_begins_and_when_it_is_over() {
    let told = told(jacobi);
    let phases: Vec<_> =
        told.iter().filter_map(|told| Some((told.get("phase")?.as_str(), &*told["message"]))).collect();
    let (evaluating, planning) = ("evaluating the host expressions of graph `Jacobi`", "planning graph `Jacobi`");
    let building = "building graph `Jacobi` of 7 nodes";
    let expected = [evaluating, planning, building, evaluating].map(|phase| [(phase, "begun"), (phase, "over")]);
    assert_eq!(phases, expected.concat(), "a build, then a setter, which does not plan again");
}

/// What nobody asks for is not told on standard error, and what is asked for is.
#[test]
fn progress_is_shown_if_it_is_asked_for() {
    let run = |progress: Option<&str>| {
        let mut test = std::process::Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "events::a_build_to_watch", "--ignored", "--nocapture"])
            .env_remove("CUDA_GRAPH_PROGRESS");
        test.envs(progress.map(|value| ("CUDA_GRAPH_PROGRESS", value)));
        String::from_utf8(test.output().unwrap().stderr).unwrap()
    };
    assert!(!run(None).contains("cuda_graph:") && !run(Some("0")).contains("cuda_graph:"));
    let shown = run(Some("1"));
    assert!(shown.contains("cuda_graph: planning graph `Jacobi` …\ncuda_graph: planning graph `Jacobi`: "), "{shown}");
}

#[test]
#[ignore = "run by the test above"]
fn a_build_to_watch() {
    jacobi().unwrap();
}

/// As a program shows it: the variable is read at each build.
#[test]
fn plans_are_shown_and_written_if_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let run = |value: String| {
        let mut test = std::process::Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "events::a_build_to_watch", "--ignored", "--nocapture"]).env("CUDA_GRAPH_DUMP", value);
        String::from_utf8(test.output().unwrap().stderr).unwrap()
    };
    let shown = run("plan".to_owned());
    assert!(shown.contains("graph Jacobi: 7 nodes, 6 edges") && !shown.contains("graph Jacobi: 4 nodes"), "{shown}");
    let written = run(format!("plan={0},outline={0}", folder.path().display()));
    assert!(!written.contains("graph Jacobi"), "{written}");
    for form in ["plan", "outline"] {
        for end in ["html", "json", "dot", "txt"] {
            let text = std::fs::read_to_string(folder.path().join(format!("Jacobi.{form}.{end}"))).unwrap();
            assert!(text.contains("Jacobi"), "{form}.{end}");
        }
    }
    let refused = run("plans".to_owned());
    assert!(refused.contains("warning: CUDA_GRAPH_DUMP asks for `plans`, and nothing is shown\nhelp: "), "{refused}");
}
