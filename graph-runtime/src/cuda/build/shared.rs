//! Entries that several nodes of a plan share: assignments one behind the other, also before a loop's test, and bodies of kernels in
//! the block index by index.

use graph_ir::model::{Access, Compute, Expression, NodeId, NodeKind, Renumber, SymbolId};

use super::writer::{Writer, Written};
use crate::plan::{Shared, Step};
use crate::program::TypedValue;
use crate::scalar::ptx::{Assignment, Target};

/// What nodes that share a launch name together.
struct Together {
    shared: Shared,
    accesses: Vec<Access>,
    values: Vec<(SymbolId, TypedValue)>,
}

impl Writer<'_> {
    /// The entry of a group of assignments or of kernels in the block.
    pub(super) fn group(&mut self, group: &[NodeId]) -> Result<Written, String> {
        let last = group.last().copied().unwrap_or(NodeId(0));
        match &self.plan.program.node(last).kind {
            NodeKind::Compute(_) => self.kernels(group, last),
            _ => self.assignments(group),
        }
    }

    fn assignments(&mut self, group: &[NodeId]) -> Result<Written, String> {
        let together = self.together(group, group[0]);
        let assignments = self.assigned(&together, group, 0)?;
        let entry = self.typed_over(&together.accesses, &together.values, |module, types| {
            module.assignments(&assignments, types)
        })?;
        Ok(Written { entry, shared: Some(together.shared) })
    }

    /// A loop's test at the end of its body, behind the assignments that it makes.
    pub(super) fn again(
        &mut self,
        node: NodeId,
        test: Option<&Expression>,
        values: &[(SymbolId, TypedValue)],
        target: Target,
    ) -> Result<Written, String> {
        let tail = self.tail(node);
        let members: Vec<NodeId> = std::iter::once(node).chain(tail.iter().copied()).collect();
        let mut together = self.together(&members, node);
        // The test's own are those of member 0, whose numbers stay.
        together.values.extend_from_slice(values);
        let assignments = self.assigned(&together, &tail, 1)?;
        let entry = self.typed_over(&together.accesses, &together.values, |module, types| {
            module.again(test, &assignments, types, target)
        })?;
        Ok(Written { entry, shared: Some(together.shared) })
    }

    /// Kernels with the same axes. The last one's accesses keep their numbers: a reduction's target is number 0.
    fn kernels(&mut self, group: &[NodeId], last: NodeId) -> Result<Written, String> {
        let plan = self.plan;
        let together = self.together(group, last);
        let kernel = |node: &NodeId| match &plan.program.node(*node).kind {
            NodeKind::Compute(compute) => Some(&**compute),
            _ => None,
        };
        let kernels: Vec<&Compute> = group.iter().filter_map(kernel).collect();
        let shared = &together.shared;
        let compute =
            Compute::concatenated(&kernels, &|member, access| shared.access(member, access), &|member, symbol| {
                shared.host(member, symbol)
            });
        let Some(Step::Compute(step)) = plan.step(last) else { return Err("a kernel has no axes".to_owned()) };
        let collected = self.collected(group[0], &together.accesses);
        let deferred = self.parts.defers(last);
        let entry = self.body(&together.accesses, step, &together.values, &compute, collected, deferred)?;
        Ok(Written { entry, shared: Some(together.shared) })
    }

    fn together(&self, members: &[NodeId], leading: NodeId) -> Together {
        let plan = self.plan;
        let shared = Shared::of(plan, members, leading);
        let others = members.iter().filter(|node| **node != leading);
        let ordered = std::iter::once(&leading).chain(others);
        let accesses = ordered.flat_map(|node| plan.program.node(*node).accesses.iter().copied()).collect();
        let mut values = Vec::new();
        for (position, node) in members.iter().enumerate() {
            let own = match plan.step(*node) {
                Some(Step::Scalar(expression)) => &expression.values[..],
                Some(Step::Compute(step)) => &step.values,
                _ => &[],
            };
            values.extend(own.iter().map(|(symbol, value)| (shared.host(position, *symbol), value.clone())));
        }
        Together { shared, accesses, values }
    }

    /// The assignments of nodes that stand at `first` and behind it among the members.
    fn assigned(&self, together: &Together, nodes: &[NodeId], first: usize) -> Result<Vec<Assignment>, String> {
        let assignment = |(position, node): (usize, &NodeId)| {
            let member = first + position;
            let NodeKind::Scalar { value } = &self.plan.program.node(*node).kind else { return None };
            let target = together.shared.access(member, 0);
            let renumber = Renumber {
                access: &|access| together.shared.access(member, access),
                local: &|local| local,
                host: &|symbol| together.shared.host(member, symbol),
                place: &|place| place,
            };
            let buffer = together.accesses[target as usize].buffer;
            let element = self.plan.element(buffer).scalar?;
            let named = together.accesses.iter().zip(0..).filter(|(access, _)| access.buffer == buffer);
            let named: Vec<u32> = named.map(|(_, number)| number).collect();
            let alone = self.plan.program.buffer(buffer).length() == Some(1);
            let (same, others) = if alone { (named, Vec::new()) } else { (Vec::new(), named) };
            Some(Assignment { target, element, value: renumber.expression(value), same, others })
        };
        let assignments: Option<Vec<_>> = nodes.iter().enumerate().map(assignment).collect();
        assignments.ok_or_else(|| "what shares a launch is no assignment".to_owned())
    }
}
