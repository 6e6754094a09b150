//! What `swap` of the buffers of lists came to: names are exchanged while the graph is evaluated, and here is looked at what that left.

use rustc_hash::FxHashMap;

use super::{FrameId, ListedBuffer, Values};
use crate::finding::Finding;
use crate::model::{Buffer, BufferId, Memory, NodeId, NodeKind, Place, Program};
use crate::rules::swap;

/// All of them, in the order in which they were evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// Each `swap`.
    pub pairs: Vec<Exchange>,
    /// Names that were not back where they must be.
    pub left: Vec<LeftExchanged>,
}

/// One `swap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The statement.
    pub place: Place,
    /// What the two names stood for.
    pub buffers: [ListedBuffer; 2],
}

/// Names that are left exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftExchanged {
    /// At the end of a body of this conditional node, or at the end of the graph.
    pub body: Option<NodeId>,
    /// Where that was evaluated.
    pub frame: FrameId,
    /// What stood there first, of each name.
    pub names: Vec<ListedBuffer>,
    /// After how many times what was done every name is back.
    pub order: u32,
    /// The last `swap`.
    pub place: Place,
}

/// What is wrong with them, in the program as it was written and with numbers.
pub(super) fn check(
    (written, program): (&Program, &Program),
    values: &dyn Values,
    listed: &FxHashMap<ListedBuffer, BufferId>,
) -> Vec<Finding> {
    let Exchanges { pairs, left } = values.exchanges();
    let named = |buffer: &ListedBuffer| Some(program.buffer(*listed.get(buffer)?));
    let unlike = pairs.iter().filter_map(|pair| {
        let [Some(first), Some(second)] = [named(&pair.buffers[0]), named(&pair.buffers[1])] else { return None };
        let what = difference(first, second)?;
        let like = [first, second].map(|buffer| like(program, buffer, what));
        let (one, two) =
            ((first.name.as_str(), &*like[0], first.place), (second.name.as_str(), &*like[1], second.place));
        Some(swap::unlike_in_lists(one, two, what, pair.place))
    });
    let left = left.iter().map(|left| {
        let names: Vec<&str> = left.names.iter().filter_map(named).map(|buffer| buffer.name.as_str()).collect();
        finding(written, values, left, &names)
    });
    let mut found: Vec<Finding> = Vec::new();
    for finding in unlike.chain(left) {
        // Passes repeat it.
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
    found
}

fn like(program: &Program, buffer: &Buffer, what: &str) -> String {
    match (what, buffer.memory) {
        ("memory", Memory::Host) => "lies in pinned memory of the host".to_owned(),
        ("memory", Memory::Mailbox) => "is a mailbox".to_owned(),
        ("memory", Memory::Device) => "lies in device memory".to_owned(),
        _ => format!("has {} elements", program.shape_text(&buffer.shape)),
    }
}

fn difference(first: &Buffer, second: &Buffer) -> Option<&'static str> {
    match (first.memory == second.memory, first.shape == second.shape) {
        (false, _) => Some("memory"),
        (true, true) => None,
        (true, false) if first.shape.rank() == 1 && second.shape.rank() == 1 => Some("length"),
        (true, false) => Some("shape"),
    }
}

fn finding(program: &Program, values: &dyn Values, left: &LeftExchanged, names: &[&str]) -> Finding {
    let Some(body) = left.body.map(|body| program.node(body)) else {
        return swap::parameters(names.first().unwrap_or(&""), names.get(1).unwrap_or(&""), left.place);
    };
    let NodeKind::Loop(head) = &body.kind else {
        return swap::swap_in_branch(names, body.kind.word(), left.place, body.place);
    };
    match head.every_by {
        None => swap::names_left_exchanged(names, left.order, 1, body.place, left.place),
        Some(every) => {
            let passes = values.passes(left.frame, every).len();
            swap::left_by_every(names, passes, program.node(every).place, left.place)
        }
    }
}
