//! Graphs under construction.

use std::ffi::c_uint;

use cudarc::driver::sys::{CUgraphEdgeData, CUgraphNodeParams};

use super::params;
use crate::call::{Outcome, Refusal, export};
use crate::driver::Driver;
use crate::ffi::{In, Out};
use crate::objects::{Condition, Graph, Id};
use crate::report::{Edge, Work};
use crate::rules;

export!("cuGraphCreate", fn create(driver, graph: Out<Id>, flags: c_uint) {
    driver.current()?;
    if flags != 0 {
        return driver.refuse("R020", Refusal::INVALID_VALUE, "flags must be 0");
    }
    let id = driver.id();
    graph.put(id)?;
    driver.graphs.insert(id, Graph { alive: true, ..Graph::default() });
    Ok(Some(id))
});

export!("cuGraphDestroy", fn destroy(driver, graph: Id) {
    if driver.graph(graph)?.owner.is_some() {
        return driver.refuse("R166", Refusal::INVALID_VALUE, "a body or a child belongs to its node");
    }
    for one in driver.family(graph) {
        if let Some(graph) = driver.graphs.get_mut(&one) {
            graph.alive = false;
        }
        driver.conditions.retain(|_, condition| condition.graph != one);
    }
    Ok(Some(graph))
});

export!("cuGraphAddNode_v2", fn add(driver, node: Out<Id>, graph: Id, after: In<Id>, data: In<CUgraphEdgeData>, count: usize, given: Out<CUgraphNodeParams>) {
    driver.current()?;
    driver.graph(graph)?;
    if driver.graph(graph)?.instances.iter().next().is_some() {
        driver.note("R204", "a node is added to a graph that is instantiated");
    }
    let edges = edges(driver, graph, after, data, count)?;
    if given.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    let work = match params::kind(given.pointer()) {
        params::CONDITIONAL => {
            let asked = params::conditional(driver, given.pointer())?;
            rules::conditional::bodies(driver, graph, &asked)?
        }
        _ => params::read(driver, given.pointer())?,
    };
    let work = rules::node::check(driver, graph, work)?;
    rules::edges::check(driver, &work, &edges)?;
    let id = rules::node::insert(driver, graph, work, edges);
    node.put(id)?;
    if let Some(added) = driver.nodes.get(&id).filter(|added| matches!(added.work, Work::Conditional { .. })) {
        params::give_bodies(given.pointer(), &added.bodies);
    }
    Ok(Some(id))
});

export!("cuGraphConditionalHandleCreate", fn handle(driver, handle: Out<Id>, graph: Id, context: Id, _value: c_uint, flags: c_uint) {
    rules::conditional::version(driver)?;
    driver.graph(graph)?;
    if flags > 1 {
        return driver.refuse("R156", Refusal::INVALID_VALUE, format!("flags {flags} are none"));
    }
    if flags == 0 {
        driver.note("R156", "a handle without a default is undefined at a launch");
    }
    if context != Id::NULL && !driver.contexts.contains_key(&context) {
        return driver.refuse("R159", Refusal::INVALID_CONTEXT, "a handle's context is not retained");
    }
    let id = driver.id();
    handle.put(id)?;
    driver.conditions.insert(id, Condition { graph, node: None });
    driver.graph(graph)?.handles.push(id);
    Ok(Some(id))
});

export!("cuGraphKernelNodeSetAttribute", fn set_attribute(driver, node: Id, attribute: u32, value: In<i32>) {
    let Some(known) = driver.nodes.get(&node) else { return driver.dead("node", node) };
    let work = known.work.clone();
    if value.is_null() || !matches!(work, Work::Kernel { .. }) {
        return driver.refuse("R054", Refusal::INVALID_VALUE, "only kernel nodes have launch attributes");
    }
    let value = super::launch::attribute_value(attribute, value.pointer());
    rules::kernel::attribute(driver, &work, attribute, &value)?;
    if let Some(known) = driver.nodes.get_mut(&node) {
        known.attributes.insert(attribute, value);
    }
    Ok(Some(node))
});

export!("cuGraphGetNodes", fn nodes(driver, graph: Id, nodes: Out<Id>, count: Out<usize>) {
    let known = driver.graph(graph)?.nodes.clone();
    if !nodes.is_null() {
        known.iter().enumerate().for_each(|(index, node)| nodes.put_at(index, *node));
    }
    count.put(known.len())?;
    Ok(Some(graph))
});

export!("cuGraphNodeGetType", fn kind(driver, node: Id, kind: Out<u32>) {
    let Some(known) = driver.nodes.get(&node) else { return driver.dead("node", node) };
    kind.put(rules::node::kind(&known.work))?;
    Ok(Some(node))
});

export!("cuGraphChildGraphNodeGetGraph", fn child(driver, node: Id, graph: Out<Id>) {
    let Some(known) = driver.nodes.get(&node) else { return driver.dead("node", node) };
    let Work::Child { graph: child } = known.work else { return Err(Refusal::INVALID_VALUE) };
    graph.put(Id(child))?;
    Ok(Some(node))
});

/// The edges of a new node, which must end in its graph.
fn edges(driver: &mut Driver, graph: Id, after: In<Id>, data: In<CUgraphEdgeData>, count: usize) -> Outcome<Vec<Edge>> {
    if count > 0 && after.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    let mut edges: Vec<Edge> = Vec::with_capacity(count);
    for (index, from) in after.slice(count).into_iter().enumerate() {
        let data = (!data.is_null()).then(|| data.at(index));
        if data.is_some_and(|data| data.to_port != 0 || data.reserved != [0; 5]) {
            return driver.refuse(
                "R025",
                Refusal::INVALID_VALUE,
                "an edge's port behind it or its reserved bytes are not zero",
            );
        }
        if edges.iter().any(|edge| edge.from == from.0) {
            return driver.refuse("R021", Refusal::INVALID_VALUE, "a node waits for another twice");
        }
        if driver.nodes.get(&from).is_none_or(|node| node.graph != graph) {
            return driver.refuse("R022", Refusal::INVALID_VALUE, "a node waits for one of another graph");
        }
        let (port, kind) = data.map_or((0, 0), |data| (data.from_port, data.type_));
        edges.push(Edge { from: from.0, port, kind });
    }
    Ok(edges)
}
