//! Which loops `plan()` says one launch runs.

use graph_runtime::prelude::*;

cuda_graph! {
    graph Alone(x: &mut [u32; n], y: &mut [u32; n], s: &out [u32; 1], passes: u64) {
        fill(&out s, 0);
        'whole: loop limit passes {
            kernel for i in 0..n { x[i] += 1; }
            kernel for i in 0..n { y[i] += 2; }
            s[0] = (0..n).map(|i| x[(i + 1) % n] + y[(i + 1) % n]).sum();
        }
    }

    graph Beside(x: &mut [u32; n], y: &mut [u32; n], passes: u64) {
        loop limit passes { kernel for i in 0..n { x[i] += 1; } }
        kernel for i in 0..n { y[i] += 2; }
    }

    graph Copies(x: &mut [u32; n], y: &mut [u32; n], passes: u64) {
        loop limit passes {
            kernel for i in 0..n { x[i] += 1; }
            copy(&x, &out y);
        }
    }

    graph Optional(x: &mut [u32; n], passes: u64) {
        loop limit passes {
            #[optional]
            'raise: kernel for i in 0..n { x[i] += 1; }
        }
    }

    graph Nested(x: &mut [u32; n], go: &[u32; 1], passes: u64) {
        'outer: loop limit passes {
            'inner: loop limit 3 { kernel for i in 0..n { x[i] += 1; } }
            if go[0] > 0 { 'within: loop limit 2 { kernel for i in 0..n { x[i] += 1; } } }
        }
    }

    graph NestedBeside(x: &mut [u32; n], y: &mut [u32; n], go: &[u32; 1]) {
        if go[0] > 0 { loop limit 2 { kernel for i in 0..n { x[i] += 1; } } }
        kernel for i in 0..n { y[i] += 2; }
    }
}

const TEXT: &str = "one launch runs all passes";

fn buffers(device: &Device) -> Result<[Buffer<u32>; 3]> {
    Ok([device.zeros(8)?, device.zeros(8)?, device.zeros(1)?])
}

#[test]
fn a_loop_of_kernels_in_the_block_is_one_launch() -> Result<()> {
    let device = Device::cpu();
    let [x, y, s] = buffers(&device)?;
    let graph = AloneArgs { x, y, s, passes: 3 }.build(&device)?;
    let plan = graph.plan().to_string();
    // The two kernels are one launch, which the sum waits for; the last wait is that of the test.
    let text = "= one launch runs all passes; its blocks wait for each other 2 times a pass";
    assert_eq!(plan.matches(text).count(), 1, "{plan}");
    Ok(())
}

#[test]
fn what_has_other_work_in_it_or_beside_it_is_not() -> Result<()> {
    let device = Device::cpu();
    let [x, y, _] = buffers(&device)?;
    let beside = BesideArgs { x, y, passes: 3 }.build(&device)?.plan().to_string();
    let [x, y, _] = buffers(&device)?;
    let copies = CopiesArgs { x, y, passes: 3 }.build(&device)?.plan().to_string();
    let [x, ..] = buffers(&device)?;
    let optional = OptionalArgs { x, passes: 3 }.build(&device)?.plan().to_string();
    let [x, y, go] = buffers(&device)?;
    let nested = NestedBesideArgs { x, y, go: &go }.build(&device)?.plan().to_string();
    for plan in [beside, copies, optional, nested] {
        assert!(!plan.contains(TEXT), "{plan}");
    }
    Ok(())
}

#[test]
fn kernels_over_many_indices_stay_nodes() -> Result<()> {
    let device = Device::cpu();
    for (n, whole) in [(1 << 17, true), ((1 << 17) + 1, false)] {
        let (x, y, s) = (device.zeros(n)?, device.zeros(n)?, device.zeros(1)?);
        let plan = AloneArgs { x, y, s, passes: 3 }.build(&device)?.plan().to_string();
        assert_eq!(plan.contains(TEXT), whole, "{n} indices: {plan}");
    }
    Ok(())
}

#[test]
fn of_loops_in_loops_the_inner_ones_are() -> Result<()> {
    let device = Device::cpu();
    let [x, _, go] = buffers(&device)?;
    let plan = NestedArgs { x, go: &go, passes: 3 }.build(&device)?.plan().to_string();
    let lines: Vec<&str> = plan.lines().collect();
    let whole = |label: &str| {
        let line = lines.iter().position(|line| line.trim_start().starts_with(label)).unwrap();
        lines[line + 1].contains(TEXT)
    };
    assert_eq!(["outer", "inner", "within"].map(whole), [false, true, true], "{plan}");
    Ok(())
}
