//! Whole lists as arguments of kernels.

use graph_runtime::prelude::*;

use crate::kernels::tables;
use crate::run::run;

#[derive(Buffers)]
struct Moments {
    tensors: Vec<Buffer<f32>>,
    rate: f32,
}

cuda_graph! {
    /// `p += rate * g`, in two steps, by tables.
    graph Descend(p: &mut Moments, g: [&[f32]]) {
        tables::add_all<<<(4, p.tensors.len()), 32>>>(&g, &mut p.tensors, p.rate);
        tables::add_all<<<(4, g.len()), 32>>>(&g, &mut p.tensors, 1.0);
    }

    /// A list of transients, the rows of nested lists, one buffer of what a table has written.
    graph Numbered(lists: [[&mut [u32]]], count: &out [u32; 2 * m], one: &out [u32; n], m: usize, n: usize) {
        let parts: [[u32; n]; m];
        tables::number_all<<<(1, 2), 32>>>(&out parts);
        copy(&parts[m - 1], &out one);
        for i in 0..lists.len() {
            tables::number_all<<<(1, 2), 32>>>(&out lists[i]);
            tables::count_all<<<1, 1>>>(&lists[i], &out count[2 * i..2 * i + 2]);
        }
    }

    /// One step.
    graph Step(p: [&mut [f32]], g: [&[f32]]) {
        tables::add_all<<<(1, p.len()), 32>>>(&g, &mut p, 1.0);
    }

    /// The kernel says what the lists must be like.
    graph Matching(p: [&mut [f32]], g: [&[f32]]) {
        let sums: [f32; p.len() * g.len()] = 1.0;
        tables::add_matching<<<(1, p.len()), 32>>>(&g, &mut p, 1.0);
        copy(&sums[..p.len()], &out p[0][..p.len()]);
    }

    /// In a body that the device repeats.
    graph Repeated(p: [&mut [f32]], g: [&[f32]], rounds: &mut [u32; 1]) {
        'rounds: while rounds[0] > 0 limit 50 {
            tables::add_all<<<(2, p.len()), 64>>>(&g, &mut p, 2.0);
            rounds[0] -= 1;
        }
    }
}

fn buffers(device: &Device, values: &[&[f32]]) -> Result<Vec<Buffer<f32>>> {
    values.iter().map(|values| device.buffer_from(values)).collect()
}

/// Buffers of different lengths, in a struct and in a list; a rebind is followed.
pub fn descend(device: &Device) -> Result<()> {
    let tensors = buffers(device, &[&[1.0, 2.0], &[10.0], &[0.0; 300]])?;
    let g = buffers(device, &[&[1.0, 1.0], &[2.0, 50.0], &[3.0; 300]])?;
    let mut graph = DescendArgs { p: Moments { tensors, rate: 3.0 }, g: &g }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.view_of::<f32>("p.tensors[0]")?.to_vec()?, [5.0, 6.0]);
    assert_eq!(graph.view_of::<f32>("p.tensors[1]")?.to_vec()?, [18.0]);
    assert_eq!(graph.view_of::<f32>("p.tensors[2]")?.to_vec()?, [12.0; 300]);
    let other = device.buffer_from(&[100.0_f32])?;
    graph.rebind_g(1, &other)?;
    run(&mut graph)?;
    assert_eq!(graph.view_of::<f32>("p.tensors[0]")?.to_vec()?, [9.0, 10.0]);
    assert_eq!(graph.view_of::<f32>("p.tensors[1]")?.to_vec()?, [418.0]);
    Ok(())
}

/// Lists of transients, lists in lists, lists without buffers.
pub fn numbered(device: &Device) -> Result<()> {
    let row = |lengths: &[usize]| lengths.iter().map(|length| device.zeros(*length)).collect::<Result<Vec<_>>>();
    let lists = vec![row(&[3, 1])?, row(&[])?, row(&[2, 2, 2])?];
    let mut graph = NumberedArgs { lists, count: device.zeros(6)?, one: device.zeros(4)?, m: 3, n: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.one().to_vec()?, [200, 201, 202, 203]);
    assert_eq!(graph.count().to_vec()?, [4, 2, 0, 0, 6, 3]);
    assert_eq!(graph.lists(0, 0)?.to_vec()?, [0, 1, 2]);
    assert_eq!(graph.lists(2, 2)?.to_vec()?, [200, 201]);
    Ok(())
}

/// A table in a loop, and one buffer twice, which is refused.
pub fn repeated(device: &Device) -> Result<()> {
    let g = buffers(device, &[&[1.0], &[2.0, 3.0]])?;
    let p = buffers(device, &[&[0.5], &[0.0, 0.0]])?;
    let mut graph = RepeatedArgs { p, g: &g, rounds: device.buffer_from(&[5])? }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.iterations(Repeated::ROUNDS)?, 5);
    assert_eq!((graph.p(0)?.to_vec()?, graph.p(1)?.to_vec()?), (vec![10.5], vec![20.0, 30.0]));
    Ok(())
}

/// Launches in flight go on with the table that they were launched with.
pub fn rebound(device: &Device) -> Result<()> {
    let (ones, tens) = (device.buffer_from(&[1.0_f32; 1000])?, device.buffer_from(&[10.0_f32; 1000])?);
    let other = device.buffer_from(&[0.5_f32; 3])?;
    let p = vec![device.zeros::<f32>(1000)?, device.zeros(3)?];
    let mut graph = StepArgs { p, g: vec![&ones, &other] }.build(device)?;
    for round in 0..20 {
        run(&mut graph)?;
        graph.rebind_g(0, if round % 2 == 0 { &tens } else { &ones })?;
    }
    assert_eq!(graph.p(0)?.to_vec()?, [110.0; 1000]);
    assert_eq!(graph.p(1)?.to_vec()?, [10.0; 3]);
    Ok(())
}

/// A requirement over lists, with what they have.
pub fn matching(device: &Device) -> Result<()> {
    let mut p = buffers(device, &[&[1.0, 2.0, 5.0], &[10.0]])?;
    let g = buffers(device, &[&[1.0, 1.0, 1.0], &[2.0]])?;
    let mut graph = MatchingArgs { p: &mut p, g: &g }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.p(0)?.to_vec()?, graph.p(1)?.to_vec()?), (vec![1.0, 1.0, 6.0], vec![12.0]));
    let other = device.buffer_from(&[1.0_f32; 7])?;
    let wrong = graph.rebind_g(1, &other).unwrap_err().to_string();
    assert!(wrong.contains("`from` has 2 buffers, of 3, 7 elements") && wrong.contains("CG0212"), "{wrong}");
    let few = graph.rebind_all_g(&g[..1]).unwrap_err().to_string();
    assert!(few.contains("requires `from.len() == to.len()`") && few.contains("`from` has 1 buffer, of 3"), "{few}");
    run(&mut graph)
}
