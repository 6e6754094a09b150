//! Fills and copies that nobody reads, or that are one: what is left out, what stays, and that nobody can tell.

use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning, Update};
use tests::kernels::basic;
use tests::moves::{Drawn, applied, run};

#[test]
fn random_moves_are_what_they_are_with_everything_in_its_place() -> Result<()> {
    let alone = Planning::default().without(Pass::Unread);
    let mut counts = [[0; 2]; 3];
    for seed in 0..400 {
        let drawn = Drawn::new(seed);
        for (counts, planning) in counts.iter_mut().zip([Planning::default(), alone, Planning::as_written()]) {
            let passes = run(&Device::cpu().shuffled(seed).planned(planning), &drawn)?;
            counts[0] += applied(&passes, Pass::Unread.name());
            counts[1] += applied(&passes, Pass::Merging.name());
        }
    }
    assert!(counts[0].iter().all(|count| *count > 100) && counts[1][0] == 0 && counts[1][1] > 100, "{counts:?}");
    assert_eq!(counts[2], [0; 2]);
    Ok(())
}

cuda_graph! {
    #[allow(unread_result, reason = "what this is about")]
    graph Replaced(x: &mut [f32; n], y: &[f32; n], k: usize, by: f32) {
        let t: [f32; n] = by;
        'low: fill(&out x[..k], by);
        'all: copy(&y, &out x);
        'kept: copy(&x, &out t);
    }
}

#[test]
fn a_plan_says_what_is_left_out_and_a_transient_that_is_left_needs_no_memory() -> Result<()> {
    let (x, y) = (Device::cpu().buffer_from(&[7.0_f32; 8])?, Device::cpu().buffer_from(&[1.0_f32; 8])?);
    let mut graph = ReplacedArgs { x, y, k: 3, by: 2.0 }.build(&Device::cpu())?;
    let plan = graph.plan();
    assert!(plan.to_string().contains("\nunread: 3 fills and copies are left out: nobody reads what they write\n"));
    assert_eq!(plan.nodes().iter().map(|node| node.label.clone()).collect::<Vec<_>>(), ["all"]);
    assert_eq!(graph.memory().transients, 0, "{plan}");
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1.0; 8]);
    let told = graph.explain(Replaced::LOW, Replaced::ALL).unwrap_err().to_string();
    assert!(told.contains(" is not part of the graph: nobody reads what it writes\nhelp: "), "{told}");
    Ok(())
}

/// A value that only what was left out is passed makes no difference.
#[test]
fn setters_of_what_is_left_out_touch_nothing() -> Result<()> {
    let (x, y) = (Device::cpu().zeros(8)?, Device::cpu().buffer_from(&[1.0_f32; 8])?);
    let mut graph = ReplacedArgs { x, y, k: 3, by: 2.0 }.build(&Device::cpu())?;
    graph.set_by(5.0)?;
    assert_eq!(graph.last_update().and_then(Update::touched), Some(0));
    graph.set_k(8)?;
    assert_eq!(graph.last_update().and_then(Update::touched), Some(0));
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1.0; 8]);
    Ok(())
}

cuda_graph! {
    /// What is filled is replaced in front of `k` only.
    graph Front(x: &mut [f32; n], y: &[f32; n], k: usize) {
        'fills: fill(&out x, 9.0);
        'moves: copy(&y[..k], &out x[..k]);
    }

    /// The same for a value with a bound, for which the plan is made once.
    #[allow(unread_result, reason = "what this is about")]
    graph Bounded(x: &mut [f32; n], y: &[f32; n], k: usize <= n) {
        'fills: fill(&out x, 9.0);
        'again: fill(&out x[..k], 8.0);
        'moves: copy(&y[..k], &out x[..k]);
    }

    /// What may be switched off replaces nothing.
    graph Switched(x: &mut [f32; n], y: &[f32; n]) {
        'fills: fill(&out x, 9.0);
        #[optional]
        'moves: basic::copy_scaled<<<1, 32>>>(&y, &out x, 1.0, n as u32);
    }
}

fn ones_and_zeros() -> Result<(Buffer<f32>, Buffer<f32>)> {
    Ok((Device::cpu().zeros(4)?, Device::cpu().buffer_from(&[1.0; 4])?))
}

#[test]
fn a_setter_that_makes_somebody_read_brings_the_fill_back() -> Result<()> {
    let (x, y) = ones_and_zeros()?;
    let mut graph = FrontArgs { x, y, k: 4 }.build(&Device::cpu())?;
    assert_eq!(graph.plan().nodes().len(), 1);
    graph.set_k(3)?;
    assert!(graph.last_update().is_some_and(Update::is_rebuilt));
    graph.launch()?;
    assert_eq!((graph.plan().nodes().len(), graph.x().to_vec()?), (2, vec![1.0, 1.0, 1.0, 9.0]));
    graph.set_k(4)?;
    assert!(graph.last_update().is_some_and(Update::is_rebuilt));
    graph.launch()?;
    assert_eq!((graph.plan().nodes().len(), graph.x().to_vec()?), (1, vec![1.0; 4]));
    Ok(())
}

#[test]
fn a_value_with_a_bound_is_not_relied_on() -> Result<()> {
    let (x, y) = ones_and_zeros()?;
    let mut graph = BoundedArgs { x, y, k: 4 }.build(&Device::cpu())?;
    let nodes = graph.plan().nodes().len();
    for k in [4, 2, 0, 3] {
        graph.set_k(k)?;
        graph.launch()?;
        let expected: Vec<f32> = (0..4).map(|i| if i < k { 1.0 } else { 9.0 }).collect();
        assert_eq!((graph.x().to_vec()?, graph.plan().nodes().len()), (expected, nodes), "{k}");
    }
    Ok(())
}

#[test]
fn what_is_switched_off_needs_what_is_in_front() -> Result<()> {
    let (x, y) = ones_and_zeros()?;
    let mut graph = SwitchedArgs { x, y }.build(&Device::cpu())?;
    graph.disable(Switched::MOVES)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [9.0; 4]);
    graph.enable(Switched::MOVES)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1.0; 4]);
    Ok(())
}

cuda_graph! {
    /// Three fills of one value and two copies that go on where the other ends.
    graph Parts(x: &mut [f32; n], y: &[f32; n], z: &mut [f32; n], by: f32, other: f32, k: usize) {
        'low: fill(&out x[..k], by);
        'high: fill(&out x[k..6], by);
        'rest: fill(&out x[6..], other);
        'first: copy(&y[..k], &out z[..k]);
        'second: copy(&y[k..], &out z[k..]);
    }
}

fn parts(planning: Planning) -> Result<Parts<'static>> {
    let device = Device::cpu().planned(planning);
    let y: Vec<f32> = (0_u8..8).map(f32::from).collect();
    let (x, y, z) = (device.zeros(8)?, device.buffer_from(&y)?, device.zeros(8)?);
    PartsArgs { x, y, z, by: 2.0, other: 2.0, k: 3 }.build(&device)
}

#[test]
fn neighbours_are_one_node_and_a_plan_says_which() -> Result<()> {
    let mut graph = parts(Planning::default())?;
    let plan = graph.plan();
    let labels: Vec<_> = plan.nodes().into_iter().map(|node| node.label).collect();
    assert_eq!(labels, ["low", "rest", "first"], "`other` can be set without `by`");
    let text = plan.to_string();
    for said in ["\nmerging: 2 fills and copies are done by others\n", "one fill with high", "one copy with second"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let told = graph.explain(Parts::HIGH, Parts::SECOND)?.to_string();
    assert!(told.starts_with("nothing orders node `low`"), "{told}");
    assert_eq!(parts(Planning::default().without(Pass::Merging))?.plan().nodes().len(), 5);
    graph.launch()?;
    let z: Vec<f32> = (0_u8..8).map(f32::from).collect();
    assert_eq!((graph.x().to_vec()?, graph.z().to_vec()?), (vec![2.0; 8], z));
    Ok(())
}

/// The value of both fills changes, and the border between them: one node is passed others.
#[test]
fn setters_reach_what_is_merged() -> Result<()> {
    let mut graph = parts(Planning::default())?;
    graph.set_by(5.0)?;
    assert_eq!(graph.last_update().and_then(Update::touched), Some(1));
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 2.0, 2.0]);
    graph.set_k(5)?;
    assert_eq!(graph.last_update().and_then(Update::touched), Some(0), "the same parts as a whole");
    graph.set_other(1.0)?;
    graph.z_mut()?.write_from(&[9.0; 8])?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 1.0, 1.0]);
    assert_eq!(graph.z().to_vec()?, (0_u8..8).map(f32::from).collect::<Vec<_>>());
    Ok(())
}
