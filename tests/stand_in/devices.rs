//! Two devices: what is of one is refused by the other, and each call finds the context that it needs.

use cudarc::driver::CudaContext;
use graph_runtime::prelude::*;
use stand_in_driver::{Config, Report, StandIn};
use tests::kernels::basic;

use crate::child::{child, lawful, live};

cuda_graph! {
    graph Step(x: &mut [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
        if x[0] > 3 { fill(&out x, 0); }
    }
}

fn two(stand_in: &StandIn) -> [Device; 2] {
    stand_in.configure(&Config { devices: 2, ..Config::default() }).unwrap();
    [0, 1].map(|ordinal| Device::cuda(ordinal).unwrap())
}

fn built(device: &Device) -> Step<'static> {
    StepArgs { x: device.zeros(100).unwrap() }.build(device).unwrap()
}

/// The contexts that were made current, in order.
fn contexts(report: &Report) -> Vec<u64> {
    let set = report.calls.iter().filter(|call| call.function == "cuCtxSetCurrent");
    set.map(|call| call.about.unwrap() & 0xff).collect()
}

#[test]
fn what_is_of_another_device_is_refused_by_name() {
    child(|stand_in| {
        let [first, second] = two(stand_in);
        let mut x = first.zeros::<u32>(100).unwrap();
        let told = StepArgs { x: &mut x }.build(&second).map(drop).unwrap_err().to_string();
        assert!(told.contains("`x`") && told.contains("CUDA device 0") && told.contains("CUDA device 1"), "{told}");
        let arena = first.arena();
        let own = second.zeros::<u32>(100).unwrap();
        let told = StepArgs { x: own }.build_in(&arena, &second).map(drop).unwrap_err().to_string();
        assert!(
            told.starts_with("the arena lies on CUDA device 0, but graph `Step` is built on CUDA device 1"),
            "{told}"
        );
        let mut graph = built(&second);
        let told = graph.rebind_x(first.zeros(100).unwrap()).map(drop).unwrap_err().to_string();
        assert!(told.contains("`x`") && told.contains("CUDA device 0"), "{told}");
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        let told = graph.launch_on(&stream).map(drop).unwrap_err().to_string();
        assert!(told.contains("it is on CUDA device 1, and the stream is another device's"), "{told}");
        graph.launch().unwrap();
        lawful(stand_in);
    });
}

#[test]
fn a_device_that_is_not_there_is_told_with_how_many_are() {
    child(|stand_in| {
        let _both = two(stand_in);
        let told = Device::cuda(2).unwrap_err().to_string();
        assert!(told.starts_with("there is no CUDA device 2: there are 2, numbered from 0"), "{told}");
    });
}

/// The stand-in notes work in a stream, and a launch of a kernel, whose context is not current.
#[test]
fn turns_between_devices_change_the_context_and_nothing_else_does() {
    child(|stand_in| {
        let devices = two(stand_in);
        let mut graphs = devices.each_ref().map(built);
        stand_in.forget().unwrap();
        for turn in [0, 1, 1, 0, 0, 1] {
            graphs[turn].launch().unwrap();
        }
        // The second device was the last that was built for.
        assert_eq!(contexts(&lawful(stand_in)), [0, 1, 0, 1]);
        stand_in.forget().unwrap();
        assert_eq!(graphs[0].x().to_vec().unwrap().len(), 100);
        graphs[0].run_eager().unwrap();
        graphs[1].synchronize().unwrap();
        assert_eq!(contexts(&lawful(stand_in)), [0, 1]);
    });
}

#[test]
fn threads_without_a_context_get_the_one_that_they_need() {
    child(|stand_in| {
        let devices = two(stand_in);
        let graphs = devices.each_ref().map(built);
        stand_in.forget().unwrap();
        for (ordinal, mut graph) in graphs.into_iter().enumerate() {
            let thread = std::thread::spawn(move || {
                graph.launch().unwrap();
                graph.x_mut().unwrap().write_from(&[1; 100]).unwrap();
                graph.launch().unwrap();
                drop(graph);
            });
            thread.join().unwrap();
            let seen = contexts(&lawful(stand_in));
            assert_eq!(seen, [ordinal as u64]);
            stand_in.forget().unwrap();
        }
    });
}

#[test]
fn everything_of_both_is_given_back() {
    child(|stand_in| {
        let devices = two(stand_in);
        let before = live(stand_in);
        for device in &devices {
            let mut graph = built(device);
            let pinned = device.pinned_from(&[1_u32; 64]).unwrap();
            graph.launch().unwrap();
            graph.synchronize().unwrap();
            drop((graph, pinned));
            drop(device.zeros::<u8>(1).unwrap());
            assert_eq!((device.held_memory().device, device.held_memory().pinned), (0, 0));
        }
        let left: Vec<String> = live(stand_in).into_iter().filter(|kind| kind != "module").collect();
        let before: Vec<String> = before.into_iter().filter(|kind| kind != "module").collect();
        assert_eq!(left, before);
    });
}
