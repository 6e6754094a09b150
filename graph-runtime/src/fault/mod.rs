//! Faults that only the device finds: an index out of bounds.
//!
//! On the CPU a fault unwinds to the node that runs, as a [`Fault`]. A GPU writes the first one into a [`FaultRecord`], which is read
//! when somebody waits.

#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices have a record"))]
mod record;

use std::panic::resume_unwind;

use graph_ir::model::{NodeId, Place, Program};

use crate::error::{Error, NodeName};

#[cfg(feature = "cuda")]
pub(crate) use record::{FaultRecord, Site, SiteKind, Sites};

/// What is wrong, where. Thrown by a node's function on the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What to point at.
    pub(crate) place: Place,
    /// In one sentence.
    pub(crate) message: String,
}

impl Fault {
    /// Unwinds to the node that runs, without a word on stderr.
    pub(crate) fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// As an error of a node.
    pub(crate) fn into_error(self, program: &Program, node: NodeId) -> Error {
        let NodeName { label, location } = NodeName::of(program, node);
        let location = program.location(self.place).map_or(location, |spot| spot.to_string());
        let kind = program.node(node).kind.word();
        Error::Fault(format!("{} ({location}, in {kind} `{label}`)", self.message))
    }
}
