//! Which loops one launch can run whole on a CUDA device: those of nothing but kernels that this crate writes.
//!
//! A pass through a conditional node costs a launch for each kernel in it and one for the test.

use graph_ir::model::{Access, Memory, NodeId, NodeKind};
use graph_ir::optimize::resident::{self, Phase};

use super::{Part, Parts, Pass, Plan, Step};

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
    /// The launches of a pass.
    pub(crate) phases: Vec<Phase>,
}

impl Plan {
    /// The loops that one launch can run, by node.
    pub(crate) fn residents(&self, parts: &Parts<'_>) -> Vec<Resident> {
        let all = (0..self.program.nodes.len() as u32).map(NodeId);
        all.filter_map(|node| self.resident(node, parts)).collect()
    }

    /// A loop as one launch.
    pub(crate) fn resident(&self, node: NodeId, parts: &Parts<'_>) -> Option<Resident> {
        if !self.planning.runs(Pass::ResidentLoops) {
            return None;
        }
        let (Some(Step::Loop(_)), NodeKind::Loop(head)) = (self.step(node), &self.program.node(node).kind) else {
            return None;
        };
        let body = self.region(head.body)?;
        // What the host looks at meanwhile is read anew by each launch.
        let of_device =
            |inner: &NodeId| self.program.node(*inner).accesses.iter().all(|access| !self.is_mailbox(access));
        let plain = body.order.iter().all(|inner| self.is_plain(*inner) && of_device(inner)) && of_device(&node);
        if head.by_kernel || self.program.node(node).optional || !plain || !self.is_alone(node) {
            return None;
        }
        let launch_of = |node| (parts.part(node) != Part::Tail).then(|| parts.launch_of(node));
        let phases = resident::phases(&body.order, &body.edges, &launch_of);
        (phases.len() <= MOST_PHASES).then_some(Resident { node, phases })
    }

    /// What `plan()` says about a loop.
    pub(super) fn resident_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let Resident { phases, .. } = self.resident(node, parts)?;
        let waits = phases.iter().filter(|phase| phase.waits).count() + 1;
        let waits = if waits == 1 { "once".to_owned() } else { format!("{waits} times") };
        Some(format!("one launch runs all passes; its blocks wait for each other {waits} a pass"))
    }

    /// Whether the host looks at an access's buffer while the graph runs.
    pub(crate) fn is_mailbox(&self, access: &Access) -> bool {
        self.program.buffer(access.buffer).memory == Memory::Mailbox
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
        self.region(region).is_some_and(|plan| resident::is_alone(node, &plan.order, &plan.edges))
            && self.program.region(region).owner.is_none_or(|owner| self.is_alone(owner))
    }
}
