//! Graphs ready to launch.

use std::mem::MaybeUninit;

use cudarc::driver::sys::{CUDA_GRAPH_INSTANTIATE_PARAMS, CUgraphExec};

use super::error::{Failure, check};
use super::{Context, Graph, Node, NodeParams, Stream, functions};

/// An instantiated graph.
#[derive(Debug)]
pub(in crate::cuda) struct Exec {
    raw: CUgraphExec,
    context: Context,
}

// SAFETY: the owner hands it from thread to thread but uses it in one at a time: every call takes `&mut self`.
unsafe impl Send for Exec {}

/// Why a graph could not be instantiated.
#[derive(Clone, Copy, Debug)]
pub(in crate::cuda) struct InstantiateFailure {
    /// The call's code.
    pub(in crate::cuda) failure: Failure,
    /// `CUgraphInstantiateResult`: newer drivers know more of them than the bindings.
    pub(in crate::cuda) reason: u32,
    /// The node at fault, also within bodies.
    pub(in crate::cuda) node: Option<Node>,
}

impl InstantiateFailure {
    /// The driver's reason in words.
    pub(in crate::cuda) fn reason_text(&self) -> String {
        let known = match self.reason {
            0 | 1 => "",
            2 => ": its structure is not valid (a cycle?)",
            3 => ": a node's operation is not supported there",
            4 => ": its nodes are in several contexts",
            5 => ": a conditional handle has no node",
            unknown => return format!(": for reason {unknown}, which is newer than this crate"),
        };
        known.to_owned()
    }
}

/// `CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY`: without it a node's priority has no effect (rule R055).
const USE_NODE_PRIORITY: u64 = 8;

impl Exec {
    /// Instantiates; `priorities`: nodes have priorities, which are to be kept. The context is current.
    pub(in crate::cuda) fn new(graph: &Graph, priorities: bool, context: Context) -> Result<Self, InstantiateFailure> {
        let mut raw: CUgraphExec = std::ptr::null_mut();
        let mut params = MaybeUninit::<CUDA_GRAPH_INSTANTIATE_PARAMS>::zeroed();
        if priorities {
            // SAFETY: the pointer is to a whole struct.
            unsafe { (*params.as_mut_ptr()).flags = USE_NODE_PRIORITY };
        }
        // SAFETY: the graph lives, `raw` is a valid place, and zero is valid for each field of the parameters.
        let result = unsafe { functions::cuGraphInstantiateWithParams(&raw mut raw, graph.raw(), params.as_mut_ptr()) };
        check(result).map(|()| Self { raw, context }).map_err(|failure| {
            let params = params.as_ptr();
            // SAFETY: zeroed, then written by the driver. The reason is read as a number: its enum may lack the driver's value.
            let (reason, node) =
                unsafe { ((&raw const (*params).result_out).cast::<u32>().read(), (*params).hErrNode_out) };
            InstantiateFailure { failure, reason, node: (!node.is_null()).then_some(Node(node)) }
        })
    }

    /// Puts the graph's data onto the device, so that the first launch is as fast as the rest.
    pub(in crate::cuda) fn upload(&mut self, stream: &Stream) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        check(unsafe { functions::cuGraphUpload(self.raw, stream.raw()) })
    }

    /// Launches once.
    pub(in crate::cuda) fn launch(&mut self, stream: &Stream) -> Result<(), Failure> {
        // SAFETY: both handles are alive; the owner keeps what the nodes name.
        check(unsafe { functions::cuGraphLaunch(self.raw, stream.raw()) })
    }

    /// Changes a node's parameters for later launches.
    ///
    /// # Safety
    /// The node belongs to the graph that this was instantiated from, or to a body of it, and that graph lives; pointers in `params`
    /// are good for the call.
    pub(in crate::cuda) unsafe fn set_params(&mut self, node: Node, params: &mut NodeParams) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        check(unsafe { functions::cuGraphExecNodeSetParams(self.raw, node.0, params.as_mut_ptr()) })
    }
}

impl Exec {
    /// Switches a kernel, copy or fill off or on for later launches; one that is off only has order (rule R243).
    ///
    /// # Safety
    /// As for [`Exec::set_params`].
    pub(in crate::cuda) unsafe fn set_enabled(&mut self, node: Node, enabled: bool) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        check(unsafe { functions::cuGraphNodeSetEnabled(self.raw, node.0, u32::from(enabled)) })
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        // SAFETY: ours and not used afterwards; the driver keeps what a launch in flight needs.
        self.context
            .give_back("an instantiated CUDA graph", || check(unsafe { functions::cuGraphExecDestroy(self.raw) }));
    }
}
