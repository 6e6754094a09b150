//! How long nodes take, as somebody says or as it was profiled.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::plan::{Plan, Times};

/// How long nodes take: for [`Graph::tune_by`](crate::Graph::tune_by). From a [`Profile`](crate::Profile), or given:
///
/// ```
/// use std::time::Duration;
/// use graph_runtime::Durations;
///
/// let durations = Durations::default().with("factor", Duration::from_micros(40)).with("update", Duration::from_micros(12));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    /// By label: all runs together, and how many.
    given: BTreeMap<String, (Duration, u64)>,
}

impl Durations {
    /// With a node, by the label that `plan()` shows; without `[…]` and `…/` it is meant in all passes of a `for` and in all graphs that
    /// are inside the graph, and what is given for fewer of them counts more. A node that nobody names takes no time, a conditional as
    /// long as the nodes of its bodies. A label that is given again has the last duration.
    #[must_use]
    pub fn with(mut self, label: impl Into<String>, duration: Duration) -> Self {
        self.given.insert(label.into(), (duration, 1));
        self
    }

    /// Counts more runs of a node.
    pub(crate) fn add(&mut self, label: &str, total: Duration, runs: u64) {
        let known = self.given.entry(label.to_owned()).or_default();
        *known = (known.0 + total, known.1 + runs);
    }

    /// By the nodes of a plan.
    pub(super) fn of(&self, plan: &Plan) -> Result<Times> {
        let mut times = Times::none(plan.program.nodes.len());
        let mut unknown: BTreeSet<&str> = self.given.keys().map(String::as_str).collect();
        let mut labels: BTreeSet<String> = BTreeSet::new();
        for node in plan.node_ids() {
            let label: &str = &plan.program.node(node).label;
            let everywhere = without_passes(label);
            let alone = everywhere.rsplit('/').next().unwrap_or(&everywhere);
            for name in [label, &everywhere, alone] {
                unknown.remove(name);
            }
            let found = [label, &everywhere, alone].into_iter().find_map(|name| self.given.get(name));
            if let Some((total, runs)) = found {
                times.set(node, nanoseconds(*total) / (*runs).max(1), *runs);
            }
            labels.insert(everywhere);
        }
        match unknown.into_iter().next() {
            Some(label) => Err(no_node(&plan.program.name, label, &labels)),
            None => Ok(times),
        }
    }
}

/// `Step[2]/attn[0]` is `Step/attn`.
fn without_passes(label: &str) -> String {
    let mut depth = 0_u32;
    let outside = |letter: &char| {
        let inside = depth > 0 || *letter == '[';
        depth = (depth + u32::from(*letter == '[')).saturating_sub(u32::from(*letter == ']'));
        !inside
    };
    label.chars().filter(outside).collect()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn no_node(graph: &str, label: &str, labels: &BTreeSet<String>) -> Error {
    let shown: Vec<_> = labels.iter().take(LISTED).map(|label| format!("`{label}`")).collect();
    let more = match labels.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Error::Tuning(format!(
        "a duration is given for `{label}`, and no node of graph `{graph}` is called so\n\
         note: its nodes are {}{more}\n\
         help: name a node as `plan()` does, or leave that duration out",
        shown.join(", ")
    ))
}

/// Labels that a message lists.
const LISTED: usize = 8;
