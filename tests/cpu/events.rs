//! What a graph shows of itself where a variable of the environment asks for it.

use tests::told::jacobi;

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
