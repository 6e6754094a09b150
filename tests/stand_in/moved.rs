//! What fills and copies are in a CUDA graph.

use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};
use stand_in_driver::StandIn;

use crate::child::{child, device, lawful};
use crate::shape::{exec, graph, words};

cuda_graph! {
    /// All but the last of three are replaced; `t` is read by nobody.
    #[allow(unread_result, reason = "what this is about")]
    graph Replaced(x: &mut [f32; n], y: &[f32; n], c: &[u32; 1]) {
        let t: [f32; n];
        if c[0] > 0 {
            fill(&out x, 1.0);
            copy(&y, &out x);
            copy(&y, &out t);
        } else {
            fill(&out x, 2.0);
        }
    }
}

/// The nodes of both bodies.
fn replaced(stand_in: &StandIn, planning: Planning) -> Vec<Vec<String>> {
    let device = device(stand_in, 13000).planned(planning);
    let (mut x, y, c) = (device.zeros(8).unwrap(), device.zeros(8).unwrap(), device.zeros(1).unwrap());
    let mut built = ReplacedArgs { x: &mut x, y: &y, c: &c }.build(&device).unwrap();
    built.launch().unwrap();
    let report = lawful(stand_in);
    let root = graph(&report, exec(&report).graph);
    let bodies = root.nodes.iter().find_map(|node| match &node.work {
        stand_in_driver::Work::Conditional { bodies, .. } => Some(bodies.clone()),
        _ => None,
    });
    let words = |body: u64| words(graph(&report, body)).into_iter().map(str::to_owned).collect();
    bodies.unwrap().into_iter().map(words).collect()
}

#[test]
fn what_nobody_reads_is_no_node() {
    child(|stand_in| {
        let [then, otherwise] = &replaced(stand_in, Planning::default())[..] else { panic!("two bodies") };
        assert_eq!((then.len(), otherwise.len()), (1, 1), "{then:?} {otherwise:?}");
        assert_eq!(then[0], "copy");
    });
}

#[test]
fn what_nobody_reads_is_a_node_without_the_pass() {
    child(|stand_in| {
        let [then, otherwise] = &replaced(stand_in, Planning::default().without(Pass::Unread))[..] else {
            panic!("two bodies")
        };
        assert_eq!((then.len(), otherwise.len()), (3, 1), "{then:?} {otherwise:?}");
    });
}

cuda_graph! {
    graph Parts(x: &mut [f32; n], y: &[f32; n], z: &mut [f32; n]) {
        fill(&out x[..3], 2.0);
        copy(&y[4..], &out z[4..]);
        fill(&out x[3..], 2.0);
        copy(&y[..4], &out z[..4]);
    }
}

/// The bytes of all copies, and how many nodes there are.
fn parts(stand_in: &StandIn, planning: Planning) -> (Vec<u64>, usize) {
    let device = device(stand_in, 13000).planned(planning);
    let (mut x, y, mut z) = (device.zeros(8).unwrap(), device.zeros(8).unwrap(), device.zeros(8).unwrap());
    let mut built = PartsArgs { x: &mut x, y: &y, z: &mut z }.build(&device).unwrap();
    built.launch().unwrap();
    let report = lawful(stand_in);
    let root = graph(&report, exec(&report).graph);
    let bytes = root.nodes.iter().filter_map(|node| match &node.work {
        stand_in_driver::Work::Copy { sizes, .. } => Some(sizes.iter().product()),
        _ => None,
    });
    (bytes.collect(), root.nodes.len())
}

#[test]
fn neighbours_are_one_node() {
    child(|stand_in| assert_eq!(parts(stand_in, Planning::default()), (vec![32], 2)));
}

#[test]
fn neighbours_are_nodes_without_the_pass() {
    child(|stand_in| assert_eq!(parts(stand_in, Planning::default().without(Pass::Merging)), (vec![16, 16], 4)));
}
