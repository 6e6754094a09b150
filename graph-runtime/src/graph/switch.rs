//! `#[optional]` statements, switched on and off between launches.

use std::collections::BTreeSet;

use graph_ir::model::NodeId;

use super::{Graph, Label};
use crate::error::{Error, NodeName, Result};
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Leaves an `#[optional]` statement out of the launches from here on. What comes behind it still waits for what is in front of it.
    ///
    /// # Errors
    /// If the label is not one of an `#[optional]` statement of this graph.
    pub fn disable(&mut self, label: Label) -> Result<()> {
        self.instances(label)?;
        self.disabled.insert(label);
        self.apply_switches();
        Ok(())
    }

    /// Takes an `#[optional]` statement back into the launches from here on.
    ///
    /// # Errors
    /// As [`Graph::disable`].
    pub fn enable(&mut self, label: Label) -> Result<()> {
        self.instances(label)?;
        self.disabled.remove(&label);
        self.apply_switches();
        Ok(())
    }

    /// Whether the launches from here on have the statement.
    ///
    /// # Errors
    /// As [`Graph::disable`].
    pub fn is_enabled(&self, label: Label) -> Result<bool> {
        self.instances(label)?;
        Ok(!self.disabled.contains(&label))
    }

    /// Tells the device what is switched off.
    pub(super) fn apply_switches(&mut self) {
        let nodes = self.disabled.iter().filter_map(|label| self.instances(*label).ok());
        let nodes: BTreeSet<NodeId> = nodes.flatten().collect();
        self.executable.set_disabled(nodes);
    }

    /// The nodes of an `#[optional]` statement: one for each pass that `every` has unrolled.
    fn instances(&self, label: Label) -> Result<Vec<NodeId>> {
        let program = &self.plan.program;
        let (written, instance) = self.labelled(label)?;
        let instance = instance.filter(|node| program.node(*node).optional && self.plan.step(*node).is_some());
        let Some(instance) = instance else { return Err(Error::Label(self.not_optional(written))) };
        let first = program.node(instance);
        let same = |node: &NodeId| {
            let other = program.node(*node);
            other.optional && other.place == first.place && other.label == first.label
        };
        Ok((0..program.nodes.len() as u32).map(NodeId).filter(same).collect())
    }

    fn not_optional(&self, written: NodeId) -> String {
        if self.symbolic.nodes.get(written.0 as usize).is_none_or(|node| node.optional) {
            return self.not_planned(written);
        }
        let name = NodeName::of(&self.symbolic, written);
        format!("{name} cannot be switched off\nhelp: write `#[optional]` in front of the statement")
    }
}
