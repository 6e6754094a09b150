//! Where many launches wait for nothing, one kernel in front of them is what the host begins.

use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};
use stand_in_driver::{Node, Work};

use crate::child::{child, device, lawful};
use crate::shape::{exec, graph};

cuda_graph! {
    /// Kernels of different lengths, which share no launch, and copies that wait for nothing, and a second kernel behind each of the first.
    graph Wide(x: [&mut [u32; 64]], y: [&mut [u32; 64]], from: [&[u32; 64]], to: [&out [u32; 64]]) {
        for i in 0..x.len() { kernel for k in 0..64 - i { x[i][k] += 1; } }
        for i in 0..to.len() { copy(&from[i], &out to[i]); }
        for i in 0..x.len() { kernel for k in 0..64 - i { y[i][k] = x[i][63 - k]; } }
    }

    /// The body has as many.
    graph Within(x: [&mut [u32; 64]], go: &[u32; 1]) {
        if go[0] > 0 { for i in 0..x.len() { kernel for k in 0..64 - i { x[i][k] += 1; } } }
    }
}

/// How many kernels and how many copies wait for nothing, and how many nodes for the first kernel.
fn roots(device: &Device, stand_in: &stand_in_driver::StandIn, kernels: usize) -> [usize; 3] {
    let lists = |count: usize| (0..count).map(|_| device.zeros::<u32>(64).unwrap()).collect::<Vec<_>>();
    let built = WideArgs { x: lists(kernels), y: lists(kernels), from: lists(3), to: lists(3) }.build(device).unwrap();
    let report = lawful(stand_in);
    let nodes = &graph(&report, exec(&report).graph).nodes;
    let is_kernel = |node: &&Node| matches!(node.work, Work::Kernel { .. });
    let (roots, copies): (Vec<&Node>, Vec<&Node>) =
        nodes.iter().filter(|node| node.edges.is_empty()).partition(is_kernel);
    let behind = nodes.iter().filter(|node| node.edges.iter().any(|edge| edge.from == roots[0].handle)).count();
    drop(built);
    [roots.len(), copies.len(), behind]
}

#[test]
fn one_kernel_is_begun_in_the_place_of_twelve() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        assert_eq!(roots(&device, stand_in, 12), [1, 3, 12], "copies stay as they are");
    });
}

#[test]
fn few_are_begun_as_they_are() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        assert_eq!(roots(&device, stand_in, 11), [11, 3, 1]);
    });
}

#[test]
fn without_the_pass_all_are_begun_as_they_are() {
    child(|stand_in| {
        let device = device(stand_in, 13000).planned(Planning::default().without(Pass::Gates));
        assert_eq!(roots(&device, stand_in, 12), [12, 3, 1]);
    });
}

#[test]
fn a_body_begins_its_launches_itself() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let x: Vec<_> = (0..12).map(|_| device.zeros::<u32>(64).unwrap()).collect();
        let built = WithinArgs { x, go: device.zeros(1).unwrap() }.build(&device).unwrap();
        let report = lawful(stand_in);
        let root = graph(&report, exec(&report).graph);
        let Some(Work::Conditional { bodies, .. }) = root.nodes.last().map(|node| &node.work) else { panic!() };
        let body = graph(&report, bodies[0]);
        assert_eq!(body.nodes.iter().filter(|node| node.edges.is_empty()).count(), 12);
        drop(built);
    });
}
