//! Memory stays flat over changes, builds and drops: what the device holds, and what lives on the heap.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

use graph_runtime::prelude::*;

/// The system's allocator, which counts the bytes that live.
struct Counting;

static LIVING: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVING.fetch_add(layout.size().cast_signed() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVING.fetch_sub(layout.size().cast_signed() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a test runner and a pool of threads may keep, far below one more graph for each hundredth change.
const SLACK: i64 = 64 << 10;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &out [f32; n], factor: f32, rounds: usize, part: usize, n: usize) {
        let t: [f32; n];
        static sum: [f32; 1] = 0.0;
        fill(&out t, factor);
        'scaled: kernel for i in 0..n { x[i] = x[i] * factor + t[i]; }
        while x[0] < factor limit 10 { kernel for i in 0..n { x[i] += 1.0; } }
        for _ in 0..rounds { kernel for i in 0..n { x[i] = x[i] * 0.5; } }
        fill(&out y, 0.0);
        copy(&x[..part], &out y[..part]);
        sum[0] += x[0];
        #[optional]
        'extra: sum[0] += factor;
    }
}

fn built(device: &Device, arena: Option<&Arena>, rounds: usize) -> Result<Steps<'static>> {
    let arguments = StepsArgs { x: device.zeros(16)?, y: device.zeros(16)?, factor: 1.0, rounds, part: 4, n: 16 };
    match arena {
        Some(arena) => arguments.build_in(arena, device),
        None => arguments.build(device),
    }
}

/// Every kind of change, most of which patch, some of which plan or build anew.
fn change(device: &Device, graph: &mut Steps<'static>, number: u16) -> Result<()> {
    graph.set_factor(f32::from(number % 7))?;
    match number % 20 {
        3 => graph.set_part(usize::from(number % 17))?,
        5 => drop(graph.rebind_x(device.zeros(16)?)?),
        8 => graph.disable(Steps::EXTRA)?,
        9 => graph.enable(Steps::EXTRA)?,
        11 => graph.set_rounds(usize::from(number % 3))?,
        13 => assert!(graph.set_part(17).is_err()),
        17 => drop(graph.update_from(built(device, None, 1)?)?.touched()),
        _ => {}
    }
    graph.launch()
}

/// One test: another one beside it would allocate too.
#[test]
fn ten_thousand_changes_and_a_thousand_builds_leave_nothing_behind() {
    let device = Device::cpu().threads(1).unwrap();
    let mut graph = built(&device, None, 2).unwrap();
    let changes = |graph: &mut Steps<'static>| (0..1000).try_for_each(|number| change(&device, graph, number)).unwrap();
    changes(&mut graph);
    let (held, living) = (device.held_memory(), LIVING.load(Ordering::Relaxed));
    assert!(held.device >= 3 * 16 * 4 && held.allocations >= 4, "{held:?}");
    (0..10).for_each(|_| changes(&mut graph));
    assert_eq!(device.held_memory(), held);
    let more = LIVING.load(Ordering::Relaxed) - living;
    assert!(more.abs() < SLACK, "{more} bytes more after 10,000 changes");

    let mut cache = Cache::new(&device, 3).unwrap();
    let mut builds = |times: usize| {
        for number in 0..times {
            let rounds = number % 4;
            let graph = cache.get_or_build(rounds, |arena| built(&device, Some(arena), rounds)).unwrap();
            graph.launch().unwrap();
        }
        (cache.figures().builds, device.held_memory(), LIVING.load(Ordering::Relaxed))
    };
    let (_, held, living) = builds(100);
    let (count, after, now) = builds(1000);
    assert_eq!((count, after), (1100, held), "one shape more than there is room for");
    assert!((now - living).abs() < SLACK, "{} bytes more after 1,000 builds", now - living);
}
