//! A recorded graph by positions instead of handles.

use stand_in_driver::{Exec, Graph, Node, Report, Work};

/// The graph with this handle.
pub fn graph(report: &Report, handle: u64) -> &Graph {
    report.graphs.iter().find(|graph| graph.handle == handle).unwrap()
}

/// The only exec that is there.
pub fn exec(report: &Report) -> &Exec {
    let mut alive = report.execs.iter().filter(|exec| exec.alive);
    let exec = alive.next().unwrap();
    assert!(alive.next().is_none(), "several");
    exec
}

/// What each node is: a kernel's name, or `copy`, `while`, …
pub fn words(graph: &Graph) -> Vec<&str> {
    graph.nodes.iter().map(|node| word(&node.work)).collect()
}

/// What a node is.
pub fn word(work: &Work) -> &str {
    match work {
        Work::Kernel { name, .. } => name,
        Work::Copy { .. } => "copy",
        Work::Fill { .. } => "fill",
        Work::Host { .. } => "host",
        Work::Child { .. } => "child",
        Work::Empty => "empty",
        Work::Record { .. } => "record",
        Work::Wait { .. } => "wait",
        Work::Conditional { kind: 0, .. } => "if",
        Work::Conditional { kind: 1, .. } => "while",
        Work::Conditional { .. } => "switch",
    }
}

/// Each edge: the position of the node that runs first, and of the one that waits. Sorted.
pub fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    let position = |handle| graph.nodes.iter().position(|node| node.handle == handle).unwrap();
    let waits =
        |(to, node): (usize, &Node)| node.edges.iter().map(|edge| (position(edge.from), to)).collect::<Vec<_>>();
    let mut edges: Vec<_> = graph.nodes.iter().enumerate().flat_map(waits).collect();
    edges.sort_unstable();
    edges
}

/// A word of a kernel's arguments: an address or a number of eight bytes.
pub fn argument(work: &Work, index: usize) -> u64 {
    let Work::Kernel { arguments, .. } = work else { panic!("{work:?} is no kernel") };
    u64::from_ne_bytes(arguments[index].as_slice().try_into().unwrap())
}

/// The calls of the functions that begin so, in order.
pub fn calls<'r>(report: &'r Report, starts: &[&str]) -> Vec<&'r str> {
    let names = report.calls.iter().map(|call| call.function.as_str());
    names.filter(|name| starts.iter().any(|start| name.starts_with(start))).collect()
}
