//! What must hold whatever is leaked, dropped or moved: against a device that finishes late.

mod common;

use std::sync::Arc;

use common::{ADD, MULTIPLY, SHIFT, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::graph_ir::model::{HostValue, Memory, Program as Model, SymbolOrigin};
use graph_runtime::graph_ir::testing::{Builder, atomic, number, overwrite, read, update};
use graph_runtime::{Bound, Buffer, Device, Error, Shared};

fn nothing(_: &mut Sink) {}

fn late() -> Device {
    Device::cpu().deferred()
}

/// `x[..] op= by`
fn one(kernel: u32, by: &str) -> Model {
    let mut block = Builder::new("One");
    let x = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "step", kernel, &[update(x)], &[literal(by), literal("1")]);
    block.finish()
}

/// `out = input + 1 + 1` by way of a transient.
fn two_steps() -> Model {
    let mut block = Builder::new("TwoSteps");
    let input = block.parameter("input", Mode::Read, number(2));
    let out = block.parameter("out", Mode::Overwrite, number(2));
    let between = block.transient("between", number(2));
    launch(&mut block, "first", SHIFT, &[read(input), overwrite(between)], &[literal("1"), literal("2")]);
    launch(&mut block, "second", SHIFT, &[read(between), overwrite(out)], &[literal("1"), literal("2")]);
    block.finish()
}

#[test]
fn launches_of_one_graph_run_one_after_another() {
    let device = late();
    let x = device.buffer_from(&[1]).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    graph.launch().unwrap();
    graph.synchronize().unwrap();
    let [bound] = graph.into_bindings();
    let bound: Bound<'_, i32> = Bound::new(bound);
    assert_eq!(bound.into_buffer().unwrap().to_vec().unwrap(), [3]);
}

#[test]
fn leak_and_read() {
    let device = late();
    let mut x = device.buffer_from(&[1]).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(&mut x)]).unwrap();
    graph.launch().unwrap();
    std::mem::forget(graph);
    assert_eq!(x.to_vec().unwrap(), [2], "reading waits for the launch of a leaked graph");
    x.write_from(&[7]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [7]);
}

#[test]
fn drop_in_flight() {
    let device = late();
    let input = device.buffer_from(&[1, 2]).unwrap();
    let mut out = device.zeros(2).unwrap();
    let mut graph: TestGraph<'_, 3> =
        build(&device, two_steps(), nothing, vec![reads(input), writes(&mut out)]).unwrap();
    graph.launch().unwrap();
    drop(graph);
    assert_eq!(out.to_vec().unwrap(), [3, 4], "the owned input and the arena live until the launch is over");
}

#[test]
fn an_owned_buffer_dropped_in_flight_lives_until_the_launch_is_over() {
    let device = late();
    let input = Arc::new(device.buffer_from(&[5, 6]).unwrap());
    let mut out = device.zeros(2).unwrap();
    let bindings = vec![reads(Arc::clone(&input)), writes(&mut out)];
    let mut graph: TestGraph<'_, 3> = build(&device, two_steps(), nothing, bindings).unwrap();
    graph.launch().unwrap();
    assert!(Arc::try_unwrap(input).is_err(), "the graph keeps the user's `Arc`, so nobody can make it exclusive");
    drop(graph);
    assert_eq!(out.to_vec().unwrap(), [7, 8]);
}

#[test]
fn rebuild_in_flight() {
    let device = late();
    let mut x = device.buffer_from(&[1]).unwrap();
    let mut first: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&mut x)]).unwrap();
    first.launch().unwrap();
    drop(first);
    let mut second: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "10"), nothing, vec![writes(&mut x)]).unwrap();
    second.launch().unwrap();
    std::mem::forget(second);
    let mut third: TestGraph<'_, 1> = build(&device, one(ADD, "4"), nothing, vec![writes(&mut x)]).unwrap();
    third.launch().unwrap();
    assert_eq!(third.view::<i32>(0).to_vec().unwrap(), [34], "(1 + 2) * 10 + 4: each graph waits for the one before");
}

#[test]
fn writes_of_the_host_wait_too() {
    let device = late();
    let x = device.buffer_from(&[1]).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    graph.view_mut::<i32>(0).unwrap().write_from(&[100]).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [101]);
}

#[test]
fn rebind_in_flight_gives_the_old_one_back() {
    let device = late();
    let mut graph: TestGraph<'_, 1> =
        build(&device, one(ADD, "1"), nothing, vec![writes(device.buffer_from(&[1]).unwrap())]).unwrap();
    graph.launch().unwrap();
    let old: Bound<'_, i32> = graph.rebind(0, writes(device.buffer_from(&[50]).unwrap())).unwrap();
    graph.launch().unwrap();
    assert_eq!(old.into_buffer().unwrap().to_vec().unwrap(), [2]);
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [51]);
    let wrong = graph.rebind::<i32>(0, writes(device.zeros(0).unwrap())).unwrap_err().to_string();
    assert!(wrong.contains("`x` has 0 elements"), "{wrong}");
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [52], "a rebind that fails changes nothing");
}

#[test]
fn one_shared_buffer_for_two_parameters_and_one_of_them_rebound() {
    let device = late();
    let mut block = Builder::new("Both");
    let a = block.parameter("a", Mode::Read, number(1));
    let b = block.parameter("b", Mode::Read, number(1));
    let out = block.parameter("out", Mode::Update, number(1));
    for from in [a, b] {
        launch(&mut block, "tally", common::TALLY, &[read(from), atomic(out)], &[literal("1")]);
    }
    let shared = Arc::new(device.buffer_from(&[3]).unwrap());
    let out = device.zeros(1).unwrap();
    let bindings = vec![reads(Arc::clone(&shared)), reads(Arc::clone(&shared)), writes(out)];
    let mut graph: TestGraph<'_, 3> = build(&device, block.finish(), nothing, bindings).unwrap();
    drop(graph.rebind::<i32>(0, reads(device.buffer_from(&[4]).unwrap())).unwrap());
    graph.launch().unwrap();
    let [_, b, out] = graph.into_bindings();
    let out: Buffer<i32> = Bound::new(out).into_buffer().unwrap();
    drop(b);
    let mut owned = Arc::try_unwrap(shared).unwrap();
    owned.write_from(&[1000]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [7], "the launch read the shared buffer before it was written");
}

/// Two handles of one buffer, which is written: as in a build, and what was bound stays.
#[test]
fn a_rebind_to_what_another_parameter_has_is_refused() {
    let device = late();
    let mut block = Builder::new("Shift");
    let input = block.parameter("input", Mode::Read, number(1));
    let out = block.parameter("out", Mode::Overwrite, number(1));
    launch(&mut block, "shift", SHIFT, &[read(input), overwrite(out)], &[literal("1"), literal("1")]);
    let shared = Shared::new(device.buffer_from(&[5]).unwrap());
    let bindings = vec![reads(device.buffer_from(&[7]).unwrap()), writes(&shared)];
    let mut graph: TestGraph<'_, 2> = build(&device, block.finish(), nothing, bindings).unwrap();
    graph.launch().unwrap();
    let refused = graph.rebind::<i32>(0, reads(&shared)).unwrap_err().to_string();
    assert!(refused.contains("`input` and `out` are bound to one buffer, and it is written [CG0202]"), "{refused}");
    graph.launch().unwrap();
    assert_eq!(shared.to_vec().unwrap(), [8]);
}

#[test]
fn a_graph_moves_to_a_thread() {
    let device = late();
    let x = device.buffer_from(&[1]).unwrap();
    let mut graph: TestGraph<'static, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    let moved = std::thread::spawn(move || {
        graph.launch().unwrap();
        graph.view::<i32>(0).to_vec().unwrap()
    });
    assert_eq!(moved.join().unwrap(), [3]);
}

#[test]
fn two_graphs_of_one_type_swap_whole() {
    let device = late();
    let mut small: TestGraph<'static, 1> =
        build(&device, one(ADD, "1"), nothing, vec![writes(device.buffer_from(&[1]).unwrap())]).unwrap();
    let mut large: TestGraph<'static, 1> =
        build(&device, one(MULTIPLY, "9"), nothing, vec![writes(device.buffer_from(&[7]).unwrap())]).unwrap();
    small.launch().unwrap();
    std::mem::swap(&mut small, &mut large);
    small.launch().unwrap();
    assert_eq!(small.view::<i32>(0).to_vec().unwrap(), [63]);
    assert_eq!(large.view::<i32>(0).to_vec().unwrap(), [2]);
}

/// `out[0..n] = input[0..n] + 1` where `n` is bound by `input`, and the kernel is told to touch `touched` elements.
fn of_length_n(touched: &str) -> Model {
    let mut block = Builder::new("Lengths");
    let n = block.symbol("n");
    let input = block.parameter("input", Mode::Read, n);
    let out = block.parameter("out", Mode::Overwrite, n);
    block.program().symbols[0].origin = SymbolOrigin::BoundLength(input);
    let touched = HostValue::Symbol(block.symbol_id(touched));
    launch(&mut block, "shift", SHIFT, &[read(input), overwrite(out)], &[literal("1"), touched]);
    block.finish()
}

#[test]
fn zero_sizes_are_sizes() {
    let device = late();
    let (input, mut out) = (device.zeros::<i32>(0).unwrap(), device.zeros(0).unwrap());
    let evaluate = |sink: &mut Sink| sink.value(1, i32::try_from(sink.length(0)).unwrap());
    let mut graph: TestGraph<'_, 2> =
        build(&device, of_length_n("n as i32"), evaluate, vec![reads(&input), writes(&mut out)]).unwrap();
    graph.launch().unwrap();
    assert!(graph.view::<i32>(1).to_vec().unwrap().is_empty());
    drop(graph);
    out.write_from(&[]).unwrap();
    assert!(out.is_empty() && input.to_vec().unwrap().is_empty());
}

#[test]
fn buffers_of_unequal_lengths_are_refused_with_both_numbers() {
    let device = Device::cpu();
    let (input, mut out) = (device.zeros::<i32>(8).unwrap(), device.zeros(7).unwrap());
    let evaluate = |sink: &mut Sink| sink.value(1, 8_i32);
    let refused = build::<2>(&device, of_length_n("m"), evaluate, vec![reads(&input), writes(&mut out)]).unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, Error::Refused(_)));
    assert!(
        text.contains("`out` has 7 elements, but `n` is 8 [CG0203]") && text.contains("`input` gives the length"),
        "{text}"
    );
}

#[test]
fn a_kernel_that_touches_too_much_is_refused_with_both_numbers() {
    let device = Device::cpu();
    let (input, mut out) = (device.zeros::<i32>(8).unwrap(), device.zeros(8).unwrap());
    let evaluate = |sink: &mut Sink| sink.value(1, 9_i32);
    let refused = build::<2>(&device, of_length_n("m"), evaluate, vec![reads(&input), writes(&mut out)]).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("`input` has 8 elements, but kernel `shift` touches 9 [CG0203]"), "{text}");
    assert!(
        text.contains("`out` has 8 elements, but kernel `shift` touches 9 [CG0203]"),
        "all faults in one go: {text}"
    );
}

#[test]
fn what_was_bound_through_a_shared_reference_cannot_be_written() {
    let device = Device::cpu();
    let input = device.buffer_from(&[1, 2]).unwrap();
    let mut graph: TestGraph<'_, 3> =
        build(&device, two_steps(), nothing, vec![reads(&input), writes(device.zeros(2).unwrap())]).unwrap();
    let error = graph.view_mut::<i32>(0).unwrap_err().to_string();
    assert!(error.starts_with("buffer `input` cannot be written: it was bound through `&` or an `Arc`"), "{error}");
    let length = graph.view_mut::<i32>(1).unwrap().write_from(&[1]).unwrap_err().to_string();
    assert_eq!(length, "cannot copy from a slice of 1 elements: the buffer has 2");
    let element = graph.view::<f32>(1).to_vec().unwrap_err().to_string();
    assert_eq!(element, "a buffer of `i32` cannot be viewed as elements of `f32`");
}

#[test]
fn pinned_memory_is_read_when_its_launches_are_over() {
    let device = late();
    let mut block = Builder::new("Fetch");
    let x = block.parameter("x", Mode::Read, number(3));
    let seen = block.parameter("seen", Mode::Overwrite, number(3));
    block.copy("fetch", read(x), overwrite(seen));
    block.program().buffers[1].memory = Memory::Host;
    let x = device.buffer_from(&[7, 8, 9]).unwrap();
    let mut seen = device.pinned_zeros::<i32>(3).unwrap();
    let bound = graph_runtime::BindHostMut::bind(&mut seen);
    let mut graph: TestGraph<'_, 2> = build(&device, block.finish(), nothing, vec![reads(&x), bound]).unwrap();
    graph.launch().unwrap();
    std::mem::forget(graph);
    assert_eq!(seen.as_slice().unwrap(), [7, 8, 9]);
    seen.as_mut_slice().unwrap()[0] = 1;
    assert_eq!(seen.to_vec().unwrap(), [1, 8, 9]);
}

#[test]
fn a_failed_launch_is_reported_by_the_next_wait() {
    let device = late();
    let mut block = Builder::new("Late");
    let x = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "step", common::PANIC, &[update(x)], &[literal("1")]);
    let x = device.zeros(1).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, block.finish(), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    assert!(matches!(graph.synchronize().unwrap_err(), Error::Panicked(_)));
    graph.synchronize().unwrap();
}
