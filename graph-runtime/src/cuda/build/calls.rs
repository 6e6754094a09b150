//! The closures of a plan, ready for the driver: callbacks with the memory that they look at, captures with what was captured.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use graph_ir::model::{NodeId, RegionId};

use super::tables::Tables;
use crate::call::{Call, CallBuffer, CaptureStream, Kept, NodeCall};
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{self, Context, Doing, Exec, Failure, Graph, GraphRef, Stream};
use crate::device::Bindings;
use crate::error::{Error, NodeName, Result};
use crate::plan::{Plan, Step};

/// What callbacks have said went wrong: reported by whoever waits next.
pub(in crate::cuda) type Failures = Arc<Mutex<Option<Error>>>;

/// By node id.
#[derive(Default)]
pub(in crate::cuda) struct Calls {
    /// At addresses that launches in flight use.
    hosts: BTreeMap<NodeId, Arc<HostCall>>,
    captures: BTreeMap<NodeId, Arc<Captured>>,
    /// What kernels that take lists are given; `None` if there is no such kernel.
    tables: Option<Arc<Tables>>,
}

/// A callback and what it looks at.
struct HostCall {
    call: NodeCall,
    buffers: Vec<CallBuffer>,
    name: NodeName,
    failures: Failures,
}

/// What a capture has put into its stream.
struct Captured {
    call: NodeCall,
    buffers: Vec<CallBuffer>,
    graph: Mutex<CapturedGraph>,
}

struct CapturedGraph {
    graph: Graph,
    handle: GraphRef,
    empty: bool,
    /// For eager runs.
    exec: Option<Exec>,
    /// What the calls that were captured need.
    _kept: Vec<Kept>,
}

impl Calls {
    /// Captures what the plan's captures put into a stream, unless `old` has the same.
    pub(in crate::cuda) fn new(
        device: &Arc<DeviceState>,
        plan: &Plan,
        bindings: &Bindings,
        failures: &Failures,
        old: Option<&Self>,
    ) -> Result<Self> {
        let known = old.and_then(|old| old.tables.as_ref());
        let mut calls = Self { tables: Tables::new(device, plan, bindings, known)?, ..Self::default() };
        for (node, step) in plan.steps.iter() {
            match step {
                Step::Host(call) => {
                    let (buffers, name) = (buffers(plan, bindings, node), NodeName::of(&plan.program, node));
                    let known =
                        old.and_then(|old| old.hosts.get(&node)).filter(|known| known.is(call, &buffers, &name));
                    let new = || HostCall { call: call.clone(), buffers, name, failures: Arc::clone(failures) };
                    calls.hosts.insert(node, known.map_or_else(|| Arc::new(new()), Arc::clone));
                }
                Step::Capture(call) => {
                    let buffers = buffers(plan, bindings, node);
                    let known = old.and_then(|old| old.captures.get(&node));
                    let known = known.filter(|known| known.call.same_as(call) && known.buffers == buffers);
                    let captured = match known {
                        Some(known) => Arc::clone(known),
                        None => Arc::new(Captured::new(device, plan, node, call, buffers)?),
                    };
                    calls.captures.insert(node, captured);
                }
                _ => {}
            }
        }
        Ok(calls)
    }

    /// Whether there is none.
    pub(in crate::cuda) fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.captures.is_empty() && self.tables.is_none()
    }

    /// The address of the table of a list, by the node and the first access.
    pub(super) fn table(&self, node: NodeId, first: u32) -> u64 {
        self.tables.as_ref().map_or(0, |tables| tables.address(node, first))
    }

    /// What a callback's node is given.
    pub(super) fn host(&self, node: NodeId) -> Option<u64> {
        self.hosts.get(&node).map(|host| Arc::as_ptr(host) as u64)
    }

    /// The child graph of a capture, unless nothing was captured.
    pub(super) fn child(&self, node: NodeId) -> Option<GraphRef> {
        let captured = self.captures.get(&node)?.lock();
        (!captured.empty).then_some(captured.handle)
    }

    /// Runs a callback on this thread.
    pub(in crate::cuda) fn run_host(&self, node: NodeId) -> Result<()> {
        self.hosts.get(&node).map_or(Ok(()), |host| host.run())
    }

    /// The same for a launch: what goes wrong is told to whoever waits for it.
    pub(in crate::cuda) fn call_host(&self, node: NodeId) {
        if let Some(host) = self.hosts.get(&node) {
            host.called();
        }
    }

    /// Launches what was captured by itself.
    pub(in crate::cuda) fn run_capture(&self, node: NodeId, stream: &Stream, context: Context) -> Result<(), Failure> {
        let Some(captured) = self.captures.get(&node) else { return Ok(()) };
        let mut captured = captured.lock();
        if captured.empty {
            return Ok(());
        }
        if captured.exec.is_none() {
            captured.exec = Some(Exec::new(&captured.graph, false, context).map_err(|failure| failure.failure)?);
        }
        captured.exec.as_mut().map_or(Ok(()), |exec| exec.launch(stream))
    }
}

fn buffers(plan: &Plan, bindings: &Bindings, node: NodeId) -> Vec<CallBuffer> {
    plan.program.node(node).accesses.iter().map(|access| bindings.call_buffer(plan, access)).collect()
}

/// What the driver calls, with a [`HostCall`].
pub(in crate::cuda) extern "C" fn call_host(data: *mut c_void) {
    // SAFETY: nodes are given addresses of `HostCall`s, which are kept until the last launch that uses them is over.
    let host = unsafe { &*data.cast::<HostCall>() };
    host.called();
}

impl HostCall {
    /// Whether it does what this closure would do.
    fn is(&self, call: &NodeCall, buffers: &[CallBuffer], name: &NodeName) -> bool {
        self.call.same_as(call) && self.buffers == buffers && self.name == *name
    }

    /// Runs it, and keeps the first thing that goes wrong.
    fn called(&self) {
        if let Err(error) = self.run() {
            self.failures.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn run(&self) -> Result<()> {
        // SAFETY: the buffers are pinned memory (rule CG0801) that the graph holds, of initialised elements; other nodes that conflict
        // are ordered by the plan's edges, other graphs and the host by the allocations' uses.
        let call = unsafe { Call::on_host(&self.buffers) };
        self.call.run(&call, || self.name.clone())
    }
}

impl Captured {
    fn new(device: &DeviceState, plan: &Plan, node: NodeId, call: &NodeCall, buffers: Vec<CallBuffer>) -> Result<Self> {
        let name = || NodeName::of(&plan.program, node);
        let context = device.context();
        let mut lent = device.capture_stream().at(name, "making a stream to capture")?;
        let stream = CaptureStream::new(Arc::clone(lent.named()));
        let put = || call.run(&Call::into_stream(&buffers, &stream), name);
        let (outcome, captured) = driver::capture(&lent.stream(), context, put).at(name, "beginning its capture")?;
        if captured.is_err() {
            lent.leave_captured();
        }
        outcome?;
        let left_empty = stream.is_left_empty();
        let kept = stream.into_kept();
        let mut graph = captured.map_err(|failure| not_captured(&name(), failure))?;
        let kinds = graph.kinds().at(name, "looking at what was captured")?;
        let in_body = plan.program.node(node).region != RegionId::GRAPH;
        if let Some(refused) = kinds.iter().find_map(|kind| refused(*kind, in_body)) {
            return Err(not_allowed(&name(), &refused));
        }
        if kinds.is_empty() && !left_empty && buffers.iter().all(|buffer| buffer.elements > 0) {
            return Err(nothing_captured(&name()));
        }
        let captured = CapturedGraph { handle: graph.root(), graph, empty: kinds.is_empty(), exec: None, _kept: kept };
        Ok(Self { call: call.clone(), buffers, graph: Mutex::new(captured) })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CapturedGraph> {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A kind of node that cannot be there: what it is, why, what to do.
struct Refused {
    what: &'static str,
    why: &'static str,
    help: &'static str,
}

/// By the number of the kind.
fn refused(kind: u32, in_body: bool) -> Option<Refused> {
    let what = match kind {
        10 | 11 => {
            return Some(Refused {
                what: if kind == 10 { "an allocation" } else { "a free" },
                why: "a graph that is put into another may not allocate",
                help: "give the library its workspace: a transient that is passed as `&out`",
            });
        }
        13 => {
            return Some(Refused {
                what: "a conditional",
                why: "a graph that is put into another may not decide",
                help: "write the condition in the block",
            });
        }
        3 => "a host callback",
        6 => "a wait for an event",
        7 => "a record of an event",
        8 | 9 => "a semaphore of another API",
        12 => "an operation on memory words",
        _ => return None,
    };
    let why = "the body of a conditional holds kernels, copies, fills, captures and conditionals";
    in_body.then_some(Refused { what, why, help: "move the `capture` before or behind the conditional" })
}

fn not_allowed(name: &NodeName, refused: &Refused) -> Error {
    let Refused { what, why, help } = refused;
    Error::Call(format!("{name} has captured {what}, which is not allowed there [CG0803]\nnote: {why}\nhelp: {help}"))
}

fn nothing_captured(name: &NodeName) -> Error {
    Error::Call(format!(
        "{name} has put nothing into its stream [CG0803]\nnote: the call went into another stream, and has run\nhelp: set the \
         library's stream to the closure's, or call `stream.leave_empty()` where there is nothing to do"
    ))
}

fn not_captured(name: &NodeName, failure: Failure) -> Error {
    let help = match failure.code() {
        904 => "join every stream that the call has forked off with the closure's stream again",
        905..=907 => {
            "the call waits for an event or a stream that is not captured: set the library's stream, and use slices that cudarc does \
             not track (`CudaContext::disable_event_tracking`)"
        }
        _ => {
            "the call allocates or waits for the device: give it a workspace, and call the library once before the graph is built"
        }
    };
    let error = failure.describe(format!("capturing {name}"), None);
    Error::Call(format!("{} [CG0803]\nhelp: {help}", crate::error::DriverError { help: String::new(), ..error }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_hold_less_than_graphs() {
        let kernels_copies_and_children = [0, 1, 2, 4, 5];
        assert!(kernels_copies_and_children.iter().all(|kind| refused(*kind, true).is_none()));
        for kind in [3, 6, 7, 8, 9, 12] {
            assert!(refused(kind, false).is_none() && refused(kind, true).is_some(), "{kind}");
        }
        for kind in [10, 11, 13] {
            assert!(refused(kind, false).is_some(), "{kind}");
        }
    }

    #[test]
    fn a_refusal_names_the_node_the_kind_and_the_cure() {
        let name = NodeName { label: "gemm".to_owned(), location: "src/main.rs:14:9".to_owned() };
        let text = refused(10, true).map(|refused| not_allowed(&name, &refused).to_string()).unwrap_or_default();
        assert!(text.starts_with("node `gemm` (src/main.rs:14:9) has captured an allocation"), "{text}");
        assert!(text.contains("[CG0803]") && text.contains("help: give the library its workspace"), "{text}");
    }
}
