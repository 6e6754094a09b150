//! Tickets and replicas on the CPU, where a deferred launch runs when somebody awaits it.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use graph_runtime::prelude::*;

cuda_graph! {
    graph Add(x: &mut [u32; n], by: u32) {
        kernel for i in 0..n { x[i] += by; }
        assert!(x[0] < 100, "a hundred");
    }
}

fn now<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[test]
fn awaiting_a_launch_runs_it() {
    let device = Device::cpu().deferred();
    let mut x = device.buffer_from(&[1_u32, 2]).unwrap();
    let mut graph = AddArgs { x: &mut x, by: 3 }.build(&device).unwrap();
    graph.launch().unwrap();
    let first = graph.ticket();
    graph.launch().unwrap();
    assert!(!first.is_complete());
    now(first).unwrap().unwrap();
    let second = graph.ticket();
    drop(graph);
    // The ticket outlives the graph, and may be waited for elsewhere.
    std::thread::spawn(|| second.wait()).join().unwrap().unwrap();
    assert_eq!(x.to_vec().unwrap(), [7, 8]);
}

#[test]
fn a_ticket_without_launches_is_over() {
    let device = Device::cpu();
    let graph = AddArgs { x: device.zeros(1).unwrap(), by: 3 }.build(&device).unwrap();
    assert!(graph.ticket().is_complete());
    now(graph.ticket()).unwrap().unwrap();
}

#[test]
fn what_a_launch_found_wrong_is_told_once() {
    let device = Device::cpu().deferred();
    let mut graph = AddArgs { x: device.zeros(1).unwrap(), by: 100 }.build(&device).unwrap();
    graph.launch().unwrap();
    let text = now(graph.ticket()).unwrap().unwrap_err().to_string();
    assert!(text.contains("a hundred"), "{text}");
    now(graph.ticket()).unwrap().unwrap();
}

#[test]
fn replicas_take_turns() {
    let device = Device::cpu();
    let build = |k: usize| AddArgs { x: device.zeros::<u32>(1)?, by: k as u32 + 1 }.build(&device);
    let mut replicas = Replicas::build(3, build).unwrap();
    let turns: Vec<usize> = (0..7)
        .map(|_| {
            let (index, graph) = replicas.turn();
            graph.launch().unwrap();
            index
        })
        .collect();
    assert_eq!(turns, [0, 1, 2, 0, 1, 2, 0]);
    let sums: Vec<u32> = replicas.iter().map(|graph| graph.x().to_vec().unwrap()[0]).collect();
    assert_eq!(sums, [3, 4, 6]);
    assert_eq!(replicas.into_graphs().len(), 3);
    let none = Replicas::build(0, build).unwrap_err().to_string();
    assert!(none.contains("one replica at least"), "{none}");
}
