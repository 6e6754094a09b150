//! Transients that stay in registers on a CUDA device: where nodes run one by one they have memory, and plans say which they are.

use graph_ir::testing::bodies::bytes;
use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};
use tests::chains::{Chain, run};

/// With every pass, without what keeps transients, and without what puts them together.
#[test]
fn random_chains_are_what_they_are_without_registers() -> Result<()> {
    let mut kept = [0; 3];
    for seed in 0..120 {
        let chain = Chain::new(&bytes(seed, 200));
        let left_out = [None, Some(Pass::Registers), Some(Pass::Fusion)];
        for (kept, left_out) in kept.iter_mut().zip(left_out) {
            let planning = left_out.map_or(Planning::default(), |pass| Planning::default().without(pass));
            *kept += run(&Device::cpu().shuffled(seed).planned(planning), &chain)?;
        }
    }
    assert!(kept[0] > 120 && kept[1] == 0 && kept[2] < kept[0], "{kept:?}");
    Ok(())
}

cuda_graph! {
    graph Chained(x: &[f32; n], y: &out [f32; n], z: &out [f32; n], n: usize, last: usize) {
        let a: [f32; n];
        let b: [f32; n];
        let c: [f32; n];
        'a: kernel for i in 0..n { a[i] = x[i] + 1.0; }
        'b: kernel for i in 0..n { b[i] = 2.0 * a[i]; }
        'c: kernel for i in 0..n { c[i] = b[i] - a[i]; }
        'y: kernel for i in 0..n { y[i] = c[i]; }
        'z: kernel for i in 0..n { z[i] = b[last - i]; }
    }
}

fn chained(device: &Device, n: usize) -> Result<Chained<'static>> {
    let (x, y, z) = (device.buffer_from(&numbers(n))?, device.zeros(n)?, device.zeros(n)?);
    ChainedArgs { x, y, z, n, last: n - 1 }.build(device)
}

fn numbers(n: usize) -> Vec<f32> {
    (0_u8..97).map(f32::from).cycle().take(n).collect()
}

/// `y` and `z` of [`chained`].
fn expected(n: usize) -> (Vec<f32>, Vec<f32>) {
    let x = numbers(n);
    (x.iter().map(|x| x + 1.0).collect(), x.iter().rev().map(|x| 2.0 * (x + 1.0)).collect())
}

#[test]
fn a_plan_says_what_stays_in_registers_and_the_arena_has_no_place_for_it() -> Result<()> {
    let mut graph = chained(&Device::cpu(), 1000)?;
    let plan = graph.plan();
    let said = "one launch with b, c, y; keeps `a`, `c` in registers";
    assert!(plan.to_string().contains(said), "{plan}");
    assert!(plan.to_string().contains("\nregisters: 2 transients stay in registers\n"), "{plan}");
    let data = plan.data();
    let of = |name: &str| {
        data.buffers.iter().find(|buffer| buffer.name == name).map(|buffer| (buffer.offset, &buffer.registers))
    };
    let launch = Some("of the launch of a".to_owned());
    assert_eq!([of("a"), of("b"), of("c")], [Some((None, &launch)), Some((Some(0), &None)), Some((None, &launch))]);
    assert_eq!(graph.memory().transients, 4096, "only `b`");
    assert_eq!(graph.memory().spare, 0, "until nodes run one by one");
    graph.launch()?;
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), expected(1000));
    assert_eq!(graph.memory().spare, 2 * 4096, "the CPU runs nodes one by one");
    Ok(())
}

/// Node by node, each buffer's bytes are where the plan says, what stays in registers among them.
#[test]
fn runs_that_are_looked_at_see_what_stays_in_registers() -> Result<()> {
    let mut graph = chained(&Device::cpu().shuffled(3), 10)?;
    assert!(graph.plan().to_string().contains("2 transients stay in registers"), "{}", graph.plan());
    let checked = graph.run_checked()?;
    assert!(checked.skipped.is_empty(), "{checked:?}");
    assert_eq!(graph.memory().spare, 2 * 256);
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), expected(10));
    Ok(())
}

#[test]
fn without_the_pass_everything_lies_in_memory() -> Result<()> {
    let device = Device::cpu().planned(Planning::default().without(Pass::Registers));
    let mut graph = chained(&device, 1000)?;
    assert_eq!((graph.memory().transients, graph.memory().spare), (3 * 4096, 0));
    graph.launch()?;
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), expected(1000));
    Ok(())
}

cuda_graph! {
    /// `t` is done with when `u` is computed, unless both are in the launch of `a`, which is needed to the end.
    graph Late(x: &[f32; n], y: &out [f32; n], n: usize) {
        let t: [f32; n];
        let a: [f32; n];
        let u: [f32; n];
        'copies: copy(&x, &out t);
        'a: kernel for i in 0..n { a[i] = t[i] + 1.0; }
        'u: kernel for i in 0..n { u[i] = 2.0 * a[i]; }
        'y: kernel for i in 0..n { y[i] = u[n - 1 - i] + a[n - 1 - i]; }
    }
}

fn late(planning: Planning, n: usize) -> Result<(String, u64, Vec<f32>)> {
    let device = Device::cpu().shuffled(1).planned(planning);
    let (x, y) = (device.buffer_from(&numbers(n))?, device.zeros(n)?);
    let mut graph = LateArgs { x, y, n }.build(&device)?;
    graph.launch()?;
    Ok((graph.plan().to_string(), graph.memory().transients, graph.y().to_vec()?))
}

#[test]
fn a_launch_is_not_shared_where_that_takes_more_memory() -> Result<()> {
    const LARGE: usize = 1 << 20;
    let expected = |n| numbers(n).iter().rev().map(|x| 3.0 * (x + 1.0)).collect::<Vec<_>>();
    let (plan, bytes, y) = late(Planning::default(), LARGE)?;
    assert!(plan.contains("not in the launch of a: 4194304 bytes more would be needed at once"), "{plan}");
    assert_eq!((bytes, y), (8 << 20, expected(LARGE)));
    // Where memory is no matter launches are.
    let (plan, bytes, y) = late(Planning::default(), 1000)?;
    assert!(plan.contains("one launch with u"), "{plan}");
    assert_eq!((bytes, y), (3 * 4096, expected(1000)));
    // Unless there is a budget.
    let (plan, bytes, y) = late(Planning::default().memory_budget(3 * 4096), 1000)?;
    assert!(plan.contains("not in the launch of a: 4000 bytes more would be needed at once"), "{plan}");
    assert_eq!((bytes, y), (2 * 4096, expected(1000)));
    let error = late(Planning::default().memory_budget(4096), 1000).unwrap_err().to_string();
    assert!(error.ends_with("help: give it a budget of at least 8192 bytes"), "{error}");
    Ok(())
}
