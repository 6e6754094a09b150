//! The CPU device from several threads, which `cargo xtask races` runs under a sanitizer for threads. What may be shared between threads, and
//! what may not, is said at the end.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use common::{ADD, TALLY, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::PlanView;
use graph_runtime::graph_ir::testing::{Builder, atomic, number, read, update};
use graph_runtime::prelude::*;
use rayon::prelude::*;

const N: usize = 3000;

cuda_graph! {
    /// Four branches, which are joined; then a loop.
    graph Wide(x: &mut [u32; n], by: u32, passes: usize) {
        let a: [u32; n];
        let b: [u32; n];
        let c: [u32; n];
        let d: [u32; n];
        let sum: [u32; 2];
        kernel for i in 0..n { a[i] = x[i] + by; }
        kernel for i in 0..n { b[i] = x[i] + 2 * by; }
        kernel for i in 0..n { c[i] = x[i] + 3 * by; }
        copy(&x, &out d);
        sum[0] = (0..n).map(|i| x[i]).sum();
        kernel for i in 0..n { x[i] = a[i] + b[i] + c[i] - 2 * d[i] - 6 * by + by; }
        sum[1] = 0;
        'turns: loop limit passes {
            kernel for i in 0..n { x[i] += 1; }
            sum[1] += 1;
            if sum[1] >= 2 { break; }
        }
    }

    graph Counting(stop: &mailbox [u32; 1], seen: &mut mailbox [u64; 1], turns: &out [u64; 1]) {
        turns[0] = 0;
        'turns: while stop[0] == 0 limit 1 << 30 {
            turns[0] += 1;
            seen[0] = turns[0];
        }
    }

    graph Called(a: &mut host [u32; 1], b: &mut host [u32; 1], calls: &AtomicU32, log: &mut Vec<u32>) {
        host(&mut a, &calls, |a, calls| { calls.fetch_add(1, Ordering::Relaxed); a[0] += 1; });
        host(&mut b, &mut log, |b, log| { log.push(b[0]); b[0] += 1; });
        host(&a, &b, &mut log, |a, b, log| log.push(100 * a[0] + b[0]));
    }
}

fn devices() -> [Device; 3] {
    let side_by_side = Device::cpu().threads(4).unwrap();
    [side_by_side.clone(), side_by_side.deferred(), Device::cpu().shuffled(5)]
}

/// What one launch of `Wide` makes of an element.
fn widened(x: u32, by: u32) -> u32 {
    x + by + 2
}

#[test]
fn nodes_side_by_side() {
    for device in devices() {
        let x = device.buffer_from(&vec![7_u32; N]).unwrap();
        let mut graph = WideArgs { x, by: 10, passes: 5 }.build(&device).unwrap();
        for _ in 0..30 {
            graph.launch().unwrap();
        }
        let expected = (0..30).fold(7, |x, _| widened(x, 10));
        assert_eq!(graph.x().to_vec().unwrap(), vec![expected; N], "{device:?}");
    }
}

#[test]
fn one_graph_is_launched_by_threads_in_turn() {
    for device in devices() {
        let x = device.buffer_from(&[0_u32; 64]).unwrap();
        let graph = Mutex::new(WideArgs { x, by: 1, passes: 9 }.build(&device).unwrap());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| graph.lock().unwrap().launch().unwrap()));
            }
        });
        assert_eq!(graph.into_inner().unwrap().x().to_vec().unwrap(), [40 * 3; 64]);
    }
}

/// Nobody knows which of them runs the launch: each waits for it.
#[test]
fn threads_wait_for_one_launch_of_a_graph_that_is_gone() {
    for (device, leaked) in devices().into_iter().flat_map(|device| [(device.clone(), true), (device, false)]) {
        let mut x = device.buffer_from(&vec![1_u32; N]).unwrap();
        let mut graph = WideArgs { x: &mut x, by: 4, passes: 9 }.build(&device).unwrap();
        graph.launch().unwrap();
        let tickets = [graph.ticket(), graph.ticket()];
        if leaked {
            std::mem::forget(graph);
        } else {
            drop(graph);
        }
        thread::scope(|scope| {
            tickets.into_iter().for_each(|ticket| _ = scope.spawn(|| ticket.wait().unwrap()));
            for _ in 0..2 {
                scope.spawn(|| assert_eq!(x.to_vec().unwrap(), vec![widened(1, 4); N]));
            }
        });
        x.write_from(&vec![0; N]).unwrap();
        assert_eq!(x.to_vec().unwrap(), vec![0; N]);
    }
}

#[test]
fn a_buffer_is_dropped_on_one_thread_while_its_launch_runs_on_another() {
    for device in devices() {
        for _ in 0..10 {
            let input = Arc::new(device.buffer_from(&[3; 64]).unwrap());
            let mut block = Builder::new("Add");
            let from = block.parameter("from", Mode::Read, number(64));
            let total = block.parameter("total", Mode::Update, number(64));
            launch(&mut block, "tally", TALLY, &[read(from), atomic(total)], &[literal("64")]);
            let bindings = vec![reads(Arc::clone(&input)), writes(device.zeros(64).unwrap())];
            let mut graph: TestGraph<'static, 2> = build(&device, block.finish(), nothing, bindings).unwrap();
            graph.launch().unwrap();
            let ticket = graph.ticket();
            thread::scope(|scope| {
                scope.spawn(|| ticket.wait().unwrap());
                scope.spawn(|| drop((graph, input)));
            });
        }
    }
}

fn nothing(_: &mut Sink) {}

/// 32 nodes that no edge orders, in threads that are really there.
#[test]
fn atomic_updates_of_many_nodes_all_count() {
    for device in devices() {
        let mut block = Builder::new("Tallies");
        let from = block.parameter("from", Mode::Read, number(64));
        let total = block.parameter("total", Mode::Update, number(64));
        for _ in 0..32 {
            launch(&mut block, "tally", TALLY, &[read(from), atomic(total)], &[literal("64")]);
        }
        launch(&mut block, "then", ADD, &[update(total)], &[literal("1"), literal("64")]);
        let bindings = vec![reads(device.buffer_from(&[2; 64]).unwrap()), writes(device.zeros(64).unwrap())];
        let mut graph: TestGraph<'_, 2> = build(&device, block.finish(), nothing, bindings).unwrap();
        graph.launch().unwrap();
        graph.launch().unwrap();
        let total = graph.view::<i32>(1).to_vec().unwrap();
        assert_eq!(total[..2], [2 * (32 * 64 * 2 + 1), 2]);
    }
}

#[test]
fn graphs_on_threads_write_one_buffer_in_turn() {
    for device in devices() {
        let shared = Shared::new(device.buffer_from(&vec![0_u32; N]).unwrap());
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut graph = WideArgs { x: &shared, by: 1, passes: 9 }.build(&device).unwrap();
                    for _ in 0..6 {
                        graph.launch().unwrap();
                    }
                    assert_eq!(shared.to_vec().unwrap()[1] % 3, 0, "between launches");
                });
            }
        });
        assert_eq!(shared.to_vec().unwrap(), vec![3 * 6 * 3; N]);
    }
}

/// Rayon's threads take other work while they wait: here a launch that waits for the one that waits.
#[test]
fn graphs_that_share_are_launched_by_threads_of_a_pool() {
    let (done, end) = std::sync::mpsc::channel();
    let pooled = thread::spawn(move || {
        for device in devices() {
            let shared = Shared::new(device.buffer_from(&vec![0_u32; N]).unwrap());
            (0..8).into_par_iter().for_each(|_| {
                let mut graph = WideArgs { x: &shared, by: 1, passes: 9 }.build(&device).unwrap();
                (0..10).for_each(|_| graph.launch().unwrap());
            });
            assert_eq!(shared.to_vec().unwrap(), vec![8 * 10 * 3; N]);
        }
        done.send(()).unwrap();
    });
    let ended = end.recv_timeout(Duration::from_secs(120));
    assert_ne!(ended, Err(RecvTimeoutError::Timeout), "it hangs");
    pooled.join().unwrap();
}

#[test]
fn a_loop_is_watched_and_ended_by_another_thread() {
    for device in devices() {
        let (stop, seen) = (device.mailbox(&[0_u32]).unwrap(), device.mailbox(&[0_u64]).unwrap());
        let turns = device.zeros::<u64>(1).unwrap();
        let mut graph = CountingArgs { stop: &stop, seen: &seen, turns }.build(&device).unwrap();
        graph.launch_while(|| {
            while seen.get(0).unwrap() < 50 {
                thread::yield_now();
            }
            stop.set(0, 1).unwrap();
        });
        let turns = graph.turns().to_vec().unwrap()[0];
        assert!(turns >= 50 && graph.iterations(Counting::TURNS).unwrap() == turns);
        assert_eq!(seen.get(0).unwrap(), turns);
    }
}

/// Runs a graph to its end beside something else.
trait LaunchWhile {
    fn launch_while(&mut self, beside: impl FnOnce() + Send);
}

impl LaunchWhile for Counting<'_> {
    fn launch_while(&mut self, beside: impl FnOnce() + Send) {
        thread::scope(|scope| {
            let beside = scope.spawn(beside);
            self.launch().and_then(|()| self.synchronize()).unwrap();
            beside.join().unwrap();
        });
    }
}

#[test]
fn callbacks_run_side_by_side_and_one_at_a_time_with_an_object() {
    for device in devices() {
        let calls = Arc::new(AtomicU32::new(0));
        let [a, b] = [1, 5].map(|first| device.pinned_from(&[first]).unwrap());
        let mut graph = CalledArgs { a, b, calls: Arc::clone(&calls), log: Vec::new() }.build(&device).unwrap();
        graph.launch().unwrap();
        graph.launch().unwrap();
        let parts = graph.into_parts();
        assert_eq!(parts.log.into_inner().unwrap(), [5, 206, 6, 307]);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}

#[test]
fn replicas_are_awaited_by_threads() {
    for device in devices() {
        let build = |k: usize| WideArgs { x: device.buffer_from(&vec![k as u32; N])?, by: 1, passes: 9 }.build(&device);
        let mut replicas = Replicas::build(3, build).unwrap();
        let mut tickets = Vec::new();
        for _ in 0..9 {
            let (_, graph) = replicas.turn();
            graph.launch().unwrap();
            tickets.push(graph.ticket());
        }
        let awaited: Vec<_> = tickets.into_iter().map(|ticket| thread::spawn(|| pollster::block_on(ticket))).collect();
        awaited.into_iter().for_each(|thread| thread.join().unwrap().unwrap());
        for (k, graph) in replicas.iter().enumerate() {
            assert_eq!(graph.x().to_vec().unwrap(), vec![k as u32 + 9; N]);
        }
    }
}

/// Does not compile for a type that has the trait: then there are two candidates.
macro_rules! lacks {
    ($marker:ident: $($ty:ty),* $(,)?) => {
        $({
            trait Lacks<Which> {
                fn it() {}
            }
            impl<T: ?Sized> Lacks<()> for T {}
            struct Has;
            impl<T: ?Sized + $marker> Lacks<Has> for T {}
            <$ty as Lacks<_>>::it();
        })*
    };
}

/// Whoever talks to the driver about a graph has it alone, so graphs go from thread to thread and are not shared; what only waits, reads
/// or counts is. What a captured call is given stays in the closure.
#[test]
fn graphs_are_sent_and_what_only_waits_is_shared() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Device>();
    shared::<Arena>();
    shared::<Event>();
    shared::<Ticket>();
    shared::<(Buffer<f32>, PinnedBuffer<f32>, Shared<f32>, Mailbox<f32>)>();
    shared::<(Slice<'static, f32>, SliceMut<'static, f32>)>();
    shared::<PlanView>();
    shared::<Error>();
    sent::<(Wide<'static>, Counting<'static>, Called<'static>)>();
    sent::<Replicas<Wide<'static>>>();
    lacks!(Sync: Wide<'static>, Counting<'static>, Called<'static>, Replicas<Wide<'static>>);
    lacks!(Sync: CaptureStream, DeviceView<'static, f32>);
    lacks!(Send: DeviceView<'static, f32>, DeviceViewMut<'static, f32>);
}
