//! Tickets and launches in the order of somebody's stream. Here work is over when somebody waits for it, and not before.

use std::thread;

use cudarc::driver::CudaContext;
use graph_runtime::prelude::*;
use stand_in_driver::{Fault, StandIn};
use tests::kernels::basic;

use crate::child::{child, device, lawful, live, settle};
use crate::shape::calls;

cuda_graph! {
    graph Step(x: &mut [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }
}

fn built(device: &Device) -> Step<'static> {
    StepArgs { x: device.zeros(100).unwrap() }.build(device).unwrap()
}

fn ready(stand_in: &StandIn) -> (Device, Step<'static>) {
    let device = device(stand_in, 13000);
    let graph = built(&device);
    stand_in.forget().unwrap();
    (device, graph)
}

#[test]
fn a_ticket_is_complete_once_somebody_has_waited() {
    child(|stand_in| {
        let (_device, mut graph) = ready(stand_in);
        graph.launch().unwrap();
        let ticket = graph.ticket();
        graph.launch().unwrap();
        let asked = calls(&lawful(stand_in), &["cuGraphLaunch", "cuEventRecord", "cuStreamSynchronize"]).join(" ");
        assert_eq!(asked, "cuGraphLaunch cuEventRecord cuGraphLaunch", "the place behind the first launch is marked");
        assert!(!ticket.is_complete());
        let later = graph.ticket();
        ticket.wait().unwrap();
        assert!(later.is_complete(), "the wait was for the stream");
        lawful(stand_in);
    });
}

/// Somebody else waits for the device meanwhile.
#[test]
fn an_awaited_ticket_outlives_its_graph() {
    child(|stand_in| {
        let (device, mut graph) = ready(stand_in);
        graph.launch().unwrap();
        let waiting = thread::spawn({
            let ticket = graph.ticket();
            move || pollster::block_on(ticket)
        });
        drop(graph);
        CudaContext::new(0).and_then(|context| context.synchronize()).unwrap();
        waiting.join().unwrap().unwrap();
        settle(&device);
        // Who looks after tickets lets go of the graph's stream and event by itself, a little later.
        assert!(!live(stand_in).iter().any(|kind| ["exec", "graph"].contains(&kind.as_str())), "{:?}", live(stand_in));
    });
}

#[test]
fn an_error_goes_to_whoever_waits_first() {
    child(|stand_in| {
        let (_device, mut graph) = ready(stand_in);
        graph.launch().unwrap();
        let ticket = graph.ticket();
        stand_in
            .fail(&[Fault { function: Some("cuStreamSynchronize".to_owned()), index: 0, code: 1, ..Fault::default() }])
            .unwrap();
        let told = ticket.wait().unwrap_err().to_string();
        assert!(
            told.contains("CUDA_ERROR_INVALID_VALUE") && told.contains("waiting for launch 1 of graph `Step`"),
            "{told}"
        );
        graph.synchronize().unwrap();
    });
}

/// An event of the stream's in front of the launch, one of the graph's behind it, and no wait on the host.
#[test]
fn a_launch_on_a_stream_is_behind_it_and_in_front_of_what_follows() {
    child(|stand_in| {
        let (device, mut graph) = ready(stand_in);
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        stand_in.forget().unwrap();
        let ticket = graph.launch_on(&stream).unwrap();
        let report = lawful(stand_in);
        let names =
            ["cuEventRecord", "cuStreamWaitEvent", "cuGraphLaunch", "cuStreamSynchronize", "cuEventSynchronize"];
        let (mark, wait) = ("cuEventRecord", "cuStreamWaitEvent");
        let order = calls(&report, &names);
        assert_eq!(order[..5], [mark, wait, "cuGraphLaunch", mark, wait], "{order:?}");
        assert!(!order.contains(&"cuStreamSynchronize"), "{order:?}");
        let waits = report.calls.iter().filter(|call| call.function == "cuStreamWaitEvent");
        let streams: Vec<u64> = waits.filter_map(|call| call.about).collect();
        assert_eq!(streams[1], stream.cu_stream() as u64, "the user's stream waits for the graph");
        assert_ne!(streams[0], streams[1]);
        ticket.wait().unwrap();
        drop((graph, stream));
        settle(&device);
        assert!(
            !live(stand_in).iter().any(|kind| ["exec", "graph", "event"].contains(&kind.as_str())),
            "{:?}",
            live(stand_in)
        );
        lawful(stand_in);
    });
}
