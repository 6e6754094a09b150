//! A node of any kind, added to a graph.

use std::collections::BTreeMap;

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::objects::{Graph, Id, Node};
use crate::report::{Edge, Work};

/// `CUgraphNodeType`
pub(crate) fn kind(work: &Work) -> u32 {
    match work {
        Work::Kernel { .. } => 0,
        Work::Copy { .. } => 1,
        Work::Fill { .. } => 2,
        Work::Host { .. } => 3,
        Work::Child { .. } => 4,
        Work::Empty => 5,
        Work::Wait { .. } => 6,
        Work::Record { .. } => 7,
        Work::Conditional { .. } => 13,
    }
}

/// What the node does, with the copy that a child becomes.
pub(crate) fn check(driver: &mut Driver, graph: Id, work: Work) -> Outcome<Work> {
    match work {
        Work::Kernel { .. } => super::kernel::check(driver, &work)?,
        Work::Record { event } | Work::Wait { event } if !driver.events.contains_key(&Id(event)) => {
            return driver.dead("event", Id(event));
        }
        Work::Child { graph: child } => return child_of(driver, graph, Id(child)),
        _ => {}
    }
    Ok(work)
}

/// A child is copied, must have nodes, and no conditionals (rules R100, R102, R105, R106).
fn child_of(driver: &mut Driver, graph: Id, child: Id) -> Outcome<Work> {
    driver.graph(child)?;
    if driver.root(graph) == driver.root(child) {
        return driver.refuse("R106", Refusal::INVALID_VALUE, "a graph is its own child");
    }
    if driver.graph(child)?.nodes.is_empty() {
        driver.note("R105", "a child graph without nodes");
    }
    copy(driver, child).map(|copy| Work::Child { graph: copy.0 })
}

/// A graph with the same nodes.
fn copy(driver: &mut Driver, graph: Id) -> Outcome<Id> {
    let id = driver.id();
    driver.graphs.insert(id, Graph { alive: true, ..Graph::default() });
    let mut copies: BTreeMap<u64, u64> = BTreeMap::new();
    for node in driver.graph(graph)?.nodes.clone() {
        let Some(Node { work, edges, attributes, .. }) = driver.nodes.get(&node) else { continue };
        let (mut work, mut edges, attributes) = (work.clone(), edges.clone(), attributes.clone());
        match work {
            Work::Conditional { .. } => {
                return driver.refuse("R102", Refusal::NOT_SUPPORTED, "a child graph has a conditional");
            }
            Work::Child { graph: inner } => work = Work::Child { graph: copy(driver, Id(inner))?.0 },
            _ => {}
        }
        edges.iter_mut().for_each(|edge| edge.from = copies.get(&edge.from).copied().unwrap_or(0));
        let added = insert(driver, id, work, edges);
        copies.insert(node.0, added.0);
        if let Some(added) = driver.nodes.get_mut(&added) {
            added.attributes = attributes;
        }
    }
    Ok(id)
}

/// Adds it; its bodies or its child become its own.
pub(crate) fn insert(driver: &mut Driver, graph: Id, work: Work, edges: Vec<Edge>) -> Id {
    let id = driver.id();
    let bodies: Box<[Id]> = match &work {
        Work::Conditional { bodies, .. } => bodies.iter().map(|body| Id(*body)).collect(),
        Work::Child { graph } => Box::new([Id(*graph)]),
        _ => Box::default(),
    };
    for body in &bodies {
        if let Some(body) = driver.graphs.get_mut(body) {
            body.owner = Some(id);
        }
    }
    if let Work::Conditional { handle, .. } = &work
        && let Some(condition) = driver.conditions.get_mut(&Id(*handle))
    {
        condition.node = Some(id);
    }
    driver.nodes.insert(id, Node { graph, work, edges, attributes: BTreeMap::new(), bodies });
    if let Some(graph) = driver.graphs.get_mut(&graph) {
        graph.nodes.push(id);
    }
    id
}
