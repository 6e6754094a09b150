//! Who of two nodes waits for whom, in words.

use std::collections::BTreeSet;
use std::fmt;

use graph_ir::analysis::{self, Edges, Relation, accesses, dependences};
use graph_ir::model::{NodeId, RegionId};
use graph_ir::optimize::reduce;

use super::{Parts, Plan, PlanEdge};
use crate::error::NodeName;

/// Whether one of two nodes of a graph waits for the other, and why. Prints as a few lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Explanation {
    /// One waits for the other.
    Ordered {
        /// The label and place of the node that runs first.
        first: String,
        /// Those of the node that waits.
        second: String,
        /// The edges from the first to the second, each from where the one in front of it ends; at least one. A conditional stands for
        /// what is in its bodies.
        chain: Vec<PlanEdge>,
    },
    /// Nothing orders them: they may run side by side.
    Unordered {
        /// The labels and places of both.
        nodes: [String; 2],
        /// The names of buffers that both use, if any: both read them, both update them atomically, or parts that have nothing in common.
        common: Vec<String>,
    },
    /// At most one of them runs each time: they stand in different bodies of an `if` or a `match`.
    Apart {
        /// The labels and places of both.
        nodes: [String; 2],
        /// That conditional.
        of: String,
    },
    /// One stands in a body of the other, and runs when that runs.
    Within {
        /// The label and place of the conditional.
        outer: String,
        /// Those of what stands in it.
        inner: String,
    },
    /// They are one node.
    Same {
        /// Its label and place.
        node: String,
    },
}

impl Plan {
    /// How two nodes of the plan stand to each other.
    pub(crate) fn explain(&self, one: NodeId, other: NodeId) -> Explanation {
        let name = |node| NodeName::of(&self.program, node).to_string();
        // What the block demands is the better reason than the lane that happens to give the same order.
        let relation = match analysis::relation(&self.program, &self.demanded(), one, other) {
            Relation::Unordered { .. } => analysis::relation(&self.program, &self.edges(), one, other),
            relation => relation,
        };
        match relation {
            Relation::Same => Explanation::Same { node: name(one) },
            Relation::Within { outer, inner } => Explanation::Within { outer: name(outer), inner: name(inner) },
            Relation::Apart { of } => Explanation::Apart { nodes: [name(one), name(other)], of: name(of) },
            Relation::Unordered { nodes } => {
                Explanation::Unordered { nodes: [name(one), name(other)], common: self.used_by_both(nodes) }
            }
            Relation::Ordered { chain, turned } => {
                let [first, second] = if turned { [other, one] } else { [one, other] }.map(name);
                let parts = Parts::of(self);
                let chain = chain.iter().map(|edge| self.view_edge(edge, &parts)).collect();
                Explanation::Ordered { first, second, chain }
            }
        }
    }

    /// The edges without those of lanes.
    fn demanded(&self) -> Edges {
        let region = |id: RegionId| {
            let plan = self.region(id)?;
            let demanded = || reduce(&self.program, id, &dependences(&self.program, id));
            Some((id, if plan.lanes.is_some() { demanded() } else { plan.edges.clone() }))
        };
        self.program.live_regions().into_iter().filter_map(region).collect()
    }

    fn used_by_both(&self, nodes: [NodeId; 2]) -> Vec<String> {
        let buffers =
            |node| accesses(&self.program, node).iter().map(|access| self.program.family(access.buffer)).collect();
        let [one, other]: [BTreeSet<_>; 2] = nodes.map(buffers);
        one.intersection(&other).map(|buffer| self.program.buffer(*buffer).name.clone()).collect()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ordered { first, second, chain } => {
                write!(f, "{second} waits for {first}")?;
                chain.iter().try_for_each(|PlanEdge { from, to, reason, .. }| write!(f, "\n  {to} <- {from}: {reason}"))
            }
            Self::Unordered { nodes: [one, other], common } => {
                write!(f, "nothing orders {one} and {other}: they may run side by side")?;
                let names: Vec<String> = common.iter().map(|name| format!("`{name}`")).collect();
                if names.is_empty() {
                    return write!(f, "\n  they use no buffer in common");
                }
                write!(f, "\n  both use {}, and in which order does not matter", names.join(", "))
            }
            Self::Apart { nodes: [one, other], of } => {
                write!(f, "at most one of {one} and {other} runs: they stand in different bodies of {of}")
            }
            Self::Within { outer, inner } => {
                write!(f, "{inner} stands in a body of {outer}, and runs when that says so")
            }
            Self::Same { node } => write!(f, "{node} is one node"),
        }
    }
}
