//! Kernels that each read what all blocks of the one in front have written, or of several: they may begin early, and must not look early.

use graph_runtime::prelude::*;

use crate::run::run;

cuda_graph! {
    /// Neighbours in turns between two buffers, in a line and in a loop that one launch cannot run.
    graph Relay(x: &mut [u32; n], y: &mut [u32; n], kept: &mut [u32; n], turn: &mut [u32; 1], rounds: usize) {
        for _ in 0..rounds {
            kernel for k in 1..n - 1 { y[k] = x[k - 1] + 3 * x[k + 1]; }
            kernel for k in 1..n - 1 { x[k] = y[k - 1] + 5 * y[k + 1]; }
        }
        while turn[0] < 3 {
            turn[0] += 1;
            kernel for k in 1..n - 1 { y[k] = x[k - 1] + 3 * x[k + 1]; }
            kernel for k in 1..n - 1 { x[k] = y[k - 1] + 5 * y[k + 1]; }
            copy(&x, &out kept);
        }
    }

    /// Layers of twelve launches of different lengths, each of which waits for all of the layer in front.
    pub graph AllToAll(a: [&mut [u32; n]], b: [&mut [u32; n]], go: &[u32; 1]) {
        for i in 0..12 { kernel for k in 0..n - i { b[i][k] = 7 * a[i][k] + 1; } }
        for i in 0..12 {
            kernel for k in 0..n - i {
                a[i][k] = b[0][k] + b[1][k] + b[2][k] + b[3][k] + b[4][k] + b[5][k]
                    + b[6][k] + b[7][k] + b[8][k] + b[9][k] + b[10][k] + b[11][k];
            }
        }
        if go[0] > 0 {
            for i in 0..12 { kernel for k in 0..n - i { b[i][k] = 5 * a[i][k]; } }
            for i in 0..12 {
                kernel for k in 0..n - i {
                    a[i][k] = b[0][k] + b[1][k] + b[2][k] + b[3][k] + b[4][k] + b[5][k]
                    + b[6][k] + b[7][k] + b[8][k] + b[9][k] + b[10][k] + b[11][k];
                }
            }
        }
    }
}

/// `y[k] = x[k - 1] + 3 x[k + 1]`, then the same back with 5, as often as that.
fn relayed(mut x: Vec<u32>, rounds: usize) -> Vec<u32> {
    let mut y = vec![0; x.len()];
    for _ in 0..rounds {
        for k in 1..x.len() - 1 {
            y[k] = x[k - 1].wrapping_add(x[k + 1].wrapping_mul(3));
        }
        for k in 1..x.len() - 1 {
            x[k] = y[k - 1].wrapping_add(y[k + 1].wrapping_mul(5));
        }
    }
    x
}

/// Each element comes to depend on those of all blocks around it.
pub fn relay(device: &Device) -> Result<()> {
    const LENGTH: usize = 30_000;
    let start: Vec<u32> = (0..LENGTH as u32).map(|k| k.wrapping_mul(2_654_435_761)).collect();
    let (mut x, mut y) = (device.buffer_from(&start)?, device.zeros::<u32>(LENGTH)?);
    let (mut kept, mut turn) = (device.zeros::<u32>(LENGTH)?, device.zeros::<u32>(1)?);
    let arguments = RelayArgs { x: &mut x, y: &mut y, kept: &mut kept, turn: &mut turn, rounds: 12 };
    let mut graph = arguments.build(device)?;
    run(&mut graph)?;
    let expected = relayed(start, 12 + 3);
    assert_eq!(graph.x().to_vec()?, expected);
    assert_eq!(graph.kept().to_vec()?, expected);
    Ok(())
}

/// In a launch of its own, with all others, and once more in a body.
pub fn all_to_all(device: &Device) -> Result<()> {
    const LENGTH: usize = 3000;
    let start = |i: usize| (0..LENGTH).map(|k| (i * 100_003 + k) as u32).collect::<Vec<u32>>();
    let lists =
        |of: &dyn Fn(usize) -> Vec<u32>| (0..12).map(|i| device.buffer_from(&of(i))).collect::<Result<Vec<_>>>();
    let (mut a, mut b) = (lists(&start)?, lists(&|_| vec![0; LENGTH])?);
    let go = device.buffer_from(&[1_u32])?;
    let mut graph = AllToAllArgs { a: &mut a, b: &mut b, go: &go }.build(device)?;
    run(&mut graph)?;
    let (mut a, mut b): (Vec<Vec<u32>>, _) = ((0..12).map(start).collect(), vec![vec![0_u32; LENGTH]; 12]);
    for (by, more) in [(7_u32, 1_u32), (5, 0)] {
        for i in 0..12 {
            (0..LENGTH - i).for_each(|k| b[i][k] = a[i][k].wrapping_mul(by).wrapping_add(more));
        }
        for (i, a) in a.iter_mut().enumerate() {
            (0..LENGTH - i).for_each(|k| a[k] = b.iter().fold(0, |sum: u32, b| sum.wrapping_add(b[k])));
        }
    }
    for (i, expected) in a.iter().enumerate() {
        assert_eq!(graph.view_of::<u32>(&format!("a[{i}]"))?.to_vec()?, *expected, "{i}");
    }
    Ok(())
}
