//! Captures of one stream: what is put into it becomes a chain of nodes.

use std::ffi::c_uint;

use crate::call::{Outcome, export};
use crate::driver::Driver;
use crate::ffi::Out;
use crate::objects::{Capture, Graph, Id};
use crate::report::{Edge, Work};
use crate::{call::Refusal, rules};

export!("cuStreamBeginCapture_v2", fn begin(driver, stream: Id, _mode: c_uint) {
    driver.current()?;
    if stream == Id::NULL || driver.stream(stream)?.capture.is_some() {
        return driver.refuse("R270", Refusal::INVALID_VALUE, "the stream is the default one, or is captured already");
    }
    let graph = driver.id();
    driver.graphs.insert(graph, Graph { alive: true, ..Graph::default() });
    driver.stream(stream)?.capture = Some(Capture { graph, last: Vec::new() });
    Ok(Some(stream))
});

export!("cuStreamEndCapture", fn end(driver, stream: Id, graph: Out<Id>) {
    driver.current()?;
    let Some(capture) = driver.stream(stream)?.capture.take() else {
        return driver.refuse("R270", Refusal::INVALID_VALUE, "the stream is not captured");
    };
    graph.put(capture.graph)?;
    Ok(Some(capture.graph))
});

/// Adds a node to the graph of a captured stream.
pub(crate) fn add(driver: &mut Driver, stream: Id, work: Work) -> Outcome<Option<Id>> {
    let Some(Capture { graph, last }) = driver.stream(stream)?.capture.take() else {
        return Err(Refusal::INVALID_VALUE);
    };
    let edges = last.iter().map(|from| Edge { from: from.0, port: 0, kind: 0 }).collect();
    let node = rules::node::insert(driver, graph, work, edges);
    driver.stream(stream)?.capture = Some(Capture { graph, last: vec![node] });
    Ok(Some(node))
}
