//! Why a node waits for another.

use graph_ir::model::NodeId;

use super::{Graph, Label};
use crate::error::{Error, NodeName, Result};
use crate::plan::Explanation;
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Whether one of two statements waits for the other, over which nodes, and why; or that nothing orders them.
    ///
    /// # Errors
    /// If a label is none of this graph, or its statement is not part of the graph: the host decided so when it was built, or it is a fill
    /// or a copy that was left out.
    pub fn explain(&self, one: Label, other: Label) -> Result<Explanation> {
        Ok(self.plan.explain(self.planned(one)?, self.planned(other)?))
    }

    /// The node of the plan that a label names.
    fn planned(&self, label: Label) -> Result<NodeId> {
        let (written, instance) = self.labelled(label)?;
        if let Some(node) = instance.filter(|node| self.plan.unread.binary_search(node).is_ok()) {
            let name = NodeName::of(&self.plan.program, node);
            return Err(Error::Label(format!(
                "{name} is not part of the graph: nobody reads what it writes\n\
                 help: to plan it all the same, leave out the pass: `Planning::default().without(Pass::Unread)`"
            )));
        }
        let instance = instance.map(|node| self.plan.done_by(node)).filter(|node| self.plan.step(*node).is_some());
        instance.ok_or_else(|| Error::Label(self.not_planned(written)))
    }

    /// Why a label names nothing that is launched.
    pub(super) fn not_planned(&self, written: NodeId) -> String {
        if written.0 as usize >= self.symbolic.nodes.len() {
            return format!("the label is none of graph `{}`", self.symbolic.name);
        }
        let name = NodeName::of(&self.symbolic, written);
        let pass = |pass: &u32| format!(".pass({pass})");
        let known = self.plan.origins.passes(written).into_iter();
        let known: Vec<String> = known.map(|passes| passes.iter().map(pass).collect::<Vec<_>>().concat()).collect();
        let (Some(first), Some(last)) = (known.first(), known.last()) else {
            return format!("{name} is not part of the graph: the host decided so when the graph was built");
        };
        format!("{name} stands in a `for`, and there is no such pass\nhelp: name one from `{first}` to `{last}`")
    }
}
