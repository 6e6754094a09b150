//! Attempts to break soundness from safe code: wrong types through hidden methods, sizes that overflow, panics in the wrong place.

mod common;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use common::{ADD, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{
    CpuLaunch, ElementLayout, KernelDeclaration, KernelSymbol, Mode, ModuleCode, ModuleSource, ParameterDeclaration,
    ParameterKind, Program, Sink, SourceLocation,
};
use graph_runtime::graph_ir::model::{Expression, HostValue, Memory, NodeKind, Program as Model, Test};
use graph_runtime::graph_ir::testing::{Builder, Head, number, overwrite, read, update};
use graph_runtime::prelude::*;
use graph_runtime::{BindHostMut, BindHostRead, Bound, Error, Graph, Pass, Planning};

fn nothing(_: &mut Sink) {}

/// `x[0] += by`
fn one(by: &str) -> Model {
    let mut block = Builder::new("One");
    let x = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "step", ADD, &[update(x)], &[literal(by), literal("1")]);
    block.finish()
}

#[test]
fn a_buffer_that_comes_back_is_read_as_what_it_is() {
    let device = Device::cpu();
    let x = device.buffer_from(&[1]).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, one("1"), nothing, vec![writes(x)]).unwrap();
    let old = graph.rebind::<[u64; 64]>(0, writes(device.buffer_from(&[5]).unwrap())).unwrap();
    let error = old.to_vec().unwrap_err().to_string();
    assert_eq!(error, "a buffer of `i32` cannot be viewed as elements of `[u64; 64]`");
    let [x] = graph.into_bindings();
    assert!(Bound::<'_, u64>::new(x).into_buffer().is_none());
}

/// A transient of `length` elements of which nothing is used, and a loop.
fn vast(length: u64) -> Model {
    let mut block = Builder::new("Vast");
    let x = block.parameter("x", Mode::Update, number(1));
    let vast = block.transient("vast", number(length));
    launch(&mut block, "corner", ADD, &[update(x)], &[literal("1"), literal("1")]);
    block.node("first", NodeKind::Fill { value: literal("0") }, &[overwrite(vast).range(0, 1)]);
    block.repeat(Head::forever(None).limit(number(2)), |block| {
        launch(block, "step", ADD, &[update(x)], &[literal("1"), literal("1")]);
    });
    block.finish()
}

#[test]
fn an_arena_larger_than_the_address_space_is_an_error() {
    // Nobody reads what the fill writes, so it would be left out.
    let device = Device::cpu().planned(Planning::default().without(Pass::Unread));
    for length in [1 << 62, u64::MAX / 4, u64::MAX] {
        let x = device.zeros(1).unwrap();
        let error = build::<2>(&device, vast(length), nothing, vec![writes(x)]).unwrap_err();
        assert!(matches!(error, Error::Buffer(_)), "{length}: {error}");
    }
    let x = device.zeros(1).unwrap();
    let mut graph = build::<2>(&device, vast(3), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [3]);
}

const HERE: SourceLocation = SourceLocation { file: "kernels.rs", line: 1, column: 1 };
static MODULE: ModuleSource =
    ModuleSource { name: "kernels", path: "kernels.ptx", code: ModuleCode::Ptx(""), location: HERE };

const fn buffer(name: &'static str, mode: Mode) -> ParameterDeclaration {
    let element = ElementLayout::of::<i32>;
    let kind = ParameterKind::Buffer { mode, element, length: "n", dimensions: 1, pitched: false };
    ParameterDeclaration { name, kind }
}

type Lengths = fn(&[&[u8]]) -> Result<Vec<u64>, String>;

const fn kernel(
    name: &'static str,
    parameters: &'static [ParameterDeclaration],
    lengths: Lengths,
    cpu: fn(&CpuLaunch<'_>),
) -> KernelDeclaration {
    KernelDeclaration {
        name,
        symbol: KernelSymbol::Name(name),
        module: &MODULE,
        parameters,
        lengths,
        block: None,
        requires: None,
        waits: false,
        waits_first: false,
        early: &[],
        effects: false,
        cpu: Some(cpu),
        location: HERE,
    }
}

/// `seen[0] = whether the address of the empty t is good`
const ADDRESS: u32 = 0;
/// Throws what panics again when it is dropped.
const BOMB: u32 = 1;

static KERNELS: [KernelDeclaration; 2] = [
    kernel("address", &[buffer("t", Mode::Update), buffer("seen", Mode::Overwrite)], |_| Ok(vec![0, 1]), address),
    kernel("bomb", &[buffer("seen", Mode::Overwrite)], |_| Ok(vec![1]), bomb),
];

#[inline(never)]
fn good(address: usize) -> bool {
    std::hint::black_box(address) != 0 && address.is_multiple_of(align_of::<i32>())
}

fn address(launch: &CpuLaunch<'_>) {
    // SAFETY: as declared in `KERNELS`.
    let (t, mut seen) = unsafe { (launch.update::<i32>(0), launch.out::<i32>(1)) };
    seen[0] = i32::from(good(t.as_ptr() as usize) && t.is_empty());
}

struct Bomb;

impl Drop for Bomb {
    #[expect(clippy::panic, reason = "that is what it is for")]
    fn drop(&mut self) {
        panic!("and again");
    }
}

#[expect(clippy::panic, reason = "that is what it is for")]
fn bomb(_: &CpuLaunch<'_>) {
    std::panic::panic_any(Bomb);
}

thread_local! {
    /// After how many calls `elements` panics.
    static FUSE: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// A program of two buffers of `i32` and the kernels above.
enum Own {}

// SAFETY: the CPU functions above touch what their declarations say.
unsafe impl Program for Own {
    type Values = i32;
    const DATA: &'static [u8] = &[];

    fn elements() -> Vec<ElementLayout> {
        let left = FUSE.get();
        assert!(left > 0, "the fuse is burnt");
        FUSE.set(left - 1);
        vec![ElementLayout::of::<i32>(); 2]
    }

    fn kernels() -> Vec<&'static KernelDeclaration> {
        KERNELS.iter().collect()
    }

    fn evaluate(values: &i32, sink: &mut Sink) {
        sink.value(0, *values);
    }
}

type OwnGraph<'g> = Graph<'g, Own>;

fn own<'g>(
    device: &Device,
    model: Model,
    bindings: Vec<graph_runtime::__private::Binding<'g>>,
) -> Result<OwnGraph<'g>> {
    // SAFETY: the builder makes whole accesses of whole buffers, and the tests name transients in their scope.
    unsafe { Graph::build_model(device, model, 7, bindings) }
}

#[test]
fn an_empty_transient_has_an_address() {
    let mut block = Builder::new("Empty");
    let seen = block.parameter("seen", Mode::Overwrite, number(1));
    let t = block.transient("t", number(0));
    launch(&mut block, "look", ADDRESS, &[update(t), overwrite(seen)], &[]);
    let device = Device::cpu();
    let mut graph = own(&device, block.finish(), vec![writes(device.zeros(1).unwrap())]).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [1]);
}

/// Runs `test` in a thread and fails if it hangs: a test of nothing but that.
#[expect(clippy::panic, clippy::unwrap_used, reason = "a part of tests")]
fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, end) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        test();
        done.send(()).unwrap();
    });
    match end.recv_timeout(Duration::from_secs(60)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        _ => thread.join().unwrap(),
    }
}

#[test]
fn a_panic_whose_payload_panics_is_an_error_and_nobody_hangs() {
    in_time(|| {
        for device in [Device::cpu(), Device::cpu().deferred(), Device::cpu().shuffled(3)] {
            let mut block = Builder::new("Bomb");
            let seen = block.parameter("seen", Mode::Overwrite, number(1));
            let _second = block.transient("t", number(1));
            launch(&mut block, "bomb", BOMB, &[overwrite(seen)], &[]);
            let mut graph = own(&device, block.finish(), vec![writes(device.zeros(1).unwrap())]).unwrap();
            let launched = graph.launch().and_then(|()| graph.synchronize());
            assert!(matches!(launched.unwrap_err(), Error::Panicked(_)));
            graph.synchronize().unwrap();
        }
    });
}

/// `x = value`, where `value` is 7 at first.
fn filled() -> Model {
    let mut block = Builder::new("Filled");
    let x = block.parameter("x", Mode::Overwrite, number(1));
    let value = HostValue::Symbol(block.symbol_id("value"));
    let _unused = block.transient("t", number(1));
    block.node("fill", NodeKind::Fill { value }, &[overwrite(x)]);
    block.finish()
}

#[test]
fn a_change_that_panics_half_way_leaves_a_graph_that_is_not_launched() {
    for calls in [0, 1] {
        let device = Device::cpu().deferred();
        FUSE.set(u32::MAX);
        let mut graph = own(&device, filled(), vec![writes(device.zeros(1).unwrap())]).unwrap();
        graph.launch().unwrap();
        let other = device.buffer_from(&[1]).unwrap();
        FUSE.set(calls);
        let rebound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| graph.rebind::<i32>(0, writes(other))));
        FUSE.set(u32::MAX);
        if let Ok(rebound) = rebound {
            rebound.unwrap();
            graph.launch().unwrap();
            continue;
        }
        let error = graph.launch().unwrap_err().to_string();
        assert!(error.contains("`Filled` cannot run") && error.contains("build it anew"), "{error}");
        assert!(graph.run_eager().is_err() && graph.set_values("value", |value| *value = 9).is_err());
        let [x] = graph.into_bindings();
        Bound::<'_, i32>::new(x).to_vec().unwrap();
    }
}

#[test]
fn a_value_of_another_type_is_refused() {
    let device = Device::cpu();
    let mut block = Builder::new("Typed");
    let x = block.parameter("x", Mode::Update, number(1));
    let by = HostValue::Symbol(block.symbol_id("by"));
    launch(&mut block, "step", ADD, &[update(x)], &[by, literal("1")]);
    let evaluate = |sink: &mut Sink| sink.value(0, 0.5_f32);
    let x = device.zeros(1).unwrap();
    let error = build::<1>(&device, block.finish(), evaluate, vec![writes(x)]).unwrap_err().to_string();
    assert!(error.contains("`by` is `f32` where `i32` is expected"), "{error}");
}

#[test]
fn elements_without_size_are_slices_all_the_same() {
    let device = Device::cpu();
    let mut pinned = device.pinned_zeros::<[u64; 0]>(5).unwrap();
    assert_eq!(pinned.as_slice().unwrap().len(), 5);
    assert_eq!(pinned.as_mut_slice().unwrap().len(), 5);
    assert_eq!(device.zeros::<[u64; 0]>(3).unwrap().to_vec().unwrap().len(), 3);
    assert_eq!(device.pinned_zeros::<u64>(0).unwrap().as_mut_slice().unwrap(), [] as [u64; 0]);
    assert!(device.zeros::<u64>(usize::MAX / 4).is_err(), "larger than the address space");
    assert!(device.zeros::<u8>(usize::MAX >> 2).is_err(), "larger than memory");
}

#[test]
fn pinned_memory_that_is_given_away_in_flight_stays() {
    let device = Device::cpu().deferred();
    let mut block = Builder::new("Fetch");
    let x = block.parameter("x", Mode::Read, number(2));
    let seen = block.parameter("seen", Mode::Overwrite, number(2));
    block.copy("fetch", read(x), overwrite(seen));
    for buffer in &mut block.program().buffers {
        buffer.memory = Memory::Host;
    }
    let x = Arc::new(device.pinned_from(&[7, 8]).unwrap());
    let mut seen = device.pinned_zeros::<i32>(2).unwrap();
    let bindings = vec![BindHostRead::bind(Arc::clone(&x)), BindHostMut::bind(&mut seen)];
    let mut graph: TestGraph<'_, 2> = build(&device, block.finish(), nothing, bindings).unwrap();
    graph.launch().unwrap();
    drop(graph);
    let mut x = Arc::into_inner(x).unwrap();
    x.as_mut_slice().unwrap().fill(0);
    drop(x);
    assert_eq!(seen.as_slice().unwrap(), [7, 8], "the host wrote the input once the launch had read it");
}

/// `x`, broken by a launch that panics; then read; then written.
fn broken_read_written(device: &Device) -> Result<(Buffer<i32>, TestGraph<'static, 1>)> {
    let mut x = device.buffer_from(&[3])?;
    let mut seen = device.zeros(1)?;
    let mut block = Builder::new("Broken");
    let broken = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "panic", common::PANIC, &[update(broken)], &[literal("1")]);
    let mut broken: TestGraph<'_, 1> = build(device, block.finish(), nothing, vec![writes(&mut x)])?;
    broken.launch()?;
    let mut block = Builder::new("Copy");
    let [from, to] = [("from", Mode::Read), ("to", Mode::Overwrite)].map(|(n, m)| block.parameter(n, m, number(1)));
    block.copy("copy", read(from), overwrite(to));
    let bindings = vec![reads(&x), writes(&mut seen)];
    let mut copy: TestGraph<'_, 2> = build(device, block.finish(), nothing, bindings)?;
    copy.launch()?;
    let mut add: TestGraph<'static, 1> = build(device, one("1"), nothing, vec![writes(x)])?;
    add.launch()?;
    Ok((seen, add))
}

#[test]
fn behind_a_launch_that_failed_everything_else_is_waited_for() {
    let device = Device::cpu().deferred();
    let (seen, add) = broken_read_written(&device).unwrap();
    assert!(matches!(add.synchronize().unwrap_err(), Error::Panicked(_)));
    assert_eq!(seen.to_vec().unwrap(), [3], "the copy read `x` before it was written");
    assert_eq!(add.view::<i32>(0).to_vec().unwrap(), [4]);
}

#[test]
fn two_graphs_read_one_shared_buffer_on_two_threads() {
    let device = Device::cpu();
    let shared = Arc::new(device.buffer_from(&[3]).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut block = Builder::new("Copy");
                let from = block.parameter("from", Mode::Read, number(1));
                let to = block.parameter("to", Mode::Overwrite, number(1));
                block.copy("copy", read(from), overwrite(to));
                let bindings = vec![reads(Arc::clone(&shared)), writes(device.zeros(1).unwrap())];
                let mut graph: TestGraph<'_, 2> = build(&device, block.finish(), nothing, bindings).unwrap();
                for _ in 0..100 {
                    graph.launch().unwrap();
                }
                assert_eq!(graph.view::<i32>(1).to_vec().unwrap(), [3]);
            });
        }
    });
    assert_eq!(Arc::into_inner(shared).unwrap().to_vec().unwrap(), [3]);
}

#[cuda_module("src/errors/kernels.cu")]
unsafe mod kernels {
    pub fn scale(x: &mut [f32; n], by: f32, n: u32) {
        assert_eq!(x.len(), n as usize);
        for x in x {
            *x *= by;
        }
    }
    pub fn add(a: &[f32; n], b: &[f32; n], mut sum: Out<[f32; n]>, n: u32) {
        let _ = n;
        sum.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum = a + b);
    }
}

cuda_graph! {
    /// Scales the first `k` elements by way of a transient of `k` elements; adds `x[at]` to itself.
    graph Setters(x: &mut [f32; n], k: usize, at: usize) {
        let t: [f32; k];
        copy(&x[..k], &out t);
        kernels::scale<<<1, 256>>>(&mut t, 2.0, k as u32);
        copy(&t, &out x[..k]);
        x[at] = x[at] + 100.0;
    }
}

cuda_graph! {
    graph Halves(x: &mut [f32; n], at: usize, k: usize) {
        kernels::add<<<1, 256>>>(&x[..k], &x[..k], &out x[at..at + k], k as u32);
    }
}

#[test]
fn setters_of_what_lengths_and_ranges_depend_on_are_checked_and_change_all() {
    for device in [Device::cpu(), Device::cpu().deferred(), Device::cpu().shuffled(11)] {
        let x = device.buffer_from(&[1.0_f32; 64]).unwrap();
        let mut graph = SettersArgs { x, k: 1, at: 0 }.build(&device).unwrap();
        graph.launch().unwrap();
        graph.set_k(64).unwrap();
        graph.set_at(63).unwrap();
        graph.launch().unwrap();
        for wrong in [65, usize::MAX, usize::MAX / 4, 1 << 62] {
            let error = graph.set_k(wrong).unwrap_err();
            assert!(matches!(error, Error::Refused(_) | Error::Buffer(_)), "{wrong}: {error}");
            assert!(matches!(graph.set_at(wrong).unwrap_err(), Error::Refused(_) | Error::Panicked(_)), "{wrong}");
        }
        graph.set_k(0).unwrap();
        graph.launch().unwrap();
        let x = graph.into_parts().x.to_vec().unwrap();
        assert_eq!([x[0], x[1], x[63]].map(f32::to_bits), [204.0_f32, 2.0, 202.0].map(f32::to_bits));
    }
}

#[test]
fn arguments_that_begin_to_overlap_are_refused() {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f32; 8]).unwrap();
    let mut graph = HalvesArgs { x, at: 4, k: 4 }.build(&device).unwrap();
    graph.launch().unwrap();
    for wrong in [0, 3, 5] {
        assert!(matches!(graph.set_at(wrong).unwrap_err(), Error::Refused(_)), "{wrong}");
    }
    assert!(matches!(graph.set_k(5).unwrap_err(), Error::Refused(_)));
    graph.launch().unwrap();
    assert_eq!(graph.x().to_vec().unwrap(), [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]);
}

#[test]
fn a_label_of_another_graph_is_no_address() {
    let device = Device::cpu();
    let x = device.zeros(1).unwrap();
    let graph = build::<2>(&device, vast(3), nothing, vec![writes(x)]).unwrap();
    for node in [0, 1, 3, 4, 1000, u32::MAX] {
        assert!(graph.iterations(Label::new(node)).is_err(), "{node}");
    }
    assert_eq!(graph.iterations(Label::new(2)).unwrap(), 0);
}

/// A loop that a device value ends, whose body panics: the loop ends too.
#[test]
fn a_panic_ends_the_loop_around_it() {
    in_time(|| {
        let device = Device::cpu();
        let mut block = Builder::new("Endless");
        let x = block.parameter("x", Mode::Update, number(1));
        block.repeat(Head::forever(Some(&[read(x).range(0, 1)])), |block| {
            launch(block, "step", common::PANIC, &[update(x)], &[literal("1")]);
        });
        for node in &mut block.program().nodes {
            if let NodeKind::Loop(head) = &mut node.kind
                && let Some(Test { value, .. }) = &mut head.test
            {
                *value = Expression::Boolean(true);
            }
        }
        let evaluate = |sink: &mut Sink| sink.scalar(0, |_| true);
        let x = device.zeros(1).unwrap();
        let mut graph = build::<1>(&device, block.finish(), evaluate, vec![writes(x)]).unwrap();
        assert!(matches!(graph.launch().unwrap_err(), Error::Panicked(_)));
    });
}
