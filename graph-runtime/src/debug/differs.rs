//! What a checked run has found.

use std::fmt;

use crate::error::NodeName;

/// The first node of a checked run that did something else than its statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The node.
    pub node: NodeName,
    /// `kernel`, `copy`, `fill`, …
    pub kind: &'static str,
    /// The buffer, by the name that it has in the block.
    pub buffer: String,
    /// Which element of the buffer, counted from its first.
    pub index: u64,
    /// What the node has left there.
    pub device: String,
    /// What the CPU computes for it; of an element that the node does not write, what was there before.
    pub expected: String,
    /// How many elements of this buffer are wrong.
    pub count: u64,
    /// Whether the node says that it writes this element.
    pub declared: bool,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, kind, buffer, index, device, expected, count, declared } = self;
        let more = if *count > 1 { format!(", and {} more of its elements differ", count - 1) } else { String::new() };
        if *declared {
            write!(f, "{kind} {node} writes {device} to `{buffer}[{index}]`, the CPU writes {expected}{more}")?;
            return write!(
                f,
                "\nhelp: compare the kernel with its CPU body; if both are right, allow more with `run_checked_within`"
            );
        }
        write!(f, "{kind} {node} writes {device} to `{buffer}[{index}]`, where {expected} was{more}")?;
        write!(f, "\nnote: its statement does not say that it writes this element")?;
        write!(f, "\nhelp: correct the kernel's index, or what the declaration says that it writes")
    }
}
