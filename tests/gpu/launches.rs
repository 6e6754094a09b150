//! Launches behind launches: order, freshness, counters, values that change, and the first launch apart from later ones.

use std::time::Duration;

use graph_runtime::Result;
use graph_runtime::prelude::*;
use tests::kernels::{basic, late};
use tests::pipelines::ALL;

use crate::graphs::{AddArgs, N};

const POISON: u32 = 0xdead_beef;

cuda_graph! {
    graph Copied(from: &[f32; n], to: &out [f32; n]) {
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&from, &out to, 1.0, n as u32);
    }

    /// A copy between kernels, with a copy to the host beside it.
    graph Staged(a: &mut [u32; n], b: &out [u32; n], seen: &out host [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut a, n as u32);
        copy(&a, &out b);
        late::add<<<n.div_ceil(256), 256>>>(&mut b, 10, 0, n as u32);
        copy(&b, &out seen);
    }

    /// A loop that may not be reached.
    graph Guarded(x: &mut [u32; 1], go: &mut [u32; 1], y: &mut [u32; 1]) {
        'outer: while go[0] > 1 {
            go[0] -= 1;
            y[0] += 100;
        }
        if go[0] > 0 {
            'inner: while x[0] != 0 limit 5 {
                x[0] -= 1;
                y[0] += 1;
            }
        }
    }

    /// Host values in kernels, limits, scalars and tests, two bodies deep.
    graph Deep(turn: &mut [u32; 1], y: &mut [u32; 4], first: u32, last: u32, by: u32, passes: u64) {
        turn[0] = first;
        'turns: while turn[0] < last limit passes {
            match turn[0] % 2 {
                0 => { late::add<<<1, 4>>>(&mut y, by, 0, 4); }
                _ => {
                    if turn[0] > by { y[0] += by; }
                    late::add<<<1, 4>>>(&mut y, by * 100, 0, 4);
                }
            }
            turn[0] += 1;
        }
    }
}

macro_rules! wide {
    ($($from:literal)*) => {
        cuda_graph! {
            /// A kernel per element.
            graph Wide(from: &[f32; 64], to: &out [f32; 64]) {
                $(basic::copy_scaled<<<1, 1>>>(&from[$from..$from + 1], &out to[$from..$from + 1], 1.0, 1);)*
            }
        }
    };
}

wide!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43
    44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);

#[test]
fn a_hundred_launches_and_one_wait() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(N)?;
    let mut graph = AddArgs { x: &mut x, by: 1, cycles: 0 }.build(&device)?;
    for _ in 0..100 {
        graph.launch()?;
    }
    graph.synchronize()?;
    assert_eq!(graph.x().to_vec()?, [100; N]);
    Ok(())
}

#[test]
fn what_was_written_before_a_launch_is_read_by_it() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let to = device.buffer_from(&[-1.0_f32; 64])?;
    let mut graph = CopiedArgs { from: device.zeros::<f32>(64)?, to }.build(&device)?;
    for round in 0..1000_u16 {
        graph.from_mut()?.write_from(&[f32::from(round); 64])?;
        graph.launch()?;
        assert_eq!(graph.to().to_vec()?, [f32::from(round); 64]);
    }
    Ok(())
}

#[test]
fn what_was_written_before_a_launch_is_read_by_all_of_many_nodes() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let to = device.buffer_from(&[-1.0_f32; 64])?;
    let mut graph = WideArgs { from: device.zeros::<f32>(64)?, to }.build(&device)?;
    assert_eq!(graph.plan().nodes().len(), 64);
    for round in 0..1000_u16 {
        let numbers: [f32; 64] = std::array::from_fn(|i| f32::from(round) + f32::from(i as u16) / 64.0);
        graph.from_mut()?.write_from(&numbers)?;
        graph.launch()?;
        assert_eq!(graph.to().to_vec()?, numbers);
    }
    Ok(())
}

#[test]
fn the_first_launch_of_a_large_copy_is_as_good_as_later_ones() -> Result<()> {
    const LARGE: usize = 25_000_001;
    let Some(device) = crate::device() else { return Ok(()) };
    let (mut a, mut b) = (device.zeros::<u32>(LARGE)?, device.buffer_from(&vec![POISON; LARGE])?);
    let mut seen = device.pinned_from(&vec![POISON; LARGE])?;
    let mut graph = StagedArgs { a: &mut a, b: &mut b, seen: &mut seen }.build(&device)?;
    graph.launch()?;
    assert!(graph.seen().to_vec()?.iter().all(|value| *value == 11), "first launch, on the host");
    assert!(graph.b().to_vec()?.iter().all(|value| *value == 11), "first launch");
    for launch in 2..=4 {
        graph.launch()?;
        assert!(graph.b().to_vec()?.iter().all(|value| *value == 10 + launch), "launch {launch}");
        assert!(graph.seen().to_vec()?.iter().all(|value| *value == 10 + launch), "launch {launch}, on the host");
    }
    Ok(())
}

#[test]
fn counters_are_those_of_the_last_launch() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let [x, go, y] = [device.zeros::<u32>(1)?, device.zeros::<u32>(1)?, device.zeros::<u32>(1)?];
    let mut graph = GuardedArgs { x, go, y }.build(&device)?;
    assert_eq!((graph.iterations(Guarded::INNER)?, graph.exit(Guarded::INNER)?), (0, Exit::NotRun));
    assert_eq!((graph.iterations(Guarded::OUTER)?, graph.exit(Guarded::OUTER)?), (0, Exit::NotRun));
    // x, go; passes of the outer loop, y; passes of the inner one and its end.
    let cases = [
        ([3, 1], 0, 3, (3, Exit::Condition)),
        ([3, 0], 0, 0, (0, Exit::NotRun)),
        ([9, 4], 3, 305, (5, Exit::Limit)),
        ([0, 1], 0, 0, (0, Exit::Condition)),
        ([7, 0], 0, 0, (0, Exit::NotRun)),
    ];
    for eagerly in [false, true, false] {
        for ([x, go], outer, y, inner) in cases {
            graph.x_mut()?.write_from(&[x])?;
            graph.go_mut()?.write_from(&[go])?;
            graph.y_mut()?.write_from(&[0])?;
            if eagerly {
                graph.run_eager()?;
            } else {
                graph.launch()?;
            }
            let what = format!("x {x}, go {go}, eagerly: {eagerly}");
            assert_eq!((graph.iterations(Guarded::INNER)?, graph.exit(Guarded::INNER)?), inner, "{what}");
            assert_eq!(
                (graph.iterations(Guarded::OUTER)?, graph.exit(Guarded::OUTER)?),
                (outer, Exit::Condition),
                "{what}"
            );
            assert_eq!(graph.y().to_vec()?, [y], "{what}");
        }
    }
    Ok(())
}

/// What `Deep` computes, in plain Rust: `y`, the passes, and how the loop ended.
fn deep(y: &mut [u32; 4], [first, last, by]: [u32; 3], passes: u64) -> (u64, Exit) {
    let (mut turn, mut done) = (first, 0);
    while turn < last {
        if done == passes {
            return (done, Exit::Limit);
        }
        if turn.is_multiple_of(2) {
            *y = y.map(|y| y + by);
        } else {
            if turn > by {
                y[0] += by;
            }
            *y = y.map(|y| y + by * 100);
        }
        turn += 1;
        done += 1;
    }
    (done, Exit::Condition)
}

#[test]
fn setters_reach_into_bodies() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut expected = [POISON / 2; 4];
    let (turn, y) = (device.buffer_from(&[POISON])?, device.buffer_from(&expected)?);
    let mut graph = DeepArgs { turn, y, first: 0, last: 4, by: 1, passes: 100 }.build(&device)?;
    let changes: [([u32; 3], u64); 6] =
        [([0, 4, 1], 100), ([0, 4, 2], 100), ([3, 4, 2], 100), ([3, 9, 2], 4), ([3, 9, 5], 0), ([0, 9, 3], 100)];
    for (values, passes) in changes {
        let [first, last, by] = values;
        graph.set_first(first)?;
        graph.set_last(last)?;
        graph.set_by(by)?;
        graph.set_passes(passes)?;
        for launch in 0..2 {
            graph.launch()?;
            let (passes, exit) = deep(&mut expected, values, passes);
            assert_eq!(graph.y().to_vec()?, expected, "{values:?}, launch {launch}");
            assert_eq!((graph.iterations(Deep::TURNS)?, graph.exit(Deep::TURNS)?), (passes, exit), "{values:?}");
        }
        graph.run_eager()?;
        deep(&mut expected, values, passes);
        assert_eq!(graph.y().to_vec()?, expected, "{values:?}, node by node");
    }
    Ok(())
}

#[test]
fn every_pipeline_node_by_node() {
    let Some(device) = crate::device() else { return };
    tests::run::eagerly(|| {
        for (name, pipeline) in ALL {
            if let Err(error) = pipeline(&device) {
                panic!("{name}, node by node: {error}");
            }
        }
    });
}

#[test]
fn launches_and_eager_runs_take_turns() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x: &mut x, by: 1, cycles: 100_000 }.build(&device)?;
    for round in 0..10 {
        graph.launch()?;
        graph.run_eager()?;
        graph.launch()?;
        if round % 2 == 0 {
            assert_eq!(graph.x().to_vec()?, [4 + 3 * round; N]);
        }
    }
    drop(graph);
    assert_eq!(x.to_vec()?, [31; N]);
    Ok(())
}

#[test]
fn a_build_tells_where_its_time_went() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let (from, to) = (device.zeros::<f32>(64)?, device.zeros::<f32>(64)?);
    let graph = WideArgs { from, to }.build(&device)?;
    let timings = graph.timings();
    let parts = [timings.evaluate, timings.plan, timings.add_nodes, timings.instantiate, timings.upload];
    assert!(parts.iter().all(|part| *part > Duration::ZERO), "{timings:?}");
    Ok(())
}
