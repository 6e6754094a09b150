//! What old code and a graph have left in the same buffers.

use std::fmt;
use std::sync::Arc;

use super::compare::{Tolerance, first_wrong, text_at};
use super::old_code::Side;
use crate::device::Backend;
use crate::error::{Error, Result};

/// How much [`Graph::compare_with`](crate::Graph::compare_with) has found equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Buffers that the graph writes.
    pub buffers: usize,
    /// Their elements.
    pub elements: u64,
}

/// The first buffer in which old code and a graph have left different results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// The graph.
    pub graph: String,
    /// The buffer, by the name that it is bound to.
    pub buffer: String,
    /// The first element that differs.
    pub index: u64,
    /// What the old code has left there.
    pub old: String,
    /// What the graph has left there.
    pub new: String,
    /// How many elements of this buffer differ.
    pub count: u64,
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { graph, buffer, index, old, new, count } = self;
        let more = if *count > 1 { format!(", and {} more of its elements differ", count - 1) } else { String::new() };
        write!(f, "graph `{graph}` leaves {new} in `{buffer}[{index}]`, the old code {old}{more}")?;
        write!(
            f,
            "\nhelp: `run_checked` finds the node if the graph is wrong; if both are right, allow more with `compare_within`"
        )
    }
}

/// What lay in each buffer.
pub(crate) struct Contents(Vec<Vec<u8>>);

impl Contents {
    /// As it is now. The caller has waited for all uses.
    pub(crate) fn of(backend: &Arc<dyn Backend>, sides: &[Side<'_>]) -> Result<Self> {
        let read = |side: &Side<'_>| {
            let mut bytes = vec![0; side.leaf.length * side.leaf.element.size];
            if !bytes.is_empty() {
                backend.read(side.address, side.leaf.memory, &mut bytes)?;
            }
            Ok(bytes)
        };
        Ok(Self(sides.iter().map(read).collect::<Result<_>>()?))
    }

    /// Puts it back where the graph writes.
    pub(crate) fn restore(&self, backend: &Arc<dyn Backend>, sides: &[Side<'_>]) -> Result<()> {
        let mut written = sides.iter().zip(&self.0).filter(|(side, bytes)| side.writes && !bytes.is_empty());
        written.try_for_each(|(side, bytes)| backend.write(side.address, side.leaf.memory, bytes))
    }

    /// Refuses a write to what the graph only reads.
    pub(crate) fn only_read(&self, after: &Self, graph: &str, sides: &[Side<'_>]) -> Result<()> {
        let pairs = sides.iter().zip(self.0.iter().zip(&after.0)).filter(|(side, _)| !side.writes);
        for (Side { leaf, .. }, (before, after)) in pairs {
            if let Some((index, _)) = first_wrong(leaf.element.size, (before, after), |_, _, _| true) {
                let name = &leaf.name;
                return Err(Error::Buffer(format!(
                    "the old code writes `{name}[{index}]`, which graph `{graph}` only reads\n\
                     help: declare `{name}` with `&mut` if the graph is to write it too"
                )));
            }
        }
        Ok(())
    }

    /// Compares what the old code has left with what the graph has.
    pub(crate) fn compare(
        &self,
        new: &Self,
        graph: &str,
        sides: &[Side<'_>],
        tolerance: &Tolerance,
    ) -> Result<Compared> {
        let mut compared = Compared::default();
        for (Side { leaf, .. }, (old, new)) in
            sides.iter().zip(self.0.iter().zip(&new.0)).filter(|(side, _)| side.writes)
        {
            let layout = leaf.element;
            let wrong = |_, one: &[u8], other: &[u8]| !tolerance.accepts(layout, one, other);
            if let Some((index, count)) = first_wrong(layout.size, (old, new), wrong) {
                let [old, new] = [old, new].map(|bytes| text_at(layout, bytes, index));
                let (graph, buffer) = (graph.to_owned(), leaf.name.clone());
                return Err(Error::Unlike(Box::new(Unlike { graph, buffer, index, old, new, count })));
            }
            compared.buffers += 1;
            compared.elements += leaf.length as u64;
        }
        Ok(compared)
    }
}
