//! Assignments to single elements, several of which share a launch on a GPU.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::{as_usual, run};

cuda_graph! {
    /// Fibonacci's numbers, in a chain of assignments of which the last are made by the loop's test.
    graph Fibonacci(a: &out [u64; 1], b: &out [u64; 1], left: &out [u32; 1], seen: &mut [u32; 4], count: u32, start: u64) {
        let next: [u64; 1];
        a[0] = start;
        b[0] = start;
        left[0] = count;
        'numbers: while left[0] > 0 {
            next[0] = a[0] + b[0];
            basic::increment<<<1, 4>>>(&mut seen, 4);
            a[0] = b[0];
            b[0] = next[0];
            left[0] -= 1;
        }
    }

    /// Between two kernels, and around a third.
    graph Between(x: &mut [u32; 4], s: &out [u32; 1], t: &out [u32; 1], u: &out [u32; 1], by: u32) {
        basic::increment<<<1, 4>>>(&mut x, 4);
        s[0] = x[0] + x[3];
        t[0] = s[0] * by;
        s[0] += t[0];
        basic::increment<<<1, 4>>>(&mut x, 4);
        u[0] = t[0] - x[1];
    }
}

/// Against Fibonacci's recurrence, for several starts and lengths.
pub fn fibonacci(device: &Device) -> Result<()> {
    let zeros = || device.buffer_from(&[u64::MAX]);
    let (mut a, mut b, mut left, mut seen) = (zeros()?, zeros()?, device.zeros(1)?, device.zeros(4)?);
    let arguments = FibonacciArgs { a: &mut a, b: &mut b, left: &mut left, seen: &mut seen, count: 10, start: 1 };
    let mut graph = arguments.build(device)?;
    let mut passes = 0;
    for (count, start) in [(10, 1), (0, 1), (30, 3)] {
        graph.set_count(count)?;
        graph.set_start(start)?;
        run(&mut graph)?;
        let (mut one, mut two) = (start, start);
        for _ in 0..count {
            (one, two) = (two, one + two);
        }
        passes += count;
        assert_eq!((graph.a().to_vec()?, graph.b().to_vec()?), (vec![one], vec![two]));
        assert_eq!((graph.left().to_vec()?, graph.seen().to_vec()?), (vec![0], vec![passes; 4]));
        assert_eq!(graph.iterations(Fibonacci::NUMBERS)?, u64::from(count));
    }
    let plan = graph.plan();
    // Where the host decides, each statement has a launch of its own.
    if plan.by_launches().is_none() && as_usual(device) {
        let plan = plan.to_string();
        assert!(plan.contains("= one launch with b[0], left[0]"), "{plan}");
        assert!(plan.contains("= in the test of numbers"), "{plan}");
    }
    Ok(())
}

/// In the order of the text.
pub fn between(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1_u32, 2, 3, 4])?;
    let (mut s, mut t, mut u) = (device.zeros(1)?, device.zeros(1)?, device.zeros(1)?);
    let mut graph = BetweenArgs { x: &mut x, s: &mut s, t: &mut t, u: &mut u, by: 10 }.build(device)?;
    run(&mut graph)?;
    assert_eq!([graph.s().to_vec()?[0], graph.t().to_vec()?[0], graph.u().to_vec()?[0]], [77, 70, 66]);
    graph.set_by(1)?;
    run(&mut graph)?;
    // `x` is 4, 5, 6, 7 behind the first kernel.
    assert_eq!([graph.s().to_vec()?[0], graph.t().to_vec()?[0]], [22, 11]);
    assert_eq!(graph.u().to_vec()?, [5]);
    assert_eq!(graph.x().to_vec()?, [5, 6, 7, 8]);
    Ok(())
}
