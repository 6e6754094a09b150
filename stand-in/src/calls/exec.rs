//! Graphs that can be launched.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_uint;

use cudarc::driver::sys::{CUDA_GRAPH_INSTANTIATE_PARAMS, CUgraphNodeParams};

use super::params;
use crate::call::{Outcome, Refusal, export};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::ffi::Out;
use crate::objects::{Exec, Id};
use crate::report::Work;
use crate::rules;

export!("cuGraphInstantiateWithParams", fn instantiate(driver, exec: Out<Id>, graph: Id, given: Out<CUDA_GRAPH_INSTANTIATE_PARAMS>) {
    driver.current()?;
    driver.graph(graph)?;
    if given.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    // SAFETY: not null, and the header wants a whole struct; only the flags are read.
    let flags = unsafe { (&raw const (*given.pointer()).flags).read() };
    if let Err(fault) = rules::instantiate::check(driver, graph, flags) {
        driver.note(fault.rule, fault.text);
        // SAFETY: as above; the reason is written as the number that it is.
        unsafe {
            (&raw mut (*given.pointer()).result_out).cast::<u32>().write(fault.reason);
            (*given.pointer()).hErrNode_out = fault.node.map_or(0, |node| node.0) as *mut _;
        }
        return Err(fault.code);
    }
    if let Some(reason) = driver.config.instantiate_result {
        // SAFETY: as above.
        unsafe { (&raw mut (*given.pointer()).result_out).cast::<u32>().write(reason) };
        return Err(Refusal::INVALID_VALUE);
    }
    let id = driver.id();
    exec.put(id)?;
    let nodes = driver.family(graph).into_iter().filter_map(|one| driver.graphs.get(&one)).flat_map(|one| &one.nodes);
    let works: BTreeMap<Id, Work> = nodes.filter_map(|node| Some((*node, driver.nodes.get(node)?.work.clone()))).collect();
    let (disabled, ran) = (BTreeSet::new(), Clock::default());
    driver.execs.insert(id, Exec { alive: true, graph, works, disabled, launches: 0, ran });
    driver.graph(graph)?.instances.insert(id);
    Ok(Some(id))
});

export!("cuGraphExecDestroy", fn destroy(driver, exec: Id) {
    let known = known(driver, exec)?;
    known.alive = false;
    let graph = known.graph;
    if let Some(graph) = driver.graphs.get_mut(&graph) {
        graph.instances.remove(&exec);
    }
    Ok(Some(exec))
});

export!("cuGraphUpload", fn upload(driver, exec: Id, stream: Id) {
    driver.current()?;
    known(driver, exec)?;
    driver.put(stream, &Clock::default())?;
    Ok(Some(exec))
});

export!("cuGraphLaunch", fn launch(driver, exec: Id, stream: Id) {
    driver.current()?;
    let ran = known(driver, exec)?.ran.clone();
    if driver.stream(stream)?.capture.is_some() {
        return driver.refuse("R274", Refusal::NOT_SUPPORTED, "a graph is launched into a capture");
    }
    let (moment, before) = driver.put(stream, &ran)?;
    let exec_now = known(driver, exec)?;
    exec_now.launches += 1;
    exec_now.ran.reach(moment);
    driver.ordered(exec.0, Some(moment), &before);
    rules::memory::launched(driver, exec, moment, &before);
    Ok(Some(exec))
});

export!("cuGraphExecNodeSetParams", fn set_params(driver, exec: Id, node: Id, given: Out<CUgraphNodeParams>) {
    driver.current()?;
    let old = work_of(driver, exec, node)?;
    if given.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    if params::kind(given.pointer()) != rules::node::kind(&old) {
        return driver.refuse("R244", Refusal::INVALID_VALUE, "a node is given the parameters of another kind");
    }
    if matches!(old, Work::Conditional { .. }) {
        return driver.refuse("R239", Refusal::INVALID_VALUE, "a conditional's parameters cannot be set");
    }
    let new = params::read(driver, given.pointer())?;
    rules::update::check(driver, &old, &new)?;
    if let Some(exec) = driver.execs.get_mut(&exec) {
        exec.works.insert(node, new);
    }
    Ok(Some(node))
});

export!("cuGraphNodeSetEnabled", fn set_enabled(driver, exec: Id, node: Id, enabled: c_uint) {
    let work = work_of(driver, exec, node)?;
    if !matches!(work, Work::Kernel { .. } | Work::Copy { .. } | Work::Fill { .. }) {
        return driver.refuse("R243", Refusal::INVALID_VALUE, "only kernels, copies and fills can be switched");
    }
    if let Some(exec) = driver.execs.get_mut(&exec) {
        if enabled == 0 { exec.disabled.insert(node) } else { exec.disabled.remove(&node) };
    }
    Ok(Some(node))
});

fn known(driver: &mut Driver, exec: Id) -> Outcome<&mut Exec> {
    if !driver.execs.get(&exec).is_some_and(|exec| exec.alive) {
        return driver.dead("instantiated graph", exec);
    }
    driver.execs.get_mut(&exec).ok_or(Refusal::INVALID_HANDLE)
}

/// What a node does in an exec, whose graph must live: the node is named by that graph's handle.
fn work_of(driver: &mut Driver, exec: Id, node: Id) -> Outcome<Work> {
    let known = known(driver, exec)?;
    let (graph, work) = (known.graph, known.works.get(&node).cloned());
    driver.graph(graph)?;
    match work {
        Some(work) => Ok(work),
        None => driver.refuse("R204", Refusal::INVALID_VALUE, "the node is not of the graph that was instantiated"),
    }
}
