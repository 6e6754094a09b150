//! How many blocks a loop in one launch has.

use graph_runtime::prelude::*;
use stand_in_driver::Work;

use crate::child::{child, device, lawful};
use crate::shape::{exec, graph};

cuda_graph! {
    /// Each kernel reads what another index of the one in front wrote; a thread has four indices.
    graph Turn(x: &mut [u32; n], y: &mut [u32; n]) {
        loop limit 5 {
            kernel for i in 0..n { y[i] = x[n - 1 - i] + 1; }
            kernel for i in 0..n { x[i] = y[n - 1 - i] + 1; }
        }
    }

    /// The second may take any time for an index.
    graph Long(x: &mut [u32; n], y: &mut [u32; n]) {
        loop limit 5 {
            kernel for i in 0..n { y[i] = x[n - 1 - i] + 1; }
            kernel for i in 0..n { for k in 0..n { x[i] += y[k]; } }
        }
    }
}

/// The blocks of the only launch that there is.
macro_rules! has_blocks {
    ($arguments:ident, $n:expr, $expected:expr) => {
        child(|stand_in| {
            let device = device(stand_in, 13000);
            let built =
                $arguments { x: device.zeros($n).unwrap(), y: device.zeros($n).unwrap() }.build(&device).unwrap();
            let report = lawful(stand_in);
            let nodes = &graph(&report, exec(&report).graph).nodes;
            let [node] = &nodes[..] else { panic!("{nodes:#?}") };
            let Work::Kernel { grid, .. } = &node.work else { panic!("{node:#?}") };
            assert_eq!(grid.iter().product::<u32>(), $expected);
            drop(built);
        })
    };
}

#[test]
fn one_block_has_one() {
    has_blocks!(TurnArgs, 1024, 1);
}

#[test]
fn two_short_ones_run_one_behind_the_other() {
    has_blocks!(TurnArgs, 2048, 1);
}

#[test]
fn three_run_side_by_side() {
    has_blocks!(TurnArgs, 3072, 3);
}

#[test]
fn two_that_may_take_any_time_run_side_by_side() {
    has_blocks!(LongArgs, 512, 2);
}
