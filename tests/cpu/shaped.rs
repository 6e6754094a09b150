//! What `plan()` and `explain` say of gates and of launches that begin early.

use graph_runtime::prelude::*;
use graph_runtime::{Explanation, Pass, Planning};
use tests::kernels::basic;
use tests::pipelines::launches::overlapping;
use tests::pipelines::relays::{AllToAll, AllToAllArgs};

cuda_graph! {
    /// `late` is the first that is no kernel, `mine` the first kernel that does not wait.
    graph Mixed(x: &mut [u32; n], y: &mut [u32; n]) {
        'first: kernel for i in 0..n { x[i] += 1; }
        'second: overlapping::step<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        'third: kernel for i in 0..n { x[i] += 2; }
        'mine: basic::increment<<<n.div_ceil(64), 64>>>(&mut x, n as u32);
        'fourth: kernel for i in 0..n { x[i] += 3; }
        'late: copy(&x, &out y);
    }
}

cuda_graph! {
    /// Two for each list, of which the second waits for the first.
    graph SideBySide(x: [&mut [u32; n]]) {
        for i in 0..x.len() { basic::increment<<<1, 32>>>(&mut x[i], n as u32); }
        for i in 0..x.len() { basic::increment<<<1, 32>>>(&mut x[i], n as u32); }
    }
}

fn layers(device: &Device) -> Result<AllToAll<'static>> {
    let lists = || (0..12).map(|_| device.zeros::<u32>(100)).collect::<Result<Vec<_>>>();
    AllToAllArgs { a: lists()?, b: lists()?, go: device.zeros(1)? }.build(device)
}

fn said(plan: &graph_runtime::PlanView, pass: &str) -> (u64, String) {
    let data = plan.data();
    let pass = data.passes.iter().find(|one| one.name == pass).unwrap();
    (pass.count, pass.result.clone())
}

#[test]
fn layers_have_a_gate_and_keep_their_edges() -> Result<()> {
    let plan = layers(&Device::cpu())?.plan();
    assert_eq!(
        said(&plan, "gates"),
        (3, "2 gates have 48 edges in the place of 288; 1 lets 12 launches begin".to_owned())
    );
    // Twelve side by side are too many to gain by it.
    assert_eq!(said(&plan, "overlap").0, 0);
    // 144 between layers, 12 to the `if`; 144 in its body.
    assert_eq!(plan.data().edges.len(), 300);
    Ok(())
}

#[test]
fn many_that_wait_for_nothing_have_a_gate_in_front() -> Result<()> {
    let device = Device::cpu();
    for (count, wanted) in
        [(11, (0, "0 gates have 0 edges in the place of 0")), (12, (1, "1 gate lets 12 launches begin"))]
    {
        let x: Vec<_> = (0..count).map(|_| device.zeros::<u32>(8)).collect::<Result<_>>()?;
        let plan = SideBySideArgs { x }.build(&device)?.plan();
        assert_eq!(said(&plan, "gates"), (wanted.0, wanted.1.to_owned()));
        assert_eq!(said(&plan, "overlap").0, 0, "a gate at the start begins before nothing");
        assert_eq!(plan.data().edges.len(), count, "those of the block");
    }
    Ok(())
}

#[test]
fn without_the_passes_all_edges_are_full() -> Result<()> {
    let device = Device::cpu().planned(Planning::default().without(Pass::Gates).without(Pass::Overlap));
    let plan = layers(&device)?.plan();
    assert_eq!(said(&plan, "gates"), (0, "off".to_owned()));
    assert_eq!(said(&plan, "overlap"), (0, "off".to_owned()));
    assert_eq!(plan.data().edges.len(), 300);
    let mixed = MixedArgs { x: device.zeros(8)?, y: device.zeros(8)? }.build(&device)?;
    assert!(mixed.plan().edges().iter().all(|edge| !edge.overlap));
    Ok(())
}

cuda_graph! {
    /// The second kernel reads what another index of the first wrote, so they do not share a launch.
    graph Turned(x: &mut [u32; n], y: &out [u32; n], z: &out [u32; n]) {
        'x: kernel for i in 0..n { x[i] += 1; }
        'y: kernel for i in 0..n { y[i] = x[n - 1 - i]; }
        'fill: fill(&out z, 0);
        'z: kernel for i in 0..n { z[i] += 1; }
    }
}

#[test]
fn large_kernels_and_fills_wait_as_ever() -> Result<()> {
    let device = Device::cpu();
    for (n, begin) in [(1 << 17, &["y", "z"][..]), ((1 << 17) + 1, &[])] {
        let graph = TurnedArgs { x: device.zeros(n)?, y: device.zeros(n)?, z: device.zeros(n)? }.build(&device)?;
        let early: Vec<_> = graph.plan().edges().into_iter().filter(|edge| edge.overlap).map(|edge| edge.to).collect();
        assert_eq!(early, begin, "{n} elements\n{}", graph.plan());
    }
    Ok(())
}

#[test]
fn kernels_of_others_and_copies_wait_as_ever() -> Result<()> {
    let device = Device::cpu();
    let graph = MixedArgs { x: device.zeros(8)?, y: device.zeros(8)? }.build(&device)?;
    let early: Vec<_> = graph.plan().edges().into_iter().filter(|edge| edge.overlap).map(|edge| edge.to).collect();
    assert_eq!(early, ["second", "third"]);
    let overlaps = |from, to| match graph.explain(from, to) {
        Ok(Explanation::Ordered { chain, .. }) => chain.iter().map(|edge| edge.overlap).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(overlaps(Mixed::FIRST, Mixed::THIRD), [true, true]);
    assert_eq!(overlaps(Mixed::THIRD, Mixed::LATE), [false; 3]);
    Ok(())
}
