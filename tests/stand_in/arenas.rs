//! Graphs that share the memory of their transients: they wait for each other on the device, and move when it grows.

use graph_runtime::prelude::*;
use stand_in_driver::{Config, Report, StandIn};
use tests::kernels::basic;

use crate::child::{child, configured, lawful, live, settle};
use crate::shape::calls;

cuda_graph! {
    graph Through(x: &mut [u32; n], n: usize) {
        let t: [u32; n];
        copy(&x, &out t);
        basic::increment<<<n.div_ceil(256), 256>>>(&mut t, n as u32);
        copy(&t, &out x);
    }

    graph Pinned(x: &mut [u32; n], n: usize) {
        let t: host [u32; n];
        copy(&x, &out t);
        host(&mut t, |t| t[0] += 1);
        copy(&t, &out x);
    }
}

fn start(stand_in: &StandIn) -> Device {
    configured(stand_in, &Config::default())
}

fn through(device: &Device, arena: &Arena, n: usize) -> Through<'static> {
    ThroughArgs { x: device.zeros(n).unwrap(), n }.build_in(arena, device).unwrap()
}

/// The launches and what orders them, in order.
fn order(report: &Report) -> Vec<&str> {
    calls(report, &["cuGraphLaunch", "cuEventRecord", "cuStreamWaitEvent", "cuStreamSynchronize", "cuCtxSynchronize"])
}

fn memory(stand_in: &StandIn) -> usize {
    live(stand_in).iter().filter(|kind| kind.ends_with("memory")).count()
}

#[test]
fn a_launch_waits_on_the_device_for_the_other_graphs_of_its_arena() {
    child(|stand_in| {
        let device = start(stand_in);
        let arena = device.arena();
        let [mut first, mut second] = [1000, 500].map(|n| through(&device, &arena, n));
        stand_in.forget().unwrap();
        for _ in 0..2 {
            first.launch().unwrap();
            second.launch().unwrap();
        }
        first.launch().unwrap();
        let (launch, mark, wait) = ("cuGraphLaunch", "cuEventRecord", "cuStreamWaitEvent");
        let turn = [mark, wait, launch];
        assert_eq!(order(&lawful(stand_in)), [&[launch][..], &turn, &turn, &turn, &turn].concat());
        stand_in.forget().unwrap();
        first.launch().unwrap();
        assert_eq!(order(&lawful(stand_in)), [launch], "nobody has used it since");
    });
}

#[test]
fn graphs_in_arenas_of_their_own_do_not_wait() {
    child(|stand_in| {
        let device = start(stand_in);
        let mut graphs = [device.arena(), device.arena()].map(|arena| through(&device, &arena, 500));
        stand_in.forget().unwrap();
        graphs.iter_mut().for_each(|graph| graph.launch().unwrap());
        assert_eq!(order(&lawful(stand_in)), ["cuGraphLaunch"; 2]);
    });
}

/// Two copies and a kernel name the transient; the smaller memory goes when the launch that uses it is over.
#[test]
fn a_graph_moves_once_when_the_arena_has_grown() {
    child(|stand_in| {
        let device = start(stand_in);
        let arena = device.arena();
        let mut small = through(&device, &arena, 500);
        small.launch().unwrap();
        let before = memory(stand_in);
        let large = through(&device, &arena, 5000);
        assert_eq!(memory(stand_in), before + 2, "its buffer, and the larger arena beside the smaller one");
        assert_eq!(arena.bytes(), large.memory().transients);
        stand_in.forget().unwrap();
        small.launch().unwrap();
        let moved = calls(&lawful(stand_in), &["cuGraphExecNodeSetParams"]).len();
        assert_eq!(moved, 3);
        stand_in.forget().unwrap();
        small.launch().unwrap();
        assert_eq!(calls(&lawful(stand_in), &["cuGraphExecNodeSetParams", "cuGraphInstantiate"]), [""; 0]);
        small.synchronize().unwrap();
        settle(&device);
        assert_eq!(memory(stand_in), before + 1, "the smaller one is gone");
    });
}

#[test]
fn an_arena_goes_with_its_last_handle_and_graph() {
    child(|stand_in| {
        let device = start(stand_in);
        settle(&device);
        let arena = device.arena();
        let mut graph = through(&device, &arena, 500);
        let mut pinned = PinnedArgs { x: device.zeros(300).unwrap(), n: 300 }.build_in(&arena, &device).unwrap();
        assert_eq!((arena.bytes(), arena.host_bytes()), (2048, 1280), "in steps of 256");
        assert_eq!(memory(stand_in), 4, "two buffers, and the arena on both sides: {:?}", live(stand_in));
        graph.launch().unwrap();
        pinned.launch().unwrap();
        drop(arena);
        drop(graph);
        settle(&device);
        assert_eq!(memory(stand_in), 3, "{:?}", live(stand_in));
        drop(pinned);
        settle(&device);
        assert_eq!(memory(stand_in), 0, "{:?}", live(stand_in));
        let kinds: std::collections::BTreeSet<String> = live(stand_in).into_iter().collect();
        assert_eq!(kinds, ["context", "module", "stream"].map(str::to_owned).into());
    });
}
