//! `if`, `else if`, `match` on the device, `if` on the host, and all of them inside each other.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph IfElse(x: &[i32; 1], y: &out [u32; 1]) {
        if x[0] > 0 {
            y[0] = 1;
        } else {
            y[0] = 2;
        }
    }

    graph ElseIf(x: &[f32; 2], y: &out [u32; 1], low: f32) {
        if x[0] < low {
            y[0] = 1;
        } else if x[0] < x[1] && !(x[1].is_nan()) {
            y[0] = 2;
        } else {
            y[0] = 3;
        }
    }

    graph Match(x: &[i32; 1], y: &mut [u32; 1]) {
        match x[0] {
            -1 => { y[0] = 10; }
            0 | 7 => { y[0] = 20; }
            1..3 => { y[0] = 30; }
            3..=5 => { y[0] = 40; }
            _ => { y[0] = 50; }
        }
    }

    graph MatchWithoutRest(x: &[u8; 1], y: &mut [u32; 1]) {
        match x[0] {
            1 => { y[0] = 1; }
            2 => { y[0] = 2; }
        }
    }

    /// Arms that do nothing.
    graph Idle(x: &[u32; 1], y: &mut [u32; 1]) {
        match x[0] {
            0 => {}
            1 => { y[0] += 10; }
            _ => {}
        }
        if x[0] > 1 {
        } else {
            y[0] += 1;
        }
    }

    /// Each arm changes what was tested: the arm is chosen once.
    graph Turncoat(x: &mut [u32; 1], y: &mut [u32; 1]) {
        if x[0] == 0 {
            x[0] = 1;
        } else {
            x[0] = 0;
        }
        match y[0] {
            0 => { y[0] = 1; }
            1 => { y[0] = 2; }
            _ => { y[0] = 0; }
        }
    }

    graph HostIf(x: &mut [u32; n], twice: bool, n: usize) {
        basic::increment<<<n.div_ceil(32), 32>>>(&mut x, n as u32);
        if twice {
            basic::increment<<<n.div_ceil(32), 32>>>(&mut x, n as u32);
        } else if n > 100 {
            fill(&out x, 7);
        }
    }

    /// Counts the collatz steps of `x[0]`, at most 200.
    graph Collatz(x: &mut [u64; 1], steps: &out [u32; 1]) {
        steps[0] = 0;
        'walk: while x[0] != 1 limit 200 {
            match x[0] % 2 {
                0 => {
                    if x[0] > 0 { x[0] /= 2; }
                }
                _ => {
                    loop limit 1 { x[0] = x[0] * 3 + 1; }
                }
            }
            steps[0] += 1;
        }
    }
}

/// Both arms, with negative numbers and zero.
pub fn if_else(device: &Device) -> Result<()> {
    let mut y = device.zeros::<u32>(1)?;
    for (value, expected) in [(5, 1), (0, 2), (-3, 2), (i32::MAX, 1), (i32::MIN, 2)] {
        let x = device.buffer_from(&[value])?;
        let mut graph = IfElseArgs { x: &x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        graph.run_eager()?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}, node by node");
    }
    Ok(())
}

/// Three ways, with NaN on either side.
pub fn else_if(device: &Device) -> Result<()> {
    let mut y = device.zeros::<u32>(1)?;
    let cases = [([0.5, 2.0], 1), ([1.5, 2.0], 2), ([3.0, 2.0], 3), ([f32::NAN, 2.0], 3), ([1.5, f32::NAN], 3)];
    for (values, expected) in cases {
        let x = device.buffer_from(&values)?;
        let mut graph = ElseIfArgs { x: &x, y: &mut y, low: 1.0 }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{values:?}");
    }
    Ok(())
}

/// Literals, alternatives, ranges, the rest; and a `match` without a rest.
pub fn match_arms(device: &Device) -> Result<()> {
    let mut y = device.zeros::<u32>(1)?;
    let cases = [(-1, 10), (0, 20), (7, 20), (1, 30), (2, 30), (3, 40), (5, 40), (6, 50), (i32::MIN, 50), (-2, 50)];
    for (value, expected) in cases {
        let x = device.buffer_from(&[value])?;
        let mut graph = MatchArgs { x: &x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        graph.run_eager()?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}, node by node");
    }
    for (value, expected) in [(1_u8, 1), (2, 2), (0, 99), (255, 99)] {
        let x = device.buffer_from(&[value])?;
        y.write_from(&[99])?;
        let mut graph = MatchWithoutRestArgs { x: &x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}");
    }
    Ok(())
}

/// What is chosen may do nothing.
pub fn idle_arms(device: &Device) -> Result<()> {
    for (value, expected) in [(0_u32, 101), (1, 111), (2, 100)] {
        let x = device.buffer_from(&[value])?;
        let mut y = device.buffer_from(&[100_u32])?;
        let mut graph = IdleArgs { x: &x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{value}");
    }
    Ok(())
}

/// One arm a launch, though each makes another arm's test true.
pub fn turncoats(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.zeros::<u32>(1)?, device.zeros::<u32>(1)?);
    let mut graph = TurncoatArgs { x: &mut x, y: &mut y }.build(device)?;
    for (expected_x, expected_y) in [(1, 1), (0, 2), (1, 0), (0, 1)] {
        run(&mut graph)?;
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![expected_x], vec![expected_y]));
    }
    Ok(())
}

/// The arm that is not taken is not part of the graph.
pub fn host_if(device: &Device) -> Result<()> {
    for (n, twice, expected, nodes) in [(10, true, 2, 2), (10, false, 1, 1), (200, false, 7, 2)] {
        let mut x = device.zeros::<u32>(n)?;
        let mut graph = HostIfArgs { x: &mut x, twice, n }.build(device)?;
        assert_eq!(graph.plan().nodes().len(), nodes);
        run(&mut graph)?;
        assert_eq!(graph.x().to_vec()?, vec![expected; n]);
    }
    Ok(())
}

/// A `while` around a `match` around an `if` and a `loop`, against the same in Rust.
pub fn nested(device: &Device) -> Result<()> {
    for start in [1_u64, 6, 7, 27, 97] {
        let (mut value, mut expected) = (start, 0);
        while value != 1 && expected < 200 {
            value = if value.is_multiple_of(2) { value / 2 } else { value * 3 + 1 };
            expected += 1;
        }
        let mut x = device.buffer_from(&[start])?;
        let mut steps = device.zeros::<u32>(1)?;
        let mut graph = CollatzArgs { x: &mut x, steps: &mut steps }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.steps().to_vec()?, [expected], "from {start}");
        assert_eq!(graph.iterations(Collatz::WALK)?, u64::from(expected));
        assert_eq!(graph.exit(Collatz::WALK)?, Exit::Condition);
        graph.x_mut()?.write_from(&[start])?;
        graph.run_eager()?;
        assert_eq!(graph.steps().to_vec()?, [expected], "from {start}, node by node");
    }
    Ok(())
}
