//! `while` and `loop`: conditions, limits, `every`, loops in loops.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph CountDown(x: &mut [u32; 1], y: &mut [u32; 4]) {
        'down: while x[0] != 0 {
            basic::increment<<<1, 4>>>(&mut y, 4);
            x[0] -= 1;
        }
    }

    #[allow(endless_loop)]
    graph Limited(y: &mut [u32; 4], go: &[u32; 1], passes: u64) {
        'plain: loop limit passes {
            basic::increment<<<1, 4>>>(&mut y, 4);
        }
        'tested: while go[0] > 0 limit passes {
            basic::increment<<<1, 4>>>(&mut y, 4);
        }
    }

    graph Every(x: &mut [i32; 1], y: &mut [u32; 4]) {
        'fours: while x[0] > 0 limit 40 every 4 {
            x[0] -= 1;
            basic::increment<<<1, 4>>>(&mut y, 4);
        }
    }

    /// A triangle: the inner loop runs 1, 2, … `x` times.
    graph Triangle(x: &[u32; 1], y: &mut [u32; 4]) {
        let row: [u32; 1] = 0;
        let column: [u32; 1];
        'rows: while row[0] < x[0] {
            row[0] += 1;
            column[0] = 0;
            'columns: while column[0] < row[0] {
                column[0] += 1;
                basic::increment<<<1, 4>>>(&mut y, 4);
            }
        }
    }
}

/// From zero passes on.
pub fn count_down(device: &Device) -> Result<()> {
    for passes in [0_u32, 1, 2, 100] {
        let mut x = device.buffer_from(&[passes])?;
        let mut y = device.buffer_from(&[1_u32; 4])?;
        let mut graph = CountDownArgs { x: &mut x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [1 + passes; 4]);
        assert_eq!(graph.iterations(CountDown::DOWN)?, u64::from(passes));
        assert_eq!(graph.exit(CountDown::DOWN)?, Exit::Condition);
    }
    Ok(())
}

/// Limits of zero, one and many, with and without a condition that would go on.
pub fn limits(device: &Device) -> Result<()> {
    for passes in [0_u64, 1, 5] {
        for go in [0_u32, 1] {
            let mut y = device.zeros::<u32>(4)?;
            let go_buffer = device.buffer_from(&[go])?;
            let mut graph = LimitedArgs { y: &mut y, go: &go_buffer, passes }.build(device)?;
            run(&mut graph)?;
            let expected = passes as u32 * (1 + go);
            assert_eq!(graph.y().to_vec()?, [expected; 4], "limit {passes}, condition {go}");
            assert_eq!(graph.iterations(Limited::PLAIN)?, passes);
            assert_eq!(graph.iterations(Limited::TESTED)?, passes * u64::from(go));
            let exit = if go == 1 { Exit::Limit } else { Exit::Condition };
            assert_eq!(graph.exit(Limited::TESTED)?, exit);
            graph.run_eager()?;
            assert_eq!(graph.y().to_vec()?, [2 * expected; 4], "limit {passes}, condition {go}, node by node");
        }
    }
    Ok(())
}

/// The condition is looked at after every fourth pass only.
pub fn every(device: &Device) -> Result<()> {
    for (start, passes, exit) in
        [(0, 0, Exit::Condition), (1, 4, Exit::Condition), (8, 8, Exit::Condition), (100, 40, Exit::Limit)]
    {
        let mut x = device.buffer_from(&[start])?;
        let mut y = device.zeros::<u32>(4)?;
        let mut graph = EveryArgs { x: &mut x, y: &mut y }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [passes; 4], "from {start}");
        assert_eq!(graph.x().to_vec()?, [start - passes as i32]);
        assert_eq!(graph.iterations(Every::FOURS)?, u64::from(passes));
        assert_eq!(graph.exit(Every::FOURS)?, exit);
    }
    Ok(())
}

/// The inner loop runs anew on each pass of the outer one, on every launch.
pub fn inner_loops(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[10_u32])?;
    let mut y = device.zeros::<u32>(4)?;
    let mut graph = TriangleArgs { x: &x, y: &mut y }.build(device)?;
    for launch in 1..=3 {
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [55 * launch; 4]);
        assert_eq!(graph.iterations(Triangle::ROWS)?, 10);
        assert_eq!(graph.iterations(Triangle::COLUMNS)?, 10);
    }
    Ok(())
}
