//! Drivers that are too old, not whole, or without a device.

use graph_runtime::prelude::*;
use stand_in_driver::{Config, Folder};
use tests::kernels::basic;

use crate::child::{again, child, given, lacking, lawful};
use crate::shape::calls;

cuda_graph! {
    graph Plain(x: &mut [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }

    graph Looped(x: &mut [u32; 4]) {
        while x[0] < 9 { basic::increment<<<1, 4>>>(&mut x, 4); }
    }

    graph Wide(x: &mut [u32; 4], wide: usize) {
        static kept: [u32; 512] = 0;
        let t: [u32; wide] = 1;
        copy(&t[..4], &out x);
        fill(&out kept, 2);
    }
}

#[test]
fn a_driver_before_12_3_is_refused_with_both_versions() {
    child(|stand_in| {
        stand_in.configure(&Config { version: 12020, ..Config::default() }).unwrap();
        let told = Device::cuda(0).unwrap_err().to_string();
        assert!(
            told.starts_with("the CUDA driver supports CUDA 12.2, and graphs need 12.3 or newer\nhelp: update"),
            "{told}"
        );
        assert_eq!(calls(&lawful(stand_in), &["cu"]), ["cuDriverGetVersion"]);
    });
}

/// It has no `cuFuncGetParamInfo`, and no conditionals that work.
#[test]
fn a_driver_of_12_3_has_graphs_without_conditions() {
    lacking(&["cuFuncGetParamInfo"], |stand_in| {
        stand_in.configure(&Config { version: 12030, ..Config::default() }).unwrap();
        let device = Device::cuda(0).unwrap();
        let mut x = device.zeros::<u32>(4).unwrap();
        PlainArgs { x: &mut x }.build(&device).unwrap().launch().unwrap();
        let report = lawful(stand_in);
        assert_eq!(calls(&report, &["cuGraphInstantiate", "cuGraphLaunch"]).len(), 2, "{report:#?}");
        LoopedArgs { x: &mut x }.build(&device).unwrap().launch().unwrap();
        assert_eq!(calls(&lawful(stand_in), &["cuGraphConditional"]), [""; 0]);
    });
}

/// The bindings may be newer than the driver: what measures has another name since 12.8.
#[test]
fn a_driver_before_12_8_measures_with_the_older_function() {
    lacking(&["cuEventElapsedTime_v2"], |stand_in| {
        stand_in.configure(&Config { version: 12040, ..Config::default() }).unwrap();
        let device = Device::cuda(0).unwrap();
        let mut x = device.zeros::<u32>(4).unwrap();
        let profile = PlainArgs { x: &mut x }.build(&device).unwrap().profile().unwrap();
        assert_eq!(profile.nodes().iter().map(|node| node.runs).collect::<Vec<_>>(), [1]);
        assert_eq!(calls(&lawful(stand_in), &["cuEventElapsedTime"]), ["cuEventElapsedTime"]);
    });
}

#[test]
fn a_driver_without_devices_is_told() {
    child(|stand_in| {
        stand_in.configure(&Config { devices: 0, ..Config::default() }).unwrap();
        let told = Device::cuda(0).unwrap_err().to_string();
        assert!(told.starts_with("there is no CUDA device 0: the driver sees no device\nhelp: "), "{told}");
        assert_eq!(Device::best().unwrap().kind(), DeviceKind::Cpu);
    });
}

#[test]
fn a_device_whose_memory_is_full_is_told_with_the_bytes() {
    child(|stand_in| {
        stand_in.configure(&Config { memory: 1 << 20, ..Config::default() }).unwrap();
        let device = Device::cuda(0).unwrap();
        let half = device.zeros::<u8>(1 << 19).unwrap();
        let told = device.zeros::<u8>((1 << 19) + 1).unwrap_err().to_string();
        let asked = "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory, while allocating 524289 bytes on stand-in \
                     (records graphs, executes nothing)";
        let free = "note: 512.0 KiB of the device's 1.0 MiB are free";
        let held =
            "note: buffers and graphs of this process hold 512.0 KiB of it and 0 bytes of pinned memory, in 1 piece";
        let help =
            "help: the device's memory is full: drop buffers or graphs that are no longer needed, or use smaller ones";
        assert_eq!(told.lines().collect::<Vec<_>>(), [asked, free, held, help]);
        drop(half);
        assert!(device.zeros::<u8>((1 << 19) + 1).is_ok());
    });
}

#[test]
fn a_graph_that_memory_has_no_room_for_says_what_it_asks_for() {
    child(|stand_in| {
        stand_in.configure(&Config { memory: 1 << 20, ..Config::default() }).unwrap();
        let device = Device::cuda(0).unwrap();
        let x = || device.buffer_from(&[7_u32; 4]).unwrap();
        let told = WideArgs { x: x(), wide: 1 << 18 }.build(&device).unwrap_err().to_string();
        assert!(told.contains("out of memory, while allocating 1048576 bytes on stand-in"), "{told}");
        assert!(told.contains("\nnote: 1021.9 KiB of the device's 1.0 MiB are free\n"), "{told}");
        let asks = "note: graph `Wide` of 3 nodes asks for 1.0 MiB for transients, 2.0 KiB for `static` buffers, 0 bytes for loops, \
                    and 0 bytes of pinned memory, beside what the driver needs for its nodes\nhelp: ";
        assert!(told.contains(asks), "{told}");
        let mut graph = WideArgs { x: x(), wide: 4 }.build(&device).unwrap();
        let memory = graph.memory();
        let told = graph.set_wide(1 << 18).unwrap_err().to_string();
        let stays = "note: the graph as it was stays until the other one is there, so that a change that fails changes nothing; to need \
                     less, drop it and build anew\nhelp: ";
        assert!(told.contains("asks for 1.0 MiB for transients") && told.contains(stays), "{told}");
        assert_eq!(graph.memory(), memory);
        graph.launch().unwrap();
        graph.synchronize().unwrap();
    });
}

/// Each function that is called, missing from a library: an error that names it, where cudarc panics.
#[test]
fn a_function_that_the_driver_lacks_is_an_error() {
    let here = || {};
    if let Some(function) = given() {
        let told = Device::cuda(0).unwrap_err().to_string();
        assert!(
            told.contains(&format!("the CUDA driver's library lacks `{function}`")) && told.contains("help: "),
            "{told}"
        );
        return;
    }
    let tables = concat!(
        include_str!("../../graph-runtime/src/cuda/driver/start.rs"),
        include_str!("../../graph-runtime/src/cuda/driver/functions.rs")
    );
    let functions = tables.lines().filter_map(|line| line.strip_prefix("    cu")?.split_once('('));
    let functions = functions.map(|(name, _)| format!("cu{name}")).chain(["cuCtxSynchronize".to_owned()]);
    let tried = functions.map(|function| {
        let folder = Folder::lacking(&[&function]).unwrap();
        again(&folder, &here, &function).unwrap_or_else(|wrong| panic!("{function}: {wrong}"))
    });
    let tried = tried.count();
    assert!(tried > 50, "{tried}");
}
