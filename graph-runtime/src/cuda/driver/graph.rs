//! Graphs under construction.

use std::ffi::c_uint;

use cudarc::driver::sys::{self, CUgraph, CUgraphConditionalHandle, CUgraphEdgeData, CUgraphNode};

use super::error::{Failure, check};
use super::{Context, NodeParams, functions};

/// A graph of ours, with the bodies of its conditionals.
#[derive(Debug)]
pub(in crate::cuda) struct Graph {
    raw: CUgraph,
    context: Context,
}

// SAFETY: the owner hands graphs from thread to thread but uses them in one at a time (rule R209): adding takes `GraphRef`s that the
// builder alone holds, and there is no `&self` method that another thread could call beside it.
unsafe impl Send for Graph {}

/// A graph or a conditional's body; valid while the graph that it is part of lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct GraphRef(pub(super) CUgraph);

// SAFETY: the pointer is only handed to the driver, by the graph's owner.
unsafe impl Send for GraphRef {}

/// A node; valid while its graph lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(in crate::cuda) struct Node(pub(super) CUgraphNode);

/// How a node waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) enum Edge {
    /// Until it is over.
    Full,
    /// Between kernels: until all its blocks have called `griddepcontrol.launch_dependents` or are over. Its results may be looked at
    /// behind `griddepcontrol.wait`.
    Programmatic,
}

impl Edge {
    fn data(self) -> CUgraphEdgeData {
        // The port and the type of programmatic edges are both 1; all zero is a full edge (rules R026, R027).
        let number = u8::from(self == Self::Programmatic);
        CUgraphEdgeData { from_port: number, to_port: 0, type_: number, reserved: [0; 5] }
    }
}

impl Node {
    /// No node.
    pub(in crate::cuda) const NONE: Self = Self(std::ptr::null_mut());
}

// SAFETY: the pointer is only handed to the driver, by the graph's owner.
unsafe impl Send for Node {}

/// The value that a conditional node decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Handle(pub(in crate::cuda) CUgraphConditionalHandle);

impl Graph {
    /// An empty graph. The context becomes current.
    pub(in crate::cuda) fn new(context: Context) -> Result<Self, Failure> {
        context.bind()?;
        let mut raw: CUgraph = std::ptr::null_mut();
        // SAFETY: `raw` is a valid place; flags must be 0.
        check(unsafe { functions::cuGraphCreate(&raw mut raw, 0) })?;
        Ok(Self { raw, context })
    }

    /// A graph that the driver has handed over.
    ///
    /// # Safety
    /// It lives, and nobody else destroys it.
    pub(super) unsafe fn from_raw(raw: CUgraph, context: Context) -> Self {
        Self { raw, context }
    }

    /// The kinds of all nodes, as `CUgraphNodeType` numbers them.
    pub(in crate::cuda) fn kinds(&self) -> Result<Vec<u32>, Failure> {
        // SAFETY: the graph lives.
        unsafe { super::capture::kinds(self.raw) }
    }

    /// For adding nodes.
    pub(in crate::cuda) fn root(&mut self) -> GraphRef {
        GraphRef(self.raw)
    }

    /// For other calls of this layer.
    pub(super) fn raw(&self) -> CUgraph {
        self.raw
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: the graph is ours and not used afterwards.
        self.context.give_back("a CUDA graph", || check(unsafe { functions::cuGraphDestroy(self.raw) }));
    }
}

impl GraphRef {
    /// Adds a node behind `after`.
    ///
    /// # Safety
    /// The graph lives, `after` are distinct nodes of this graph, and pointers in `params` are good for the call.
    pub(in crate::cuda) unsafe fn add(self, after: &[Node], params: &mut NodeParams) -> Result<Node, Failure> {
        let mut node: CUgraphNode = std::ptr::null_mut();
        // `Node` is transparent over the driver's handle.
        let dependencies = after.as_ptr().cast::<CUgraphNode>();
        let params = params.as_mut_ptr();
        // SAFETY: the caller's promise; no edge data means plain edges.
        check(unsafe {
            functions::cuGraphAddNode_v2(&raw mut node, self.0, dependencies, std::ptr::null(), after.len(), params)
        })?;
        Ok(Node(node))
    }

    /// Adds a kernel node behind `after`, each by an edge of its kind.
    ///
    /// # Safety
    /// As for [`GraphRef::add`]; programmatic edges begin at kernel nodes, and the kernel waits before it touches memory.
    pub(in crate::cuda) unsafe fn add_overlapping(
        self,
        after: &[Node],
        edges: &[Edge],
        params: &mut NodeParams,
    ) -> Result<Node, Failure> {
        debug_assert_eq!(after.len(), edges.len());
        let mut node: CUgraphNode = std::ptr::null_mut();
        let data: Vec<CUgraphEdgeData> = edges.iter().map(|edge| edge.data()).collect();
        let count = after.len().min(data.len());
        let (dependencies, params) = (after.as_ptr().cast::<CUgraphNode>(), params.as_mut_ptr());
        // SAFETY: the caller's promise; both arrays have `count` entries.
        check(unsafe {
            functions::cuGraphAddNode_v2(&raw mut node, self.0, dependencies, data.as_ptr(), count, params)
        })?;
        Ok(Node(node))
    }

    /// Adds a conditional and returns its bodies too.
    ///
    /// # Safety
    /// As for [`GraphRef::add`]; `params` are those of a conditional with `bodies` bodies.
    pub(in crate::cuda) unsafe fn add_conditional(
        self,
        after: &[Node],
        params: &mut NodeParams,
        bodies: usize,
    ) -> Result<(Node, Vec<Self>), Failure> {
        // SAFETY: the caller's promise.
        let node = unsafe { self.add(after, params) }?;
        // SAFETY: the node was added with these parameters.
        let graphs = unsafe { params.bodies(bodies) };
        Ok((node, graphs.into_iter().map(Self).collect()))
    }

    /// A handle for one conditional of this graph: zero at every launch.
    ///
    /// # Safety
    /// The graph lives.
    pub(in crate::cuda) unsafe fn handle(self, context: Context) -> Result<Handle, Failure> {
        let mut handle: CUgraphConditionalHandle = 0;
        let flags: c_uint = sys::CU_GRAPH_COND_ASSIGN_DEFAULT;
        // SAFETY: the caller's promise, and `handle` is a valid place.
        check(unsafe { functions::cuGraphConditionalHandleCreate(&raw mut handle, self.0, context.raw(), 0, flags) })?;
        Ok(Handle(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::Edge;

    #[test]
    fn a_full_edge_is_all_zero_and_a_programmatic_one_has_its_port_and_type() {
        let numbers = |edge: Edge| {
            let data = edge.data();
            [data.from_port, data.to_port, data.type_]
        };
        assert_eq!(numbers(Edge::Full), [0, 0, 0]);
        assert_eq!(numbers(Edge::Programmatic), [1, 0, 1]);
    }
}
