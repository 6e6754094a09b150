//! Pinned memory of the host: where it comes from, who waits before the host looks at it, and when it is given back.

use graph_runtime::prelude::*;
use stand_in_driver::{Report, StandIn};

use crate::child::{child, device, lawful, live, settle};
use crate::shape::calls;

cuda_graph! {
    graph Down(x: &[u32; n], y: &out host [u32; n]) {
        copy(&x, &out y);
    }
}

fn order(report: &Report) -> Vec<&str> {
    calls(report, &["cuGraphLaunch", "cuStreamSynchronize", "cuMemHostAlloc", "cuMemFreeHost", "cuMemcpy"])
}

fn pinned(stand_in: &StandIn) -> usize {
    live(stand_in).iter().filter(|kind| *kind == "pinned memory").count()
}

#[test]
fn the_host_looks_at_it_behind_the_launch_and_without_a_copy() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let x = device.buffer_from(&[3_u32; 100]).unwrap();
        stand_in.forget().unwrap();
        let y = device.pinned_from(&[7_u32; 100]).unwrap();
        assert_eq!(order(&lawful(stand_in)), ["cuMemHostAlloc"], "the host writes it itself");
        let mut graph = DownArgs { x: &x, y }.build(&device).unwrap();
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        assert_eq!(graph.y().to_vec().unwrap(), [7; 100], "nothing runs here");
        assert_eq!(order(&lawful(stand_in)), ["cuGraphLaunch", "cuStreamSynchronize"]);
        stand_in.forget().unwrap();
        assert_eq!(graph.y().to_vec().unwrap().len(), 100);
        assert_eq!(order(&lawful(stand_in)), [""; 0], "the launch is known to be over");
    });
}

/// The stand-in notes memory that is freed while a launch may use it.
#[test]
fn it_is_kept_until_the_launch_that_writes_it_is_over() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let (x, y) = (device.zeros::<u32>(100).unwrap(), device.pinned_zeros::<u32>(100).unwrap());
        let mut graph = DownArgs { x, y }.build(&device).unwrap();
        graph.launch().unwrap();
        drop(graph);
        assert_eq!((pinned(stand_in), device.held_memory().pinned), (1, 0), "dropped, and in use");
        settle(&device);
        assert_eq!(pinned(stand_in), 0, "{:?}", live(stand_in));
        let report = lawful(stand_in);
        assert_eq!(calls(&report, &["cuMemHostAlloc", "cuMemFreeHost"]), ["cuMemHostAlloc", "cuMemFreeHost"]);
    });
}
