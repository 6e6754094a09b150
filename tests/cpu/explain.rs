//! Why one statement waits for another.

use graph_runtime::Explanation;
use graph_runtime::prelude::*;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], z: &mut [f32; n], on: &[u32; 1], rounds: usize, extra: bool, n: usize) {
        'load: kernel for i in 0..n { x[i] = x[i] + 1.0; }
        'scale: kernel for i in 0..n { y[i] = 2.0 * x[(i + 1) % n]; }
        'apart: kernel for i in 0..n { z[i] = x[i]; }
        'pick: if on[0] > 0 {
            'yes: kernel for i in 0..n { x[i] = y[(i + 1) % n]; }
        } else {
            'no: kernel for i in 0..n { x[i] = 0.0; }
        }
        for _ in 0..rounds {
            'round: kernel for i in 0..n { z[i] += 1.0; }
        }
        if extra {
            'more: fill(&out z, 0.0);
        }
    }
}

#[test]
fn every_relation_of_two_statements_is_told() -> Result<()> {
    let device = Device::cpu();
    let [mut x, mut y, mut z] = [device.zeros(4)?, device.zeros(4)?, device.zeros(4)?];
    let on = device.buffer_from(&[1])?;
    let arguments = StepsArgs { x: &mut x, y: &mut y, z: &mut z, on: &on, rounds: 3, extra: false, n: 4 };
    let graph = arguments.build(&device)?;
    let told = |one, other| graph.explain(one, other).map(|explanation| explanation.to_string());
    let line = |label: Label| match graph.explain(label, label) {
        Ok(Explanation::Same { node }) => node,
        other => panic!("{other:?}"),
    };
    let [load, scale, apart, yes, no] = [Steps::LOAD, Steps::SCALE, Steps::APART, Steps::YES, Steps::NO].map(line);
    assert!(load.starts_with("node `load` (") && load.contains("explain.rs:8:"), "{load}");
    let expected = format!("{scale} waits for {load}\n  scale <- load: it reads `x`, which `load` writes");
    assert_eq!(told(Steps::LOAD, Steps::SCALE)?, expected);
    assert_eq!(told(Steps::SCALE, Steps::LOAD)?, expected, "the order of the question does not matter");
    let expected = format!(
        "{yes} waits for {load}\n  scale <- load: it reads `x`, which `load` writes\n  pick <- scale: it reads `y`, which `scale` writes"
    );
    assert_eq!(told(Steps::LOAD, Steps::YES)?, expected);
    let expected = format!(
        "nothing orders {scale} and {apart}: they may run side by side\n  both use `x`, and in which order does not matter"
    );
    assert_eq!(told(Steps::SCALE, Steps::APART)?, expected);
    let pick = line(Steps::PICK);
    let expected = format!("at most one of {yes} and {no} runs: they stand in different bodies of {pick}");
    assert_eq!(told(Steps::YES, Steps::NO)?, expected);
    let expected = format!("{no} stands in a body of {pick}, and runs when that says so");
    assert_eq!(told(Steps::PICK, Steps::NO)?, expected);
    let Explanation::Ordered { chain, .. } = graph.explain(Steps::APART, Steps::ROUND.pass(2))? else { panic!() };
    assert_eq!(chain.len(), 3, "one pass behind the other: {chain:?}");
    Ok(())
}

#[test]
fn labels_that_name_nothing_are_refused() -> Result<()> {
    let device = Device::cpu();
    let [mut x, mut y, mut z] = [device.zeros(4)?, device.zeros(4)?, device.zeros(4)?];
    let on = device.buffer_from(&[1])?;
    let arguments = StepsArgs { x: &mut x, y: &mut y, z: &mut z, on: &on, rounds: 3, extra: false, n: 4 };
    let graph = arguments.build(&device)?;
    let refused = |label| graph.explain(Steps::LOAD, label).map_err(|error| error.to_string());
    let text = refused(Steps::MORE).unwrap_err();
    assert!(text.contains("node `more`") && text.contains("is not part of the graph"), "{text}");
    let text = refused(Steps::ROUND.pass(3)).unwrap_err();
    assert!(text.contains("there is no such pass\nhelp: name one from `.pass(0)` to `.pass(2)`"), "{text}");
    Ok(())
}
