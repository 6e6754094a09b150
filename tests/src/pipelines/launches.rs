//! What is asked of launches beside their geometry: priorities, cooperation, overlap.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// See `kernels/overlap.cu`.
#[cuda_module("kernels/overlap.cu")]
pub unsafe mod overlapping {
    /// `x = 2 x + 1`
    #[waits]
    pub fn step(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(2).wrapping_add(1));
    }

    /// `x = by x`
    #[waits(first)]
    #[early(by)]
    pub fn scale(x: &mut [u32; n], by: &[u32; 1], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(by[0]));
    }

    /// How many blocks the cluster of each block has.
    #[block(32)]
    #[requires(sizes.len() == grid.x as usize)]
    pub fn cluster_sizes(mut sizes: Out<[u32]>) {
        sizes.fill(1);
    }
}

cuda_graph! {
    /// A chain in which each kernel but the first may begin early, also within a loop.
    graph Chain(x: &mut [u32; n], turn: &mut [u32; 1]) {
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        #[overlap]
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        while turn[0] < 3 {
            turn[0] += 1;
            overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
            #[overlap]
            overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        }
        #[overlap]
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
    }

    /// Each may begin early, but for the first that reads `next` behind a change: whoever writes it may still run then. Behind the next
    /// change stands one that waits before it lets others begin, and the change is over.
    pub graph Early(x: &mut [u32; n], by: &[u32; 1], next: &mut [u32; 1]) {
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        #[overlap]
        overlapping::scale<<<n.div_ceil(64), 64>>>(&mut x, &by, n as u32);
        #[overlap]
        overlapping::scale<<<n.div_ceil(64), 64>>>(&mut x, &next, n as u32);
        next[0] += 1;
        #[overlap]
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        #[overlap]
        overlapping::scale<<<n.div_ceil(64), 64>>>(&mut x, &next, n as u32);
        next[0] += x[0];
        #[overlap]
        overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        #[overlap]
        overlapping::scale<<<n.div_ceil(64), 64>>>(&mut x, &by, n as u32);
        #[overlap]
        overlapping::scale<<<n.div_ceil(64), 64>>>(&mut x, &next, n as u32);
    }

    /// Side by side, with priorities.
    graph Priorities(x: &mut [u32; n], y: &mut [u32; n]) {
        #[priority(high)]
        basic::increment<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        #[priority(low)]
        basic::increment<<<n.div_ceil(64), 64>>>(&mut y, n as u32);
        #[priority(-1)]
        #[cooperative]
        basic::increment<<<n.div_ceil(64), 64>>>(&mut y, n as u32);
    }
}

/// `x -> 2 x + 1`, `rounds` times: `2^rounds (x + 1) - 1`.
fn stepped(x: u32, rounds: u32) -> u32 {
    (x + 1) * 2_u32.pow(rounds) - 1
}

/// Kernels that overlap leave what they would leave one after another.
pub fn overlap(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[0_u32, 1, 5])?;
    let mut turn = device.zeros::<u32>(1)?;
    let mut graph = ChainArgs { x: &mut x, turn: &mut turn }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [0, 1, 5].map(|x| stepped(x, 9)));
    Ok(())
}

/// What kernels fetch before they wait is what was there when they were allowed to.
pub fn early(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[0_u32, 1, 5])?;
    let (by, mut next) = (device.buffer_from(&[3_u32])?, device.buffer_from(&[5_u32])?);
    let mut graph = EarlyArgs { x: &mut x, by: &by, next: &mut next }.build(device)?;
    run(&mut graph)?;
    let changed = |x: u32| (2 * (2 * x + 1) * 3 * 5 + 1) * 6;
    let next = 6 + changed(0);
    assert_eq!(graph.x().to_vec()?, [0, 1, 5].map(|x| (2 * changed(x) + 1) * 3 * next));
    assert_eq!(graph.next().to_vec()?, [next]);
    Ok(())
}

/// Priorities and cooperation change no value.
pub fn attributes(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.zeros::<u32>(100)?, device.zeros::<u32>(100)?);
    let mut graph = PrioritiesArgs { x: &mut x, y: &mut y }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![1; 100], vec![2; 100]));
    Ok(())
}
