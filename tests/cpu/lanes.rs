//! Graphs on lanes: what `plan()` and `explain` say, what stays as it is, and memory that is bought with them.
#![allow(clippy::float_cmp, clippy::cast_precision_loss, reason = "exact numbers, small ones")]

use graph_runtime::prelude::*;
use graph_runtime::{Explanation, Pass, Planning};
use tests::kernels::basic;
use tests::pipelines::wide::{LISTS, Wide, WideArgs};

cuda_graph! {
    /// Every node has a body of its own around `LISTS` chains.
    graph Inside(x: [&mut [f32; n]], go: &[u32; 1]) {
        if go[0] > 0 {
            for i in 0..x.len() {
                basic::add_constant<<<1, 32>>>(&mut x[i], 1.0, n as u32);
                basic::add_constant<<<1, 32>>>(&mut x[i], i as f32, n as u32);
            }
        }
    }

    /// `told` and `asked` meet the outside, and neither waits for the other.
    graph Meeting(x: [&mut [f32; n]], told: &mut mailbox [u32; 1], asked: &mailbox [u32; 1], seen: &mut [u32; 1]) {
        for i in 0..x.len() { basic::add_constant<<<1, 32>>>(&mut x[i], 1.0, n as u32); }
        'tell: told[0] = 1;
        'look: seen[0] = asked[0];
        for i in 0..x.len() { basic::add_constant<<<1, 32>>>(&mut x[i], 2.0, n as u32); }
    }

    #[explicit]
    graph Explicit(x: [&mut [f32; n]]) {
        for i in 0..x.len() { basic::add_constant<<<1, 32>>>(&mut x[i], 1.0, n as u32); }
    }
}

fn lists(device: &Device, count: usize, length: usize) -> Vec<Buffer<f32>> {
    (0..count).map(|_| device.zeros(length).unwrap()).collect()
}

fn wide(device: &Device, count: usize, length: usize) -> Result<Wide<'static>> {
    WideArgs { x: lists(device, count, length), factor: 2.0, rounds: 1 }.build(device)
}

#[test]
fn a_wide_graph_has_128_lanes_and_a_narrow_one_has_none() -> Result<()> {
    let device = Device::cpu();
    let data = wide(&device, LISTS, 4)?.plan().data();
    let pass = data.passes.iter().find(|pass| pass.name == "lanes").unwrap();
    let said = "128 lanes: 66 edges added, 0 edges follow from others then";
    assert_eq!((pass.count, pass.result.as_str()), (128, said));
    assert_eq!(data.width, 128);
    let added: Vec<_> = data.edges.iter().filter(|edge| edge.reasons[0].kind == "lane").collect();
    // On each of the three levels there are so many too many.
    assert_eq!(added.len(), 3 * (LISTS - 128));
    for edge in added {
        let [from, to] = [edge.from, edge.to].map(|node| data.nodes[node as usize].lane);
        assert_eq!(from, to);
        assert_eq!(edge.reasons.len(), 1);
    }
    assert!(data.nodes.iter().all(|node| node.lane.is_some_and(|lane| lane < 128)));
    let narrow = wide(&device, 128, 4)?.plan();
    let without = wide(&device.planned(Planning::default().without(Pass::Lanes)), 128, 4)?.plan();
    assert!(narrow.edges() == without.edges() && narrow.nodes() == without.nodes());
    assert!(narrow.data().nodes.iter().all(|node| node.lane.is_none()));
    assert!(!narrow.to_string().contains("lanes"), "{narrow}");
    Ok(())
}

#[test]
fn a_lane_says_that_nothing_asks_for_its_order() -> Result<()> {
    let graph = wide(&Device::cpu().planned(Planning::default().lanes(1)), 2, 4)?;
    let plan = graph.plan().to_string();
    // In turns, so no edge of the block is left.
    assert!(plan.contains("\nlanes: 1 lane, as asked for: 5 edges added, 4 edges follow from others then\n"), "{plan}");
    let said = "<- copy_scaled[0][0]: lane 0 runs them one behind the other; nothing in the block asks for it\n";
    assert!(plan.contains(said), "{plan}");
    assert_eq!(plan.matches(", lane 0)\n").count(), 6, "{plan}");
    Ok(())
}

#[test]
fn nobody_can_tell_a_wide_graph_by_its_results() -> Result<()> {
    for device in [Device::cpu(), Device::cpu().shuffled(1), Device::cpu().shuffled(2), Device::cpu().deferred()] {
        tests::pipelines::wide::wide(&device)?;
        tests::pipelines::wide::wide(&device.planned(Planning::default().lanes(3)))?;
    }
    Ok(())
}

#[test]
fn bodies_have_lanes_of_their_own() -> Result<()> {
    let device = Device::cpu();
    let go = device.buffer_from(&[1_u32])?;
    let mut graph = InsideArgs { x: lists(&device, LISTS, 2), go: &go }.build(&device)?;
    let data = graph.plan().data();
    assert_eq!(data.width, 128);
    assert_eq!(data.nodes.iter().filter(|node| node.lane.is_some()).count(), 2 * LISTS);
    graph.launch()?;
    assert_eq!(graph.view_of::<f32>(&format!("x[{}]", LISTS - 1))?.to_vec()?, [LISTS as f32; 2]);
    Ok(())
}

#[test]
fn what_meets_the_outside_has_no_lane_and_an_explicit_graph_stays() -> Result<()> {
    let device = Device::cpu().planned(Planning::default().lanes(2));
    let (told, asked) = (device.mailbox(&[0_u32])?, device.mailbox(&[5_u32])?);
    let (told, asked, seen) = (&told, &asked, device.zeros::<u32>(1)?);
    let mut graph = MeetingArgs { x: lists(&device, 6, 2), told, asked, seen }.build(&device)?;
    let data = graph.plan().data();
    for label in ["tell", "look"] {
        let at = data.nodes.iter().position(|node| node.label == label).unwrap();
        assert_eq!(data.nodes[at].lane, None);
        assert!(data.edges.iter().all(|edge| edge.from != at as u32 && edge.to != at as u32), "{label}");
    }
    assert_eq!(data.width, 4);
    graph.launch()?;
    assert_eq!((graph.seen().to_vec()?, graph.view_of::<f32>("x[5]")?.to_vec()?), (vec![5], vec![3.0; 2]));
    let explicit = ExplicitArgs { x: lists(&device, 6, 2) }.build(&device)?;
    assert_eq!((explicit.plan().width(), explicit.plan().edges().len()), (6, 0));
    Ok(())
}

#[test]
fn setters_and_other_graphs_keep_the_lanes() -> Result<()> {
    let device = Device::cpu().shuffled(4);
    let mut graph = wide(&device, LISTS, 4)?;
    let before = graph.plan().to_json();
    graph.set_factor(5.0)?;
    assert_eq!(graph.plan().to_json(), before);
    let other = wide(&device, LISTS, 4)?;
    let update = graph.update_from(other)?;
    assert!(!update.is_rebuilt(), "{update}");
    let few = wide(&device.clone().planned(Planning::default().lanes(2)), LISTS, 4)?;
    let update = graph.update_from(few)?.to_string();
    assert!(update.starts_with("rebuilt: `"), "{update}");
    assert_eq!(graph.plan().width(), 2);
    graph.set_rounds(2)?;
    assert_eq!(graph.plan().width(), 2, "the other graph's planning came with it");
    Ok(())
}

#[test]
fn the_same_graph_has_the_same_lanes_on_any_number_of_threads() -> Result<()> {
    let plans: Vec<_> = [1, 4]
        .map(|count| wide(&Device::cpu().threads(count)?, LISTS, 4).map(|graph| graph.plan().to_json()))
        .into_iter()
        .collect::<Result<_>>()?;
    assert_eq!(plans[0], plans[1]);
    Ok(())
}

/// UC-102: three transients side by side, or in one place behind each other.
#[test]
fn a_memory_budget_is_kept_by_fewer_lanes_or_refused_with_the_least_that_would_do() -> Result<()> {
    let device = |bytes| Device::cpu().shuffled(9).planned(Planning::default().memory_budget(bytes));
    let needs =
        |bytes: u64| wide(&device(bytes), 3, 256).map(|graph| (graph.plan().arena_bytes(), graph.plan().width()));
    assert_eq!(needs(3072)?, (3072, 3));
    assert_eq!(needs(3071)?, (2048, 2));
    assert_eq!(needs(2047)?, (1024, 1));
    let error = needs(1023).unwrap_err().to_string();
    let said = "the transients of graph `Wide` need 3.0 KiB of device memory, and its memory budget is 1023 bytes\n\
                note: on fewer lanes, down to one, they need at least 1.0 KiB\n\
                help: give it a budget of at least 1024 bytes";
    assert_eq!(error, said);
    let without = Device::cpu().planned(Planning::default().memory_budget(1024).without(Pass::Lanes));
    let error = wide(&without, 3, 256).unwrap_err().to_string();
    assert!(error.ends_with("help: give it a budget of at least 3072 bytes"), "{error}");
    assert!(error.contains("note: the pass `lanes` is off"), "{error}");
    let mut graph = wide(&device(1024), 3, 256)?;
    assert!(graph.plan().to_string().contains("\nlanes: 1 lane, for the memory budget: "), "{}", graph.plan());
    graph.launch()?;
    assert_eq!(graph.view_of::<f32>("x[2]")?.to_vec()?, [2.0; 256]);
    let refused = graph.set_factor(1.0).and_then(|()| graph.set_rounds(3));
    refused.map(|()| assert_eq!(graph.plan().arena_bytes(), 1024))
}

#[test]
fn a_plan_says_which_passes_are_off() -> Result<()> {
    let plan = wide(&Device::cpu().planned(Planning::as_written()), 2, 4)?.plan();
    for pass in Pass::ALL {
        assert!(plan.to_string().contains(&format!("\n{pass}: off\n")), "{plan}");
    }
    assert!(plan.data().passes.iter().all(|pass| pass.off));
    Ok(())
}

cuda_graph! {
    graph Two(left: &mut [f32; n], right: &mut [f32; n]) {
        'a: basic::add_constant<<<1, 32>>>(&mut left, 1.0, n as u32);
        'b: basic::add_constant<<<1, 32>>>(&mut left, 1.0, n as u32);
        'c: basic::add_constant<<<1, 32>>>(&mut right, 1.0, n as u32);
        'd: basic::add_constant<<<1, 32>>>(&mut right, 1.0, n as u32);
    }
}

/// On one lane they run in the order `a`, `c`, `b`, `d`, so the edge from `a` to `b` follows from others.
#[test]
fn the_order_of_the_block_is_explained_by_the_block_and_that_of_a_lane_by_the_lane() -> Result<()> {
    let device = Device::cpu().planned(Planning::default().lanes(1));
    let graph = TwoArgs { left: device.zeros(2)?, right: device.zeros(2)? }.build(&device)?;
    assert_eq!(graph.plan().edges().len(), 3);
    let reasons = |one, other| match graph.explain(one, other) {
        Ok(Explanation::Ordered { chain, .. }) => chain.into_iter().map(|edge| edge.reason).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(reasons(Two::A, Two::B), ["it reads `left`, which `a` writes"]);
    let lane = "lane 0 runs them one behind the other; nothing in the block asks for it";
    assert_eq!(reasons(Two::A, Two::C), [lane]);
    assert_eq!(reasons(Two::D, Two::A), [lane; 3]);
    Ok(())
}

#[test]
fn on_the_cpu_there_is_nothing_to_tune() -> Result<()> {
    let mut graph = wide(&Device::cpu(), LISTS, 4)?;
    graph.launch()?;
    let (plan, x) = (graph.plan().to_json(), graph.view_of::<f32>("x[9]")?.to_vec()?);
    let tuning = graph.tune(std::time::Duration::from_secs(9))?;
    let said = "graph Wide on the CPU: nothing to tune, since launches on the CPU have no shape that costs";
    assert_eq!(tuning.to_string(), said);
    graph.use_tuning(&tuning)?;
    assert_eq!((graph.plan().to_json(), graph.view_of::<f32>("x[9]")?.to_vec()?), (plan, x));
    Ok(())
}
