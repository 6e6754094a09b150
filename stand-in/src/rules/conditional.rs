//! Conditional nodes and their handles (rules R150 to R160).

use crate::call::{Outcome, Refusal};
use crate::calls::params::Conditional;
use crate::driver::Driver;
use crate::objects::{Graph, Id};
use crate::report::Work;

/// Conditionals come with 12.3, and work from 12.4 on (rule R150).
pub(crate) fn version(driver: &mut Driver) -> Outcome {
    if driver.config.version >= 12040 {
        return Ok(());
    }
    driver.refuse("R150", Refusal::NOT_SUPPORTED, "conditionals do not work before CUDA 12.4")
}

/// A conditional of `graph`, with new bodies.
pub(crate) fn bodies(driver: &mut Driver, graph: Id, asked: &Conditional) -> Outcome<Work> {
    version(driver)?;
    sizes(driver, asked)?;
    let Some(condition) = driver.conditions.get(&asked.handle) else {
        return driver.refuse("R153", Refusal::INVALID_VALUE, "the handle is none");
    };
    let (made_for, taken) = (condition.graph, condition.node.is_some());
    if !within(driver, graph, made_for) {
        return driver.refuse("R153", Refusal::INVALID_VALUE, "the handle is of another graph");
    }
    if taken {
        return driver.refuse("R154", Refusal::INVALID_VALUE, "the handle has a node already");
    }
    if asked.context != Id::NULL && !driver.contexts.contains_key(&asked.context) {
        return driver.refuse("R159", Refusal::INVALID_CONTEXT, "the conditional's context is not retained");
    }
    let bodies = (0..asked.size).map(|_| {
        let body = driver.id();
        driver.graphs.insert(body, Graph { alive: true, ..Graph::default() });
        body.0
    });
    let bodies = bodies.collect();
    Ok(Work::Conditional { handle: asked.handle.0, kind: asked.kind, bodies })
}

fn sizes(driver: &mut Driver, asked: &Conditional) -> Outcome {
    let allowed = match (asked.kind, driver.config.version >= 12080) {
        (0, true) => (1..=2).contains(&asked.size),
        (0 | 1, _) => asked.size == 1,
        (2, true) => asked.size >= 1,
        _ => false,
    };
    if !allowed {
        let text = format!("a conditional of kind {} with {} bodies", asked.kind, asked.size);
        return driver.refuse("R151", Refusal::INVALID_VALUE, text);
    }
    if asked.kind == 0 && asked.size == 2 && driver.config.version < 13000 {
        driver.note("R168", "an IF with two bodies before CUDA 13.0");
    }
    Ok(())
}

/// Whether a graph is another one or lies in it.
fn within(driver: &Driver, mut graph: Id, outer: Id) -> bool {
    loop {
        if graph == outer {
            return true;
        }
        let owner = driver.graphs.get(&graph).and_then(|graph| graph.owner);
        let Some(node) = owner.and_then(|owner| driver.nodes.get(&owner)) else { return false };
        graph = node.graph;
    }
}
