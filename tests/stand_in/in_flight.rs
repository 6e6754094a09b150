//! What is ordered behind what while launches run: here a launch is over when somebody waits for it, and not before.

use std::mem::forget;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use graph_runtime::prelude::*;
use graph_runtime::{DriverError, Result};
use stand_in_driver::{Fault, StandIn};
use tests::kernels::basic;

use crate::child::{child, device, lawful, live, settle};
use crate::shape::calls;

const N: usize = 100;

cuda_graph! {
    graph Step(x: &mut [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }

    graph Copied(x: &[u32; n], y: &out [u32; n]) {
        copy(&x, &out y);
    }

    graph Kept(x: &mut [u32; n], done: &Event) {
        static s: [u32; n] = 3;
        basic::increment<<<n.div_ceil(256), 256>>>(&mut s, n as u32);
        copy(&s, &out x);
        record(&done);
    }
}

/// The calls that wait on the host.
const WAITS: [&str; 3] = ["cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize"];

fn step(device: &Device, x: Buffer<u32>) -> Step<'static> {
    StepArgs { x }.build(device).unwrap()
}

/// Launches, and what the host does with memory, each with the numbers of those that are over when it begins.
fn order(stand_in: &StandIn) -> Vec<(&'static str, Vec<usize>)> {
    let word = |function: &str| match function {
        "cuGraphLaunch" => "launch",
        "cuMemcpyDtoHAsync_v2" => "read",
        "cuMemcpyHtoDAsync_v2" => "write",
        "cuMemFreeAsync" => "free",
        _ => "else",
    };
    lawful(stand_in).order.into_iter().map(|one| (word(&one.function), one.behind)).collect()
}

fn waits(stand_in: &StandIn) -> usize {
    calls(&lawful(stand_in), &WAITS).len()
}

#[test]
fn a_leaked_graphs_launch_is_over_before_the_host_reads_or_writes() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut x = device.zeros::<u32>(N).unwrap();
        let mut graph = StepArgs { x: &mut x }.build(&device).unwrap();
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        forget(graph);
        assert_eq!(waits(stand_in), 0);
        x.to_vec().unwrap();
        assert_eq!(order(stand_in), [("launch", vec![]), ("read", vec![0])]);
        x.write_from(&[1; N]).unwrap();
        drop(x);
        assert_eq!(order(stand_in)[2..], [("write", vec![0, 1])], "what a leaked graph names is never freed");
    });
}

#[test]
fn what_is_dropped_in_flight_is_freed_behind_the_launch_and_nobody_waits() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = step(&device, device.zeros(N).unwrap());
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        drop(graph);
        assert_eq!(order(stand_in), [("launch", vec![]), ("free", vec![0])]);
        assert_eq!(waits(stand_in), 0);
    });
}

#[test]
fn graphs_that_are_built_anew_in_flight_follow_each_other_on_the_device() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut x = device.zeros::<u32>(N).unwrap();
        stand_in.forget().unwrap();
        for leaked in [true, false, true] {
            let mut graph = StepArgs { x: &mut x }.build(&device).unwrap();
            graph.launch().unwrap();
            if leaked {
                forget(graph);
            }
        }
        assert_eq!(order(stand_in), [("launch", vec![]), ("launch", vec![0]), ("launch", vec![0, 1])]);
        assert_eq!(waits(stand_in), 0);
    });
}

#[test]
fn launches_that_read_run_side_by_side_and_a_write_waits() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let x = Arc::new(device.zeros::<u32>(N).unwrap());
        let copied = || CopiedArgs { x: Arc::clone(&x), y: device.zeros(N).unwrap() }.build(&device).unwrap();
        let [mut first, mut second] = [copied(), copied()];
        stand_in.forget().unwrap();
        first.launch().unwrap();
        second.launch().unwrap();
        x.to_vec().unwrap();
        assert_eq!(order(stand_in), [("launch", vec![]), ("launch", vec![]), ("read", vec![])]);
        forget(first);
        let parts = second.into_parts();
        assert!(Arc::try_unwrap(x).is_err(), "a leaked graph keeps its share");
        stand_in.forget().unwrap();
        drop(parts);
        let mut y = device.zeros::<u32>(N).unwrap();
        let mut third = CopiedArgs { x: device.zeros(N).unwrap(), y: &mut y }.build(&device).unwrap();
        stand_in.forget().unwrap();
        third.launch().unwrap();
        let mut x = third.into_parts().x.into_buffer().unwrap();
        x.write_from(&[1; N]).unwrap();
        assert_eq!(order(stand_in), [("launch", vec![]), ("write", vec![0])]);
    });
}

#[test]
fn launches_with_one_shared_buffer_follow_each_other_on_the_device() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let shared = Shared::new(device.zeros::<u32>(N).unwrap());
        let [mut first, mut second] = [(); 2].map(|()| StepArgs { x: &shared }.build(&device).unwrap());
        stand_in.forget().unwrap();
        first.launch().unwrap();
        second.launch().unwrap();
        first.launch().unwrap();
        drop(second);
        assert_eq!(waits(stand_in), 0);
        shared.to_vec().unwrap();
        let launches = [("launch", vec![]), ("launch", vec![0]), ("launch", vec![0, 1])];
        assert_eq!(order(stand_in), [&launches[..], &[("read", vec![0, 1, 2])]].concat());
    });
}

#[test]
fn replicas_run_side_by_side_and_each_behind_itself() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut replicas = Replicas::build(2, |_| StepArgs { x: device.zeros(N)? }.build(&device)).unwrap();
        stand_in.forget().unwrap();
        for _ in 0..4 {
            replicas.turn().1.launch().unwrap();
        }
        let launch = |behind| ("launch", behind);
        assert_eq!(order(stand_in), [launch(vec![]), launch(vec![]), launch(vec![0]), launch(vec![1])]);
        assert_eq!(waits(stand_in), 0);
    });
}

/// They borrow the graph whose view they have; what they have launched runs on when they are gone.
#[test]
fn a_graph_follows_those_that_were_bound_to_its_views() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut lender = step(&device, device.zeros(N).unwrap());
        let y = device.zeros(N).unwrap();
        stand_in.forget().unwrap();
        lender.launch().unwrap();
        let mut writer = StepArgs { x: lender.x_mut().unwrap() }.build(&device).unwrap();
        writer.launch().unwrap();
        forget(writer);
        lender.launch().unwrap();
        let mut reader = CopiedArgs { x: lender.x(), y }.build(&device).unwrap();
        reader.launch().unwrap();
        drop(reader);
        lender.launch().unwrap();
        let order: Vec<_> = order(stand_in).into_iter().filter(|(word, _)| *word == "launch").collect();
        let launch = |behind: &[usize]| ("launch", behind.to_vec());
        assert_eq!(order[..4], [launch(&[]), launch(&[0]), launch(&[0, 1]), launch(&[0, 1, 2])]);
        assert!(order[4].1.starts_with(&[0, 1, 2, 3]), "{order:?}");
        assert_eq!(waits(stand_in), 0);
    });
}

#[test]
fn what_a_rebind_gives_back_is_read_behind_the_launches_before_it() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = step(&device, device.zeros(N).unwrap());
        let new = device.zeros::<u32>(N).unwrap();
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        let old = graph.rebind_x(new).unwrap();
        graph.launch().unwrap();
        old.to_vec().unwrap();
        let order = order(stand_in);
        assert_eq!(order[..2], [("launch", vec![]), ("launch", vec![0])]);
        assert!(order[2].0 == "read" && order[2].1.contains(&0), "{order:?}");
    });
}

#[test]
fn a_graph_follows_the_one_whose_place_it_takes() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let [mut graph, mut other] = [(); 2].map(|()| step(&device, device.zeros(N).unwrap()));
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        other.launch().unwrap();
        graph.update_from(other).unwrap();
        graph.launch().unwrap();
        let order = order(stand_in);
        let launches: Vec<_> = order.iter().filter(|(word, _)| *word == "launch").map(|(_, behind)| behind).collect();
        assert!(launches[0].is_empty() && launches[1].is_empty(), "{order:?}");
        assert!(launches[2].contains(&0) && launches[2].contains(&1), "{order:?}");
        assert_eq!(waits(stand_in), 0);
    });
}

/// Statics, events and modules live as long as launches that name them; the stand-in notes what goes earlier.
#[test]
fn all_that_a_launch_names_outlives_graph_event_and_device() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let done = device.event().unwrap();
        let mut graph = KeptArgs { x: device.zeros(N).unwrap(), done: &done }.build(&device).unwrap();
        graph.launch().unwrap();
        drop(done);
        drop(graph);
        lawful(stand_in);
        settle(&device);
        let left = live(stand_in);
        assert!(
            !left.iter().any(|kind| ["exec", "graph", "event", "device memory"].contains(&kind.as_str())),
            "{left:?}"
        );
        drop(device);
        lawful(stand_in);
    });
}

#[test]
fn asking_for_a_launch_blocks_nobody() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = step(&device, device.zeros(N).unwrap());
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        let mut ticket = pin!(graph.ticket());
        let polled = ticket.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending() && !ticket.is_complete());
        assert_eq!(waits(stand_in), 0);
        graph.synchronize().unwrap();
        assert!(matches!(ticket.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(()))));
    });
}

fn broken<T>(what: &str, result: Result<T>) -> String {
    match result.map(drop) {
        Err(Error::Driver(error)) => {
            let DriverError { code, ref help, .. } = *error;
            assert_eq!(code, 700, "{what}: {error}");
            help.clone()
        }
        other => panic!("{what}: {other:?}"),
    }
}

/// From the first wait on every call of the driver fails, as when a kernel has broken the context.
#[test]
fn a_broken_context_gives_the_same_error_from_every_call_and_nothing_hangs() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut x = device.zeros::<u32>(N).unwrap();
        let mut pinned = device.pinned_zeros::<u32>(N).unwrap();
        let shared = Shared::new(device.zeros::<u32>(N).unwrap());
        let mut graph = StepArgs { x: &mut x }.build(&device).unwrap();
        let mut bystander = StepArgs { x: &shared }.build(&device).unwrap();
        let mut copied =
            CopiedArgs { x: device.zeros(N).unwrap(), y: device.zeros(N).unwrap() }.build(&device).unwrap();
        let spare = device.zeros::<u32>(N).unwrap();
        graph.launch().unwrap();
        let ticket = graph.ticket();
        copied.launch().unwrap();
        let fault = Fault { code: 700, lasting: true, ..Fault::default() };
        stand_in.fail(&[fault]).unwrap();
        let told = [
            broken("synchronize", graph.synchronize()),
            broken("synchronize again", graph.synchronize()),
            broken("ticket", ticket.wait()),
            broken("launch", graph.launch()),
            broken("run_eager", graph.run_eager()),
            broken("profile", graph.profile()),
            broken("a view", graph.x().to_vec()),
            broken("a view, written", graph.x_mut().and_then(|mut x| x.write_from(&[1; N]))),
            broken("another graph", bystander.launch()),
            broken("a shared buffer", shared.to_vec()),
            broken("rebind", copied.rebind_y(spare)),
            broken("a new buffer", device.zeros::<u32>(N)),
            broken("new pinned memory", device.pinned_zeros::<u32>(N)),
            broken("a new event", device.event()),
            broken("a build", StepArgs { x: &shared }.build(&device)),
        ];
        assert!(told.iter().all(|help| *help == told[0] && help.contains("process")), "{told:#?}");
        drop((graph, bystander, copied));
        broken("a buffer", x.to_vec());
        assert_eq!(pinned.as_mut_slice().unwrap().len(), N, "no launch has used it");
        drop((x, pinned, shared, device));
    });
}
