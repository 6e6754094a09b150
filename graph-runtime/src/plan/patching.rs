//! Patches of one plan, one behind another: what is known of it for all of them, and a program to put the next one's numbers into.

use std::sync::Arc;
use std::sync::OnceLock;

use graph_ir::model::{NodeId, Program};

use super::amounts::{Amounts, Change, Reached, Source};
use super::build::Tables;
use super::patch::Readers;
use super::{Plan, SharedPlan};
use crate::program::{Changes, Sink};

/// What patches of a plan go by, until it is made anew.
pub(crate) struct Patching {
    readers: Readers,
    /// Once a value with a bound has needed them, if there can be any.
    amounts: OnceLock<Option<Amounts>>,
    spare: Option<Spare>,
}

/// The program before the last patch, which is like the plan's but for what the patch has reached.
struct Spare {
    program: Program,
    stale: Reached,
}

/// A plan that was patched.
pub(crate) struct Patched {
    pub(crate) plan: SharedPlan,
    /// The nodes that do something else in it.
    pub(crate) nodes: Vec<NodeId>,
    reached: Reached,
}

impl Patching {
    /// Of a plan that was made of this evaluation.
    pub(crate) fn of(plan: &Plan, sink: &Sink) -> Self {
        Self { readers: Readers::of(plan, sink), amounts: OnceLock::new(), spare: None }
    }

    /// The plan with what a later evaluation, and that at the bounds, have come to. `None` if it may be different in anything but numbers, or if something is wrong.
    pub(crate) fn patch(
        &mut self,
        plan: &Plan,
        (symbolic, tables): (&Program, &Tables),
        (sink, largest): (&Sink, Option<&Sink>),
        changes: &Changes,
    ) -> Option<Patched> {
        if !changes.keep_decisions() || self.readers.fills_static(changes) {
            return None;
        }
        if changes.are_values_only()
            && let Some((plan, nodes)) = plan.patched(sink, tables, changes, &self.readers)
        {
            return Some(Patched { plan: plan.into(), nodes, reached: Reached::default() });
        }
        let sinks = (sink, largest?);
        let amounts = self.amounts.get_or_init(|| Amounts::of(plan, symbolic, sinks)).as_ref()?;
        let from = Source { symbolic, sink, tables };
        let change = Change::new(plan, amounts, from, changes, self.readers.reached(changes))?;
        let program = match self.spare.take() {
            Some(spare) => spare.refreshed(&plan.program, &change.reached),
            None => Program::clone(&plan.program),
        };
        let (plan, nodes) = change.made(program)?;
        Some(Patched { plan: plan.into(), nodes, reached: change.reached })
    }

    /// Keeps what a patch has taken the place of, unless somebody else does.
    pub(crate) fn keep(&mut self, old: SharedPlan, patched: Patched) {
        if Arc::ptr_eq(&old.program, &patched.plan.program) {
            return;
        }
        let program = Arc::into_inner(old).and_then(|plan| Arc::into_inner(plan.program));
        self.spare = program.map(|program| Spare { program, stale: patched.reached });
    }
}

impl Spare {
    /// The program with what it has missed, but for what is put into it anyway.
    fn refreshed(self, now: &Program, reached: &Reached) -> Program {
        let Self { mut program, stale } = self;
        for node in stale.nodes.iter().filter(|node| reached.nodes.binary_search(node).is_err()) {
            program.nodes[node.0 as usize].clone_from(now.node(*node));
        }
        for buffer in stale.buffers.iter().filter(|buffer| reached.buffers.binary_search(buffer).is_err()) {
            program.buffers[buffer.0 as usize].shape = now.buffer(*buffer).shape;
        }
        program
    }
}
