//! `swap` of the buffers of lists and structs, by indices that the host knows.

use graph_runtime::prelude::*;

use crate::kernels::tables;
use crate::run::run;

#[derive(Buffers)]
struct Pair {
    now: Buffer<u32>,
    next: Buffer<u32>,
}

cuda_graph! {
    /// `x[i] = 2 * x[i] + i`, `rounds` times, from one transient of a list into the other.
    graph Doubled(x: &mut [u32; n], rounds: usize) {
        let t: [[u32; n]; 2];
        copy(&x, &out t[0]);
        for _ in 0..rounds {
            kernel for i in 0..n { t[1][i] = 2 * t[0][i] + i as u32; }
            swap(&mut t[0], &mut t[1]);
        }
        copy(&t[0], &out x);
    }

    /// The same on the device, `every` passes between two tests.
    graph DoubledThere(x: &mut [u32; n], rounds: &mut [u32; 1], passes: usize) {
        let t: [[u32; n]; 2];
        copy(&x, &out t[0]);
        'more: while rounds[0] > 0 every passes {
            kernel for i in 0..n { t[1][i] = 2 * t[0][i] + i as u32; }
            rounds[0] -= 1;
            swap(&mut t[0], &mut t[1]);
        }
        copy(&t[0], &out x);
    }

    /// Each buffer's contents move to the next; the first gets sevens.
    graph Moved(l: [&mut [u32; n]]) {
        let t: [[u32; n]; 1] = 7;
        for k in 0..l.len() { swap(&mut l[k], &mut t[0]); }
    }

    /// Two fields of a struct, in passes of a literal number; the struct ends as it began.
    graph Fields(pair: &mut Pair, rounds: u32) {
        loop limit rounds every 2 {
            kernel for i in 0..pair.now.len() { pair.next[i] = pair.now[i] + 1; }
            swap(&mut pair.now, &mut pair.next);
        }
    }

    /// A graph that exchanges what it is passed, and gives it back.
    graph Turned(l: [&mut [u32; n]], by: u32) {
        let t: [[u32; n]; 1];
        copy(&l[0], &out t[0]);
        swap(&mut l[0], &mut t[0]);
        kernel for i in 0..n { l[0][i] = l[0][i] + by; }
    }

    /// Inside another one, which has exchanged its buffers before.
    graph Around(l: [&mut [u32; n]], rounds: usize) {
        swap(&mut l[0], &mut l[1]);
        for k in 0..rounds { Turned { l: &mut l, by: k as u32 + 1 }; }
        swap(&mut l[1], &mut l[0]);
    }

    /// A whole list, in the order in which its buffers stand now.
    graph Numbered(l: [&mut [u32; n]], at: usize) {
        let t: [[u32; n]; 1];
        swap(&mut l[at], &mut l[0]);
        tables::number_all<<<(1, 2), 32>>>(&out l);
        swap(&mut l[at], &mut l[0]);
        copy(&l[0], &out t[0]);
    }

    /// In an arm of the device's and back.
    graph Armed(l: [&mut [u32; n]], flag: &[u32; 1]) {
        if flag[0] > 1 {
            swap(&mut l[0], &mut l[1]);
            fill(&out l[0], 1);
            swap(&mut l[0], &mut l[1]);
        }
    }
}

/// `2^rounds * x + (2^rounds - 1) * i`.
fn doubled(x: u32, i: usize, rounds: u32) -> u32 {
    (x << rounds) + ((1 << rounds) - 1) * i as u32
}

/// Passes of the host's; a setter makes another number of them.
pub fn by_passes(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[3_u32, 5, 8])?;
    let mut graph = DoubledArgs { x: &mut x, rounds: 3 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [doubled(3, 0, 3), doubled(5, 1, 3), doubled(8, 2, 3)]);
    graph.set_rounds(2)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [doubled(3, 0, 5), doubled(5, 1, 5), doubled(8, 2, 5)]);
    Ok(())
}

/// Passes of the device's.
pub fn in_loops(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[3_u32, 5, 8])?;
    let mut rounds = device.buffer_from(&[6_u32])?;
    let mut graph = DoubledThereArgs { x: &mut x, rounds: &mut rounds, passes: 2 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [doubled(3, 0, 6), doubled(5, 1, 6), doubled(8, 2, 6)]);
    let odd = graph.set_passes(3).unwrap_err().to_string();
    assert!(odd.contains("the names `t[0]` and `t[1]` are left exchanged behind 3 passes"), "{odd}");
    drop(graph);
    let pair = Pair { now: device.buffer_from(&[10_u32, 20])?, next: device.zeros(2)? };
    let mut fields = FieldsArgs { pair, rounds: 4 }.build(device)?;
    run(&mut fields)?;
    assert_eq!(fields.view_of::<u32>("pair.now")?.to_vec()?, [14, 24]);
    assert_eq!(fields.view_of::<u32>("pair.next")?.to_vec()?, [13, 23]);
    Ok(())
}

/// What parameters are left with is copied to where their owners look.
pub fn back_home(device: &Device) -> Result<()> {
    let buffer = |value: u32| device.buffer_from(&[value, value + 1]);
    let mut l = [buffer(10)?, buffer(20)?, buffer(30)?];
    let mut moved = MovedArgs { l: &mut l }.build(device)?;
    run(&mut moved)?;
    let other = buffer(50)?;
    let old = moved.rebind_l(1, other)?;
    assert_eq!(old.to_vec()?, [10, 11]);
    run(&mut moved)?;
    drop(moved);
    assert_eq!(l[0].to_vec()?, [7, 7]);
    assert_eq!(l[2].to_vec()?, [50, 51]);
    let mut l = [buffer(10)?, buffer(20)?, buffer(30)?];
    let mut numbered = NumberedArgs { l: &mut l, at: 2 }.build(device)?;
    run(&mut numbered)?;
    let numbers: Vec<Vec<u32>> = (0..3).map(|k| numbered.l(k)?.to_vec()).collect::<Result<_>>()?;
    let mut plain = [buffer(10)?, buffer(20)?, buffer(30)?];
    let mut in_order = NumberedArgs { l: &mut plain, at: 1 }.build(device)?;
    run(&mut in_order)?;
    let others: Vec<Vec<u32>> = (0..3).map(|k| in_order.l(k)?.to_vec()).collect::<Result<_>>()?;
    assert_eq!((&numbers[2], &numbers[0], &numbers[1]), (&others[1], &others[2], &others[0]));
    Ok(())
}

/// In a graph inside a graph, and in a body that the device may skip.
pub fn further_in(device: &Device) -> Result<()> {
    let buffer = |value: u32| device.buffer_from(&[value, value + 1]);
    let mut l = [buffer(10)?, buffer(20)?];
    let mut around = AroundArgs { l: &mut l, rounds: 3 }.build(device)?;
    run(&mut around)?;
    drop(around);
    assert_eq!((l[0].to_vec()?, l[1].to_vec()?), (vec![10, 11], vec![26, 27]));
    let flag = device.buffer_from(&[2_u32])?;
    let mut armed = ArmedArgs { l: &mut l, flag: &flag }.build(device)?;
    run(&mut armed)?;
    drop(armed);
    assert_eq!((l[0].to_vec()?, l[1].to_vec()?), (vec![10, 11], vec![1, 1]));
    Ok(())
}
