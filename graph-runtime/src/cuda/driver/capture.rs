//! Capturing a stream into a graph.

use cudarc::driver::sys::{CUgraph, CUgraphNode, CUstreamCaptureMode};

use super::apart::Capturing;
use super::error::{Failure, check};
use super::{Context, Graph, Stream, functions};

/// Runs `put` while the stream is captured in this thread. The capture is ended in any case; a graph without nodes may come out.
pub(in crate::cuda) fn capture<R>(
    stream: &Stream,
    context: Context,
    put: impl FnOnce() -> R,
) -> Result<(R, Result<Graph, Failure>), Failure> {
    context.bind()?;
    let capturing = Capturing::start();
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    // SAFETY: the stream is alive and not captured.
    check(unsafe { functions::cuStreamBeginCapture_v2(stream.raw(), mode) })?;
    let answer = put();
    let mut raw: CUgraph = std::ptr::null_mut();
    // `put` may have made another context current. Where that cannot be taken back, the capture is ended all the same.
    let bound = context.bind();
    // SAFETY: the stream is captured since the call above, in this thread, and `raw` is a valid place.
    let ended = check(unsafe { functions::cuStreamEndCapture(stream.raw(), &raw mut raw) });
    drop(capturing);
    // SAFETY: the driver has handed the graph over.
    let graph = ended.map(|()| unsafe { Graph::from_raw(raw, context) });
    bound.map(|()| (answer, graph))
}

/// The kinds of all nodes of a graph and of its child graphs, as `CUgraphNodeType` numbers them.
///
/// # Safety
/// The graph lives.
pub(super) unsafe fn kinds(graph: CUgraph) -> Result<Vec<u32>, Failure> {
    let mut kinds = Vec::new();
    // SAFETY: the caller's promise.
    for node in unsafe { nodes(graph) }? {
        let mut kind = 0_u32;
        // SAFETY: the node lives; the kind is written as the `u32` that the enum is, which may have newer values (rule R010).
        check(unsafe { functions::cuGraphNodeGetType(node, (&raw mut kind).cast()) })?;
        kinds.push(kind);
        if kind == CHILD {
            let mut child: CUgraph = std::ptr::null_mut();
            // SAFETY: the node is a child graph's, and `child` is a valid place.
            check(unsafe { functions::cuGraphChildGraphNodeGetGraph(node, &raw mut child) })?;
            // SAFETY: the child lives as long as its node.
            kinds.extend(unsafe { self::kinds(child) }?);
        }
    }
    Ok(kinds)
}

const CHILD: u32 = 4;

/// # Safety
/// The graph lives.
unsafe fn nodes(graph: CUgraph) -> Result<Vec<CUgraphNode>, Failure> {
    let mut count = 0;
    // SAFETY: the caller's promise; without an array only the number is written.
    check(unsafe { functions::cuGraphGetNodes(graph, std::ptr::null_mut(), &raw mut count) })?;
    let mut nodes = vec![std::ptr::null_mut(); count];
    if count > 0 {
        // SAFETY: the array has room for that many.
        check(unsafe { functions::cuGraphGetNodes(graph, nodes.as_mut_ptr(), &raw mut count) })?;
    }
    Ok(nodes)
}
