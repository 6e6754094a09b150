//! What a graph tells `tracing`.
//!
//! In a process of its own: a thread that tells nobody may be the first to come by an event, and `tracing` then takes it for one that nobody
//! wants, for all threads.
#![allow(clippy::unwrap_used, reason = "tests")]

use tests::told::{jacobi, told};

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
    let expected = [evaluating, planning, building].map(|phase| [(phase, "begun"), (phase, "over")]);
    assert_eq!(
        phases,
        expected.concat(),
        "a build, then a setter, which evaluates its value alone and does not plan again"
    );
}
