//! Transients that need no memory: the thread that computes an element is the only one that reads it, in the same launch.
//!
//! All uses of such a transient are in the bodies of one launch, each at the index of the axes themselves, and on every way to a read
//! the same index has stored the element before. So the value stays in a register: it is neither stored nor loaded.
//!
//! ```text
//! kernel for i in 0..n { t[i] = x[i] + 1.0; }      // one launch: `t` stays in a register
//! kernel for i in 0..n { y[i] = t[i] * t[i]; }
//! ```
//!
//! A read of `t[i + 1]`, a read in another launch, and a read that no store comes before each keep `t` in memory. A store comes before
//! a read if it stands in front of it and whatever is around the store is around the read too, or if both branches of an `if` have one:
//! a loop's body may run for no pass, so what it stores is there within that pass only.

use std::collections::{BTreeMap, BTreeSet};

use super::fusion::kernels;
use crate::model::{Access, BufferId, Expression, Family, Memory, NodeId, NodeKind, Origin, Program, Statement};

/// Who uses the transients of a program.
#[derive(Clone, Debug, Default)]
pub struct Users(BTreeMap<BufferId, BTreeSet<NodeId>>);

impl Users {
    /// Of a concrete program. There are none where no kernel is written in the block, or where not all buffers are known.
    pub fn of(program: &Program) -> Self {
        if !program.nodes.iter().any(|node| matches!(node.kind, NodeKind::Compute(_))) {
            return Self::default();
        }
        let mut users: BTreeMap<BufferId, BTreeSet<NodeId>> = BTreeMap::new();
        for region in program.live_regions() {
            for node in &program.region(region).nodes {
                for access in &program.node(*node).accesses {
                    let buffer = program.buffer(access.buffer);
                    if buffer.family != Family::Single {
                        return Self::default();
                    }
                    if buffer.origin == Origin::Transient && buffer.memory == Memory::Device {
                        users.entry(access.buffer).or_default().insert(*node);
                    }
                }
            }
        }
        Self(users)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The transients that `members`, which share a launch in this order, can keep in registers.
    pub fn kept_by(&self, program: &Program, members: &[NodeId]) -> Vec<BufferId> {
        let named = members.iter().flat_map(|member| &program.node(*member).accesses).map(|access| access.buffer);
        let named: BTreeSet<BufferId> = named.collect();
        named.into_iter().filter(|buffer| self.is_kept(program, members, *buffer)).collect()
    }

    /// Whether `members` can keep one of them.
    pub(super) fn is_kept(&self, program: &Program, members: &[NodeId], buffer: BufferId) -> bool {
        let Some(users) = self.0.get(&buffer) else { return false };
        if !users.iter().all(|user| members.contains(user) && !program.node(*user).optional) {
            return false;
        }
        let own = |member: &NodeId| match kernels::indices(program, *member).remove(&buffer) {
            Some((own, _)) => own,
            None => None,
        };
        let mut indices = users.iter().map(own);
        let first = indices.next().flatten();
        first.is_some() && indices.all(|other| other == first) && is_served(program, members, buffer)
    }
}

/// Whether each read of a buffer is behind a store of the same index.
fn is_served(program: &Program, members: &[NodeId], buffer: BufferId) -> bool {
    let mut stored = false;
    members.iter().all(|member| {
        let Some(compute) = kernels::kernel(program, *member) else { return true };
        let mut flow = Flow { accesses: &program.node(*member).accesses, buffer, served: true };
        stored = flow.statements(&compute.body, stored);
        if let Some(reduction) = &compute.reduction {
            flow.expression(&reduction.value, stored);
        }
        flow.served
    })
}

/// A walk over a member's body in the order in which it runs.
struct Flow<'p> {
    accesses: &'p [Access],
    buffer: BufferId,
    /// Whether a store was in front of each read so far, and no index is checked: an element that is not there would read as zero.
    served: bool,
}

impl Flow<'_> {
    /// Whether the element is stored behind these if it was `stored` in front of them. Nothing comes behind a `break`.
    fn statements(&mut self, body: &[Statement], mut stored: bool) -> bool {
        for statement in body {
            stored = self.statement(statement, stored);
        }
        stored
    }

    fn statement(&mut self, statement: &Statement, stored: bool) -> bool {
        match statement {
            Statement::Let { value: None, .. } => stored,
            Statement::Let { value: Some(value), .. } | Statement::Assign { value, .. } => {
                self.expression(value, stored);
                stored
            }
            Statement::Store { access, index, value } => {
                index.coordinates.iter().for_each(|coordinate| self.expression(coordinate, stored));
                self.expression(value, stored);
                let here = self.is_meant(*access);
                self.served &= !here || index.proved;
                stored || here
            }
            Statement::If { condition, then, otherwise } => {
                self.expression(condition, stored);
                let then = self.statements(then, stored);
                self.statements(otherwise, stored) && then
            }
            Statement::For { start, end, body, .. } => {
                self.expression(start, stored);
                self.expression(end, stored);
                self.statements(body, stored);
                stored
            }
            Statement::While { condition, body } => {
                self.expression(condition, stored);
                self.statements(body, stored);
                stored
            }
            Statement::Break(_) | Statement::Continue(_) => true,
        }
    }

    fn expression(&mut self, expression: &Expression, stored: bool) {
        let Self { accesses, buffer, served } = self;
        let meant = |access: u32| accesses.get(access as usize).is_some_and(|known| known.buffer == *buffer);
        expression.walk(&mut |part| match part {
            Expression::Load { access, index } if meant(*access) => *served &= stored && index.proved,
            Expression::Element(access) if meant(*access) => *served = false,
            _ => {}
        });
    }

    fn is_meant(&self, access: u32) -> bool {
        self.accesses.get(access as usize).is_some_and(|known| known.buffer == self.buffer)
    }
}

#[cfg(test)]
mod tests;
