//! Two graphs: names that are swapped in a loop, and every kind of node and edge.

use graph_runtime::PlanView;
use graph_runtime::prelude::*;
use insta::assert_snapshot;
use tests::kernels::basic;
use tests::pipelines::jacobi::{Jacobi, JacobiArgs};

cuda_graph! {
    /// All three hazards, ranges that leave each other alone, `after`, and every conditional.
    pub(crate) graph Kinds(x: &mut [f32; n], y: &out [f32; n], pick: &[u32; 1], n: usize) {
        let half: [f32; n];
        'halve: basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out half, 0.5, n as u32);
        'reset: fill(&out x, 1.0);
        'head: copy(&half[..2], &out y[..2]);
        'tail: fill(&out y[2..], 0.0) after 'reset;
        match pick[0] {
            0 => { y[0] = 1.0; }
            1 | 5..8 => {
                if half[0] > y[1] { y[1] = 2.0; } else { fill(&out y, 3.0); }
            }
            _ => {}
        }
        'shrink: while y[0] > 1.0 limit 10 {
            basic::times_constant<<<n.div_ceil(64), 64>>>(&mut y, 0.5, n as u32);
        }
    }
}

pub(crate) fn jacobi() -> Result<PlanView> {
    let device = Device::cpu();
    let (b, mut x) = (device.zeros(100)?, device.zeros(100)?);
    let graph = JacobiArgs { b: &b, x: &mut x, tolerance: 1e-9 }.build(&device)?;
    Ok(graph.plan())
}

pub(crate) fn kinds() -> Result<PlanView> {
    let device = Device::cpu();
    let (mut x, mut y, pick) = (device.zeros(100)?, device.zeros(100)?, device.zeros(1)?);
    let graph = KindsArgs { x: &mut x, y: &mut y, pick: &pick, n: 100 }.build(&device)?;
    Ok(graph.plan())
}

/// The plan as text, with the files of its nodes but not their lines: those files change for other reasons.
fn without_lines(plan: &PlanView) -> String {
    let line = |line: &str| match line.find(".rs:") {
        Some(at) => format!("{})\n", &line[..at + 3]),
        None => format!("{line}\n"),
    };
    plan.to_string().lines().map(line).collect()
}

#[test]
fn outlines() {
    assert_snapshot!("jacobi.outline.dot", Jacobi::outline().to_dot());
    assert_snapshot!("jacobi.outline.mermaid", Jacobi::outline().to_mermaid());
    assert_snapshot!("kinds.outline.dot", Kinds::outline().to_dot());
    assert_snapshot!("kinds.outline.mermaid", Kinds::outline().to_mermaid());
}

#[test]
fn what_the_macro_leaves_to_the_build() {
    let obligations: Vec<String> = Kinds::outline().obligations().iter().map(ToString::to_string).collect();
    assert_snapshot!("kinds.obligations", obligations.join("\n"));
}

#[test]
fn plans() -> Result<()> {
    for (name, plan) in [("jacobi", jacobi()?), ("kinds", kinds()?)] {
        assert_snapshot!(format!("{name}.plan.dot"), plan.to_dot());
        assert_snapshot!(format!("{name}.plan.mermaid"), plan.to_mermaid());
        assert_snapshot!(format!("{name}.plan"), without_lines(&plan));
    }
    Ok(())
}

#[test]
fn the_same_block_and_the_same_inputs_give_the_same_plan() -> Result<()> {
    assert_eq!(jacobi()?.to_string(), jacobi()?.to_string());
    assert_eq!(kinds()?.to_dot(), kinds()?.to_dot());
    Ok(())
}

#[test]
fn a_plan_says_where_each_node_is_written() -> Result<()> {
    let text = include_str!("graphs.rs");
    let nodes = kinds()?.nodes();
    let shrink = nodes.iter().find(|node| node.label == "shrink");
    let line = text.lines().position(|line| line.contains("'shrink: while")).map(|line| line + 1);
    let expected = format!("tests/golden/graphs.rs:{}:", line.unwrap_or_default());
    assert!(shrink.is_some_and(|node| node.location.starts_with(&expected)), "{shrink:?} is not at {expected}");
    Ok(())
}
