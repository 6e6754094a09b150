//! What one node of a CUDA graph does, as [`Sources`](super::sources::Sources) finds it out.

use std::ffi::c_void;

use super::calls::call_host;
use crate::cuda::driver::{Attributes, Context, CopyEnd, EventRef, Function, GraphRef, NodeParams};

/// What one node of the CUDA graph does. A launch's arguments are beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) enum Work {
    /// Nothing: it only has order.
    Empty,
    /// A launch.
    Launch(Spec),
    /// A copy of at least one byte.
    Copy(Copy),
    /// A callback, with what it is given.
    Host(u64),
    /// What was captured.
    Child(GraphRef),
    /// A record of an event.
    Record(EventRef),
    /// A wait for an event.
    Wait(EventRef),
}

/// A launch without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Spec {
    pub(in crate::cuda) function: Function,
    /// Grid and block.
    pub(in crate::cuda) geometry: [[u32; 3]; 2],
    pub(in crate::cuda) shared: u32,
    pub(in crate::cuda) attributes: Attributes,
}

/// A copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Copy {
    pub(in crate::cuda) to: CopyEnd,
    pub(in crate::cuda) from: CopyEnd,
    /// Slices, rows, bytes of a row.
    pub(in crate::cuda) sizes: [u64; 3],
}

impl Copy {
    /// Whether all bytes lie side by side, on both sides.
    pub(in crate::cuda) fn is_line(&self) -> bool {
        self.sizes[0] == 1 && self.sizes[1] == 1
    }
}

/// Parameters of one node behind another's, in one place: nearly all of those of a launch are the same for each.
pub(in crate::cuda) struct Reused {
    /// Of the last launch.
    launch: NodeParams,
    /// Of the last node that is no launch.
    other: Option<NodeParams>,
}

impl Reused {
    pub(in crate::cuda) fn new() -> Self {
        Self { launch: NodeParams::any_kernel(), other: None }
    }

    /// Those of the next node.
    pub(in crate::cuda) fn params(
        &mut self,
        work: &Work,
        arguments: &mut [*mut c_void],
        context: Context,
    ) -> &mut NodeParams {
        match work {
            Work::Launch(spec) => {
                self.launch.set_kernel(spec.function, spec.geometry, spec.shared, arguments);
                &mut self.launch
            }
            other => self.other.insert(other.params(arguments, context)),
        }
    }
}

impl Work {
    /// As the driver wants it, with pointers to the arguments of a launch.
    pub(in crate::cuda) fn params(&self, arguments: &mut [*mut c_void], context: Context) -> NodeParams {
        match self {
            Self::Empty => NodeParams::empty(),
            Self::Launch(spec) => NodeParams::kernel(spec.function, spec.geometry, spec.shared, arguments),
            Self::Host(data) => NodeParams::host(call_host, *data),
            Self::Child(graph) => NodeParams::child(*graph),
            Self::Record(event) => NodeParams::record(*event),
            Self::Wait(event) => NodeParams::wait(*event),
            Self::Copy(copy) => NodeParams::copy(copy.to, copy.from, copy.sizes, context),
        }
    }
}
