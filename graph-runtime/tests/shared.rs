//! Memory that several graphs write, and arenas that several graphs use: against a device that finishes late, and from threads.

mod common;

use common::{ADD, Evaluate, MULTIPLY, SHIFT, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::graph_ir::model::Program as Model;
use graph_runtime::graph_ir::testing::{Builder, number, overwrite, read, update};
use graph_runtime::{Arena, Bound, Device, Graph, Result, Shared};

fn nothing(_: &mut Sink) {}

fn late() -> Device {
    Device::cpu().deferred()
}

/// `x[0] op= by`
fn one(kernel: u32, by: &str) -> Model {
    let mut block = Builder::new("One");
    let x = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "step", kernel, &[update(x)], &[literal(by), literal("1")]);
    block.finish()
}

/// `out = input + 1`
fn shift() -> Model {
    let mut block = Builder::new("Shift");
    let input = block.parameter("input", Mode::Read, number(1));
    let out = block.parameter("out", Mode::Overwrite, number(1));
    launch(&mut block, "shift", SHIFT, &[read(input), overwrite(out)], &[literal("1"), literal("1")]);
    block.finish()
}

#[test]
fn launches_of_two_graphs_run_in_the_order_in_which_they_were_made() {
    let device = late();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let mut add: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&shared)]).unwrap();
    let mut multiply: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "3"), nothing, vec![writes(&shared)]).unwrap();
    add.launch().unwrap();
    multiply.launch().unwrap();
    multiply.launch().unwrap();
    add.launch().unwrap();
    multiply.launch().unwrap();
    assert_eq!(shared.to_vec().unwrap(), [((1 + 2) * 9 + 2) * 3]);
    add.launch().unwrap();
    assert_eq!(multiply.view::<i32>(0).to_vec().unwrap(), [89], "a view of one graph waits for the other");
    multiply.run_eager().unwrap();
    assert_eq!(shared.to_vec().unwrap(), [267]);
}

#[test]
fn the_host_takes_its_turn() {
    let device = late();
    let shared: Shared<i32> = device.buffer_from(&[1]).unwrap().into();
    let mut add: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&shared)]).unwrap();
    let mut multiply: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "3"), nothing, vec![writes(&shared)]).unwrap();
    add.launch().unwrap();
    shared.write_from(&[10]).unwrap();
    multiply.launch().unwrap();
    add.view_mut::<i32>(0).unwrap().write_from(&[7]).unwrap();
    add.launch().unwrap();
    assert_eq!(shared.clone().to_vec().unwrap(), [9]);
}

#[test]
fn what_one_writes_another_reads() {
    let device = late();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let mut out = device.zeros(1).unwrap();
    let mut add: TestGraph<'_, 1> = build(&device, one(ADD, "10"), nothing, vec![writes(shared.clone())]).unwrap();
    let mut reader: TestGraph<'_, 2> =
        build(&device, shift(), nothing, vec![reads(&shared), writes(&mut out)]).unwrap();
    add.launch().unwrap();
    reader.launch().unwrap();
    add.launch().unwrap();
    assert_eq!(reader.view::<i32>(1).to_vec().unwrap(), [12], "the second addition waits for the reader");
    assert_eq!(shared.to_vec().unwrap(), [21]);
}

#[test]
fn leaked_and_dropped_graphs_are_waited_for() {
    let device = late();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let mut multiply: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "3"), nothing, vec![writes(&shared)]).unwrap();
    let mut leaked: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&shared)]).unwrap();
    let mut dropped: TestGraph<'_, 1> = build(&device, one(ADD, "5"), nothing, vec![writes(&shared)]).unwrap();
    leaked.launch().unwrap();
    multiply.launch().unwrap();
    dropped.launch().unwrap();
    drop(dropped);
    std::mem::forget(leaked);
    multiply.launch().unwrap();
    drop(multiply);
    let shared = shared.into_buffer().unwrap_err();
    assert_eq!(shared.to_vec().unwrap(), [(3 * 3 + 5) * 3]);
}

#[test]
fn the_last_handle_gives_the_buffer_back() {
    let device = late();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let mut add: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&shared)]).unwrap();
    add.launch().unwrap();
    let shared = shared.into_buffer().unwrap_err();
    drop(add);
    let mut buffer = shared.into_buffer().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [3]);
    buffer.write_from(&[4]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [4]);
}

#[test]
fn one_shared_buffer_twice_in_a_graph_is_refused_if_it_is_written() {
    let device = Device::cpu();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let refused = build::<2>(&device, shift(), nothing, vec![reads(&shared), writes(&shared)]).unwrap_err().to_string();
    assert!(refused.contains("`input` and `out` are bound to one buffer, and it is written [CG0202]"), "{refused}");
}

#[test]
fn a_rebind_takes_a_graph_out_of_the_turns_and_back() {
    let device = late();
    let shared = Shared::new(device.buffer_from(&[1]).unwrap());
    let mut add: TestGraph<'_, 1> = build(&device, one(ADD, "2"), nothing, vec![writes(&shared)]).unwrap();
    let mut multiply: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "3"), nothing, vec![writes(&shared)]).unwrap();
    add.launch().unwrap();
    drop(add.rebind::<i32>(0, writes(device.buffer_from(&[100]).unwrap())).unwrap());
    add.launch().unwrap();
    multiply.launch().unwrap();
    let own: Bound<'_, i32> = add.rebind(0, writes(&shared)).unwrap();
    add.launch().unwrap();
    assert_eq!(own.to_vec().unwrap(), [102]);
    assert_eq!(shared.to_vec().unwrap(), [11]);
}

#[test]
fn threads_take_turns() {
    for device in [Device::cpu(), late()] {
        let shared = Shared::new(device.buffer_from(&[0]).unwrap());
        let other = Shared::new(device.buffer_from(&[0]).unwrap());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (device, shared, other) = (device.clone(), shared.clone(), other.clone());
                scope.spawn(move || {
                    let handles = if thread % 2 == 0 { [&shared, &other] } else { [&other, &shared] };
                    let graph = |by| build::<1>(&device, one(ADD, by), nothing, vec![writes(handles[0])]).unwrap();
                    let [mut first, mut second] = ["1", "2"].map(graph);
                    for pass in 0..50 {
                        first.launch().unwrap();
                        second.launch().unwrap();
                        if pass % 16 == thread {
                            handles[1].to_vec().unwrap();
                        }
                    }
                });
            }
        });
        assert_eq!((shared.to_vec().unwrap(), other.to_vec().unwrap()), (vec![300], vec![300]));
    }
}

/// `out = input + 1 + … + 1`, by way of `steps` transients of `length` elements, of which the first is used.
fn chain(name: &str, length: u64, steps: usize) -> Model {
    let mut block = Builder::new(name);
    let input = block.parameter("input", Mode::Read, number(length));
    let out = block.parameter("out", Mode::Overwrite, number(length));
    let mut from = input;
    for step in 0..steps {
        let to = block.transient(&format!("t{step}"), number(length));
        let values = [literal("1"), literal(&length.to_string())];
        launch(&mut block, "shift", SHIFT, &[read(from), overwrite(to)], &values);
        from = to;
    }
    launch(&mut block, "shift", SHIFT, &[read(from), overwrite(out)], &[literal("1"), literal(&length.to_string())]);
    block.finish()
}

fn chain_in<'g, const BUFFERS: usize>(
    arena: &Arena,
    device: &Device,
    length: usize,
    value: i32,
) -> Result<TestGraph<'g, BUFFERS>> {
    let (input, out) = (device.buffer_from(&vec![value; length])?, device.zeros(length)?);
    let values: Evaluate = std::sync::Arc::new(nothing);
    let model = chain("Chain", length as u64, BUFFERS - 2);
    // SAFETY: the builder makes whole accesses of whole buffers, and transients are named in their scope.
    unsafe { Graph::build_model_in(arena, device, model, values, vec![reads(input), writes(out)]) }
}

#[test]
fn graphs_of_an_arena_need_the_memory_of_the_largest() {
    let device = late();
    let arena = device.arena();
    assert_eq!((arena.bytes(), arena.host_bytes()), (0, 0));
    let mut small: TestGraph<'_, 3> = chain_in(&arena, &device, 64, 1).unwrap();
    assert_eq!(arena.bytes(), 256);
    small.launch().unwrap();
    let mut large: TestGraph<'_, 5> = chain_in(&arena, &device, 1000, 10).unwrap();
    assert_eq!(arena.bytes(), 2 * 4096, "three transients of 4000 bytes, of which two are needed at once");
    assert_eq!((small.memory().arena, small.memory().transients), (256, 256), "it moves when it is launched");
    for _ in 0..2 {
        large.launch().unwrap();
        small.launch().unwrap();
    }
    assert_eq!(small.view::<i32>(1).to_vec().unwrap(), [3; 64]);
    assert_eq!(large.view::<i32>(1).to_vec().unwrap(), [14; 1000]);
    assert_eq!((small.memory().arena, small.memory().transients), (2 * 4096, 256));
    drop(large);
    small.run_eager().unwrap();
    assert_eq!(small.view::<i32>(1).to_vec().unwrap(), [3; 64]);
}

#[test]
fn threads_share_an_arena() {
    for device in [Device::cpu(), late()] {
        let arena = device.arena();
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (device, arena) = (device.clone(), arena.clone());
                scope.spawn(move || {
                    let length = 100 * (thread + 1);
                    let mut graph: TestGraph<'_, 4> = chain_in(&arena, &device, length, 5).unwrap();
                    for _ in 0..20 {
                        graph.launch().unwrap();
                    }
                    assert_eq!(graph.view::<i32>(1).to_vec().unwrap(), vec![8; length]);
                });
            }
        });
        assert_eq!(arena.bytes(), 2 * 1792, "two transients of 1600 bytes, each at a multiple of 256");
    }
}
