//! The record that a device writes a fault into, and what it is read as.
//!
//! A launch that finds something wrong puts the number of the site plus one into the record, unless a fault is there already, and three
//! words that say more. Who is first is decided by a claim in device memory: the host's has no atomic operations for a device. Sites are counted in twos, so that the low bit is the site's own.

use std::sync::Arc;

use graph_ir::model::{NodeId, Place};

use super::Fault;
use crate::compute::out_of_bounds;
use crate::error::Error;
use crate::plan::{Plan, Step};

/// The record, in memory that host and device see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct FaultRecord {
    /// Zero if there is no fault, else the number of its site plus one.
    pub(crate) site: u64,
    /// What the site says with it.
    pub(crate) words: [u64; 3],
    /// How many faults were read from here: what a kernel must find in the claim to win it.
    pub(crate) taken: u64,
}

/// One place in a graph's generated code that may find something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The node that finds it.
    pub(crate) node: NodeId,
    /// What to point at.
    pub(crate) place: Place,
    /// What may be wrong.
    pub(crate) kind: SiteKind,
}

/// What may be wrong at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SiteKind {
    /// An index out of bounds: the words are its numbers, which are signed if the site's low bit is set.
    Index {
        /// Of the node.
        access: u32,
    },
    /// An assertion that does not hold.
    Assertion,
}

/// The sites of a graph, by number.
pub(crate) type Sites = Arc<[Site]>;

impl FaultRecord {
    /// The fault as an error of the plan that was launched; `None` if there is none.
    pub(crate) fn error(&self, plan: &Plan, sites: &[Site]) -> Option<Error> {
        let number = self.site.checked_sub(1)?;
        let Some(site) = sites.get((number / 2) as usize) else {
            return Some(Error::Fault(format!("cuda_graph! internal error: a fault at site {number}, which is none")));
        };
        let message = match site.kind {
            SiteKind::Index { access } => self.index_message(plan, site.node, access, number % 2 == 1),
            SiteKind::Assertion => match plan.step(site.node) {
                Some(Step::Assert { message, .. }) => message.to_string(),
                _ => "assertion failed".to_owned(),
            },
        };
        Some(Fault { place: site.place, message }.into_error(&plan.program, site.node))
    }

    fn index_message(&self, plan: &Plan, node: NodeId, access: u32, signed: bool) -> String {
        let Some(access) = plan.program.node(node).accesses.get(access as usize) else {
            return "an index is out of bounds".to_owned();
        };
        let buffer = plan.program.buffer(access.buffer);
        let shape: Vec<u64> = plan.counted(access).shape.sizes().iter().map(|size| size.known().unwrap_or(0)).collect();
        let text = |word: &u64| if signed { word.cast_signed().to_string() } else { word.to_string() };
        let numbers: Vec<String> = self.words.iter().take(shape.len()).map(text).collect();
        let index = match &numbers[..] {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        out_of_bounds(&index, &buffer.name, &shape)
    }
}
