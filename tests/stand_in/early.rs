//! `#[early(…)]`: kernels that read before they wait begin early only where nobody writes what they read who may
//! still run then.

use graph_runtime::prelude::*;
use stand_in_driver::{Config, Graph, Node, Work};
use tests::pipelines::launches::{EarlyArgs, overlapping};
use tests::pipelines::relays::AllToAllArgs;

use crate::child::{child, configured, lawful};
use crate::shape::{exec, graph, word};

/// The name of a launch of the user's, and whether it begins early: all of its edges are programmatic.
fn launch(node: &Node) -> Option<(&str, bool)> {
    let early = !node.edges.is_empty() && node.edges.iter().all(|edge| (edge.port, edge.kind) == (1, 1));
    match &node.work {
        Work::Kernel { name, .. } if name == "step" || name == "scale" => Some((name, early)),
        _ => None,
    }
}

#[test]
fn what_is_written_in_front_is_not_read_early() {
    child(|stand_in| {
        let device = configured(stand_in, &Config::default());
        let (mut x, by, mut next) = (device.zeros(100).unwrap(), device.zeros(1).unwrap(), device.zeros(1).unwrap());
        let built = EarlyArgs { x: &mut x, by: &by, next: &mut next }.build(&device).unwrap();
        let report = lawful(stand_in);
        let found: Vec<_> = graph(&report, exec(&report).graph).nodes.iter().filter_map(launch).collect();
        let wanted = [("step", false), ("scale", true), ("scale", true), ("step", true), ("scale", false)];
        let wanted = [&wanted[..], &[("step", true), ("scale", true), ("scale", true)]].concat();
        assert_eq!(found, wanted);
        drop(built);
    });
}

cuda_graph! {
    /// The loop's body ends with a kernel that waits.
    graph Ends(x: &mut [u32; n], turn: &mut [u32; 1]) {
        while turn[0] < 3 {
            turn[0] += 1;
            overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        }
    }
}

/// Each node of a graph, with how many of its edges are full and how many programmatic.
fn counted(graph: &Graph) -> Vec<(&str, [usize; 2])> {
    let count = |node: &Node, kind: u8| node.edges.iter().filter(|edge| edge.kind == kind).count();
    graph.nodes.iter().map(|node| (word(&node.work), [count(node, 0), count(node, 1)])).collect()
}

#[test]
fn the_test_at_the_end_of_a_body_begins_early() {
    child(|stand_in| {
        let device = configured(stand_in, &Config::default());
        let (mut x, mut turn) = (device.zeros(100).unwrap(), device.zeros(1).unwrap());
        let built = EndsArgs { x: &mut x, turn: &mut turn }.build(&device).unwrap();
        let report = lawful(stand_in);
        let root = graph(&report, exec(&report).graph);
        let Some(Work::Conditional { bodies, .. }) = root.nodes.last().map(|node| &node.work) else { panic!() };
        let body = graph(&report, bodies[0]);
        assert!(matches!(counted(body)[..], [("step", [0, 0]), (_, [0, 1])]), "{:?}", counted(body));
        assert!(matches!(counted(root)[..], [(_, [0, 0]), ("while", [1, 0])]), "{:?}", counted(root));
        drop(built);
    });
}

#[test]
fn a_gate_stands_between_layers() {
    child(|stand_in| {
        let device = configured(stand_in, &Config::default());
        let lists = || (0..12).map(|_| device.zeros::<u32>(100).unwrap()).collect::<Vec<_>>();
        let arguments = AllToAllArgs { a: lists(), b: lists(), go: device.zeros(1).unwrap() };
        let built = arguments.build(&device).unwrap();
        let report = lawful(stand_in);
        let edges: Vec<_> = counted(graph(&report, exec(&report).graph)).into_iter().map(|(_, edges)| edges).collect();
        // Twelve side by side do not begin early.
        let layers = [vec![[0, 0]; 12], vec![[12, 0]], vec![[1, 0]; 12]].concat();
        let started = [vec![[0, 0]], vec![[1, 0]; 12], vec![[12, 0]], vec![[1, 0]; 12]].concat();
        assert_eq!(edges, [started, vec![[12, 0], [1, 0]]].concat());
        // The body has a gate of its own, and none at its start.
        let root = graph(&report, exec(&report).graph);
        let Some(Work::Conditional { bodies, .. }) = root.nodes.last().map(|node| &node.work) else { panic!() };
        let edges: Vec<_> = counted(graph(&report, bodies[0])).into_iter().map(|(_, edges)| edges).collect();
        assert_eq!(edges, layers);
        drop(built);
    });
}
