//! Which loops one launch can run whole on a CUDA device.
//!
//! A pass through a conditional node costs a launch for each kernel in it and one for the test. Where a body has nothing but kernels
//! that this crate writes, the blocks of one launch can stay on the device and run them pass by pass, and wait for each other where a
//! kernel waits for another. They take the device for themselves, so that is done only for loops that nothing runs beside.

use std::collections::{BTreeSet, HashMap, HashSet};

use graph_ir::model::{NodeId, NodeKind, RegionId};

use super::{Part, Parts, Plan, Step};

/// A kernel over more indices stays a node: its blocks are not on the device all at once, and then many blocks of little each are faster
/// than few that go on. Measured on an H200: about equal here, 15 % slower at twice as many.
const MOST_INDICES: u64 = 1 << 17;

/// More kernels than that stay nodes.
const MOST_PHASES: usize = 48;

/// A loop that one launch can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resident {
    /// The loop.
    pub(crate) node: NodeId,
    /// The launches of a pass, each by its first node, and whether it waits for one since the blocks have last waited for each other.
    pub(crate) phases: Vec<(NodeId, bool)>,
}

impl Plan {
    /// The loops that one launch can run, by node.
    pub(crate) fn residents(&self, parts: &Parts<'_>) -> Vec<Resident> {
        let all = (0..self.program.nodes.len() as u32).map(NodeId);
        all.filter_map(|node| self.resident(node, parts)).collect()
    }

    /// A loop as one launch.
    pub(crate) fn resident(&self, node: NodeId, parts: &Parts<'_>) -> Option<Resident> {
        let (Some(Step::Loop(_)), NodeKind::Loop(head)) = (self.step(node), &self.program.node(node).kind) else {
            return None;
        };
        let plain = self.region(head.body)?.order.iter().all(|inner| self.is_plain(*inner));
        if head.by_kernel || self.program.node(node).optional || !plain || !self.is_alone(node) {
            return None;
        }
        let phases = self.phases(head.body, parts)?;
        (phases.len() <= MOST_PHASES).then_some(Resident { node, phases })
    }

    /// What `plan()` says about a loop.
    pub(super) fn resident_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let Resident { phases, .. } = self.resident(node, parts)?;
        let waits = phases.iter().filter(|(_, waits)| *waits).count() + 1;
        let waits = if waits == 1 { "once".to_owned() } else { format!("{waits} times") };
        Some(format!("one launch runs all passes; its blocks wait for each other {waits} a pass"))
    }

    /// Whether a node is a kernel that this crate writes, whatever its values are.
    fn is_plain(&self, node: NodeId) -> bool {
        let here = self.program.node(node);
        let written = match self.step(node) {
            Some(Step::Scalar(_) | Step::Assert { .. }) => true,
            Some(Step::Compute(step)) => (1..=MOST_INDICES).contains(&step.function.count()),
            Some(Step::Fill { .. }) => {
                let elements = self.strided(&here.accesses[0]).sizes.iter().product::<u64>();
                !self.in_rows(&here.accesses[0]) && (1..=MOST_INDICES).contains(&elements)
            }
            _ => false,
        };
        written && !here.optional
    }

    /// Whether nothing runs beside a node, nor beside what it is in.
    fn is_alone(&self, node: NodeId) -> bool {
        let region = self.program.node(node).region;
        self.is_alone_in(node, region)
            && self.program.region(region).owner.is_none_or(|owner| region == RegionId::GRAPH || self.is_alone(owner))
    }

    fn is_alone_in(&self, node: NodeId, region: RegionId) -> bool {
        let Some(plan) = self.region(region) else { return false };
        let Some(position) = plan.order.iter().position(|other| *other == node) else { return false };
        let pairs = || plan.edges.iter().map(|edge| (edge.from, edge.to));
        let behind = reached(node, &plan.order[position + 1..], pairs().map(|(from, to)| (to, from)));
        let before: Vec<NodeId> = plan.order[..position].iter().rev().copied().collect();
        behind && reached(node, &before, pairs())
    }

    fn phases(&self, body: RegionId, parts: &Parts<'_>) -> Option<Vec<(NodeId, bool)>> {
        let plan = self.region(body)?;
        let own = |node: &NodeId| matches!(parts.part(*node), Part::Alone | Part::First(_));
        let mut phases = Vec::new();
        // The launches since the last wait.
        let mut open: BTreeSet<NodeId> = BTreeSet::new();
        for launch in plan.order.iter().copied().filter(own) {
            let behind = plan.edges.iter().any(|edge| {
                let (from, to) = (parts.launch_of(edge.from), parts.launch_of(edge.to));
                to == launch && from != launch && open.contains(&from)
            });
            if behind {
                open.clear();
            }
            open.insert(launch);
            phases.push((launch, behind));
        }
        Some(phases)
    }
}

/// Whether a way leads from each of the nodes to `node`, by these steps. They are in an order such that ways lead to earlier ones.
fn reached(node: NodeId, nodes: &[NodeId], steps: impl Iterator<Item = (NodeId, NodeId)>) -> bool {
    let mut ways: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (from, to) in steps {
        ways.entry(from).or_default().push(to);
    }
    let mut leads = HashSet::from([node]);
    nodes
        .iter()
        .all(|other| ways.get(other).into_iter().flatten().any(|next| leads.contains(next)) && leads.insert(*other))
}
