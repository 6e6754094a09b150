//! What goes wrong on a device is told with names, numbers and places.

use graph_runtime::prelude::*;
use graph_runtime::{DriverError, Result};

use crate::child;
use crate::graphs::AddArgs;

/// Declarations that are not true, and kernels with tight limits. See `kernels/odd.cu`.
#[cuda_module("kernels/odd.cu")]
unsafe mod odd {
    pub fn absent(x: &mut [u32; n], n: u32);
    pub fn narrow(x: &mut [u32; n], n: u64);
    pub fn bounded(x: &mut [u32; n], n: u32) {
        let _ = n;
        for x in x {
            *x += 1;
        }
    }
    pub fn stray(x: &mut [u32; n], n: u32);
}

/// Does not compile.
#[cuda_module("kernels/broken.cu")]
unsafe mod broken {
    pub fn broken(x: &mut [u32; n], n: u32);
}

/// The line of `cuda_graph!`, from which those of its statements are counted.
const BLOCK: u32 = line!() + 1;
cuda_graph! {
    graph Absent(x: &mut [u32; n]) { odd::absent<<<1, 32>>>(&mut x, n as u32); }
    graph Narrow(x: &mut [u32; n]) { odd::narrow<<<1, 32>>>(&mut x, n as u64); }
    graph Broken(x: &mut [u32; n]) { broken::broken<<<1, 32>>>(&mut x, n as u32); }

    graph Bounded(x: &mut [u32; n], blocks: (u32, u32), threads: u32, bytes: u32, count: u32) {
        'tight: odd::bounded<<<blocks, threads, bytes>>>(&mut x, count);
    }

    graph Stray(x: &mut [u32; n]) {
        odd::bounded<<<1, 32>>>(&mut x, n as u32);
        'wild: odd::stray<<<1, 1>>>(&mut x, n as u32);
        odd::bounded<<<1, 32>>>(&mut x, n as u32);
    }
}
const TIGHT: u32 = BLOCK + 6;
const WILD: u32 = BLOCK + 11;

/// The text of the error.
fn text<T>(result: Result<T>) -> String {
    result.map(drop).unwrap_err().to_string()
}

/// Whether each of these stands in the text.
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

/// The driver's error.
fn driver<T>(result: Result<T>) -> Box<DriverError> {
    match result.map(drop) {
        Err(Error::Driver(error)) => error,
        other => panic!("expected a driver's error: {other:?}"),
    }
}

#[test]
fn a_kernel_that_the_module_lacks() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let text = text(AbsentArgs { x: &mut x }.build(&device));
    assert_has(
        &text,
        &["kernel file `kernels/odd.cu` has no kernel `absent`", "module `odd`", "gpu/errors.rs:", "help: "],
    );
    assert_eq!(x.to_vec()?, [0; 8]);
    Ok(())
}

#[test]
fn a_file_that_does_not_compile() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let first = BrokenArgs { x: &mut x }.build(&device).map(drop).unwrap_err();
    assert!(matches!(first, Error::Module(_)));
    let log = "kernels/broken.cu(4): error: identifier \"undeclared_name\" is undefined";
    assert_has(&first.to_string(), &["kernel file `kernels/broken.cu` does not compile", "module `broken`", log]);
    assert_has(&text(BrokenArgs { x: &mut x }.build(&device)), &["kernels/broken.cu", log]);
    Ok(())
}

#[test]
fn a_parameter_of_another_size() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let text = text(NarrowArgs { x: &mut x }.build(&device));
    assert_has(
        &text,
        &[
            "parameter `n` of kernel `narrow` is `u64` of 8 bytes, and has 4 in `kernels/odd.cu` [CG0217]",
            "declared in module `odd` (",
            "gpu/errors.rs:",
        ],
    );
    assert_eq!(x.to_vec()?, [0; 8]);
    Ok(())
}

#[test]
fn a_block_that_the_kernel_does_not_allow() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let error = driver(BoundedArgs { x: &mut x, blocks: (1, 1), threads: 128, bytes: 0, count: 8 }.build(&device));
    assert_has(&error.to_string(), &["the block (128, 1, 1) has 128 threads", "launch bounds allow 64", "help: "]);
    let node = error.node.unwrap();
    assert_eq!(node.label, "tight");
    assert!(node.location.contains(&format!("gpu/errors.rs:{TIGHT}:")), "{}", node.location);
    let mut graph = BoundedArgs { x: &mut x, blocks: (1, 1), threads: 64, bytes: 0, count: 8 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1; 8]);
    assert_has(&text(graph.set_threads(65)), &["has 65 threads", "allow 64 [CG0218]"]);
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [2; 8], "a setter that is refused changes nothing");
    Ok(())
}

#[test]
fn a_grid_that_is_too_large() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let mut graph = BoundedArgs { x: &mut x, blocks: (1, 65_535), threads: 32, bytes: 0, count: 8 }.build(&device)?;
    let error = graph.set_blocks((1, 65_536)).unwrap_err();
    assert!(matches!(error, Error::Refused(_)));
    assert_has(
        &error.to_string(),
        &["has size 65536 in y [CG0204]", "at most 65535 in y", &format!("errors.rs:{TIGHT}:")],
    );
    graph.set_blocks((1, 1))?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1; 8]);
    Ok(())
}

#[test]
fn shared_memory_beyond_what_a_block_may_have() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let error = driver(BoundedArgs { x: &mut x, blocks: (1, 1), threads: 64, bytes: 1 << 20, count: 8 }.build(&device));
    assert_has(
        &error.to_string(),
        &[
            "would have 1048576 bytes of shared memory",
            "and this device gives it ",
            "[CG0220]",
            "`tight`",
            "ask for at most ",
        ],
    );
    let mut graph = BoundedArgs { x: &mut x, blocks: (1, 1), threads: 64, bytes: 64 << 10, count: 8 }.build(&device)?;
    graph.launch()?;
    assert_has(&text(graph.set_bytes(u32::MAX)), &["would have 4294967295 bytes"]);
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [2; 8]);
    Ok(())
}

#[test]
fn a_buffer_that_is_too_short() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8)?;
    let short = BoundedArgs { x: &mut x, blocks: (1, 1), threads: 64, bytes: 0, count: 9 };
    assert_has(&text(short.build(&device)), &["`x` has 8 elements, but kernel `bounded` touches 9 [CG0203]"]);
    let mut graph = BoundedArgs { x: &mut x, blocks: (1, 1), threads: 64, bytes: 0, count: 8 }.build(&device)?;
    assert_has(&text(graph.set_count(12)), &["`x` has 8 elements, but kernel `bounded` touches 12 [CG0203]"]);
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1; 8]);
    Ok(())
}

#[test]
fn a_buffer_of_another_device() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let cpu = Device::cpu();
    let mut here = cpu.buffer_from(&[1_u32; 4])?;
    let elsewhere = text(AddArgs { x: &mut here, by: 1, cycles: 0 }.build(&device));
    assert_has(&elsewhere, &["buffer `x` lies on the CPU, but graph `Add` is built on CUDA device 0", "help: "]);
    let mut there = device.buffer_from(&[1_u32; 4])?;
    let on_the_cpu = text(AddArgs { x: &mut there, by: 1, cycles: 0 }.build(&cpu));
    assert_has(&on_the_cpu, &["buffer `x` lies on CUDA device 0, but graph `Add` is built on the CPU"]);
    let mut graph = AddArgs { x: &mut there, by: 1, cycles: 0 }.build(&device)?;
    let text = text(graph.rebind_x(here));
    assert_has(&text, &["buffer `x` lies on the CPU"]);
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [2; 4]);
    Ok(())
}

#[test]
fn a_device_that_is_not_there() {
    let Some(_device) = crate::device() else { return };
    assert_has(&text(Device::cuda(4096)), &["there is no CUDA device 4096: ", "CUDA_VISIBLE_DEVICES"]);
}

/// Whether an error is the one of a kernel that touched memory outside its buffers.
fn assert_lost(error: &DriverError) {
    assert_eq!((error.code, error.name.as_str()), (700, "CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
    assert_has(&error.to_string(), &["CUDA_ERROR_ILLEGAL_ADDRESS (700): ", "while ", "help: ", "run_eager"]);
}

/// Everything that is asked of a lost context gives the same clear error.
fn assert_all_lost(device: &Device, x: &Buffer<u32>) {
    for _ in 0..2 {
        assert_lost(&driver(x.to_vec()));
        assert_lost(&driver(device.zeros::<u32>(4)));
        assert_lost(&driver(device.pinned_zeros::<u32>(4)));
    }
}

#[test]
fn an_eager_run_names_the_node_at_fault() -> Result<()> {
    if !child::is_child() {
        let Some(_turn) = crate::device_for_children() else { return Ok(()) };
        child::run("errors::an_eager_run_names_the_node_at_fault", &[]);
        return Ok(());
    }
    let Some(device) = crate::device() else { return Ok(()) };
    let spare = device.zeros::<u32>(16)?;
    let pinned = device.pinned_zeros::<u32>(16)?;
    let mut x = device.zeros::<u32>(16)?;
    let mut graph = StrayArgs { x: &mut x }.build(&device)?;
    let error = driver(graph.run_eager());
    assert_lost(&error);
    let node = error.node.clone().unwrap();
    assert_eq!(node.label, "wild");
    assert!(node.location.contains(&format!("gpu/errors.rs:{WILD}:")), "{}", node.location);
    assert_has(&error.to_string(), &["at node `wild` (", "running graph `Stray` eagerly"]);
    assert_lost(&driver(graph.run_eager()));
    assert_lost(&driver(graph.launch()));
    drop(graph);
    assert_all_lost(&device, &x);
    assert!(AddArgs { x: &mut x, by: 1, cycles: 0 }.build(&device).is_err());
    drop((x, spare, pinned));
    child::done();
    Ok(())
}

#[test]
fn a_launch_at_fault_is_reported_by_whoever_waits() -> Result<()> {
    if !child::is_child() {
        let Some(_turn) = crate::device_for_children() else { return Ok(()) };
        child::run("errors::a_launch_at_fault_is_reported_by_whoever_waits", &[]);
        return Ok(());
    }
    let Some(device) = crate::device() else { return Ok(()) };
    let (mut x, y) = (device.zeros::<u32>(16)?, device.zeros::<u32>(16)?);
    let mut graph = StrayArgs { x: &mut x }.build(&device)?;
    let mut bystander = AddArgs { x: y, by: 1, cycles: 0 }.build(&device)?;
    graph.launch()?;
    let error = driver(graph.synchronize());
    assert_lost(&error);
    assert_has(&error.to_string(), &["waiting for launch 1 of graph `Stray`"]);
    assert_lost(&driver(graph.synchronize()));
    assert_lost(&driver(graph.x().to_vec()));
    assert_lost(&driver(graph.launch()));
    assert_lost(&driver(bystander.launch()));
    assert_lost(&driver(bystander.x().to_vec()));
    drop(graph);
    assert_all_lost(&device, &x);
    drop((x, bystander));
    child::done();
    Ok(())
}
