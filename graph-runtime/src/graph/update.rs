//! What a change of a graph came to.

use std::fmt;
use std::sync::Arc;

use graph_ir::model::{NodeId, Place, Program, SymbolId};

use crate::device::Taken;
use crate::plan::{Difference, Plan};
use crate::program::{Changes, Decision};

/// What the last setter, rebind or [`Graph::update_from`](super::Graph::update_from) came to: how many nodes it has touched, or why the
/// graph was built anew. Launches from there on run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// Some nodes are passed other values or buffers. Nothing else was looked at, and the graph was not planned again.
    Patched(Touched),
    /// The graph was planned again, and came out with the same nodes and edges: the parameters of some nodes were changed.
    Updated(Touched),
    /// The graph was planned again and built anew, since nodes or edges are others or the device cannot change what is.
    Rebuilt {
        /// Why, with the value that was set: `` `layers` is structural: the `for` at src/main.rs:12:9 makes 5 passes, and made 4 ``.
        reason: String,
        /// The first node that is concerned, as plans call it.
        node: Option<String>,
    },
}

/// Nodes whose parameters were changed.
#[derive(Clone)]
pub struct Touched {
    program: Arc<Program>,
    nodes: Vec<NodeId>,
}

/// A setter, and what it made other than it was.
pub(super) struct Cause<'c> {
    /// As written.
    pub(super) program: &'c Program,
    pub(super) changes: &'c Changes,
    /// The value that was set, if it was one.
    pub(super) name: Option<&'c str>,
}

impl Cause<'_> {
    /// Why the graph has another structure.
    fn reason(&self, difference: &Difference) -> String {
        let spot = |place: Place| self.program.location(place).map_or_else(String::new, |spot| format!(" at {spot}"));
        let of_symbol = |symbol: SymbolId| {
            let symbol = self.program.symbol(symbol);
            (&symbol.text, spot(symbol.place))
        };
        let what = match self.changes.decision {
            None => difference.reason.clone(),
            Some(Decision::Arm(symbol)) => {
                let (text, spot) = of_symbol(symbol);
                format!("it decides by `{text}`{spot} which statements there are")
            }
            Some(Decision::Passes { node, passes: [before, now] }) => {
                let spot = spot(self.program.node(node).place);
                let passes = if now == 1 { "1 pass".to_owned() } else { format!("{now} passes") };
                format!("the `for`{spot} makes {passes}, and made {before}")
            }
            Some(Decision::Buffer(symbol)) => {
                let (text, spot) = of_symbol(symbol);
                format!("`{text}`{spot} names another buffer of its list")
            }
        };
        match self.name.filter(|_| self.changes.decision.is_some() || difference.structure) {
            Some(name) => format!("`{name}` is structural: {what}"),
            None => what,
        }
    }
}

impl Update {
    /// Of a plan that was patched, or that was made anew.
    pub(super) fn of(taken: Taken, plan: &Plan, patched: bool, cause: Option<&Cause<'_>>) -> Self {
        match taken {
            Taken::Patched(nodes) => {
                let touched = Touched { program: Arc::clone(&plan.program), nodes };
                if patched { Self::Patched(touched) } else { Self::Updated(touched) }
            }
            Taken::Rebuilt(difference) => {
                let node = difference.node.as_deref().map(str::to_owned);
                let reason = cause.map_or_else(|| difference.reason.clone(), |cause| cause.reason(&difference));
                Self::Rebuilt { reason, node }
            }
        }
    }

    /// How many nodes were touched; `None` if the graph was built anew.
    pub fn touched(&self) -> Option<usize> {
        match self {
            Self::Patched(touched) | Self::Updated(touched) => Some(touched.len()),
            Self::Rebuilt { .. } => None,
        }
    }

    /// Whether the graph was built anew.
    pub fn is_rebuilt(&self) -> bool {
        matches!(self, Self::Rebuilt { .. })
    }
}

impl Touched {
    /// How many.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none: the change made no difference.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// As plans call them.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| &*self.program.node(*node).label)
    }
}

impl PartialEq for Touched {
    fn eq(&self, other: &Self) -> bool {
        self.labels().eq(other.labels())
    }
}

impl Eq for Touched {}

impl fmt::Debug for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.labels()).finish()
    }
}

/// So many labels are listed at most.
const MOST_LABELS: usize = 4;

impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            0 => return f.write_str("no node"),
            1 => f.write_str("1 node: ")?,
            many => write!(f, "{many} nodes: ")?,
        }
        let labels: Vec<String> = self.labels().take(MOST_LABELS).map(|label| format!("`{label}`")).collect();
        f.write_str(&labels.join(", "))?;
        if self.len() > MOST_LABELS { f.write_str(", …") } else { Ok(()) }
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Patched(touched) => write!(f, "patched {touched}"),
            Self::Updated(touched) => write!(f, "updated {touched}"),
            Self::Rebuilt { reason, .. } => write!(f, "rebuilt: {reason}"),
        }
    }
}

#[cfg(test)]
#[expect(
    unreachable_pub,
    clippy::allow_attributes_without_reason,
    reason = "a module of kernels is made for other crates"
)]
mod alone_tests;
#[cfg(test)]
#[expect(
    unreachable_pub,
    clippy::allow_attributes_without_reason,
    clippy::many_single_char_names,
    clippy::cast_precision_loss,
    reason = "a module of kernels is made for other crates; small numbers in a graph's letters"
)]
mod bounded_tests;
#[cfg(test)]
mod tests;
