//! A whole graph in the place of another of the same block.

use std::mem::replace;

use super::update::{Cause, Update};
use super::{BuildTimings, Graph};
use crate::error::{Error, Result};
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Puts another graph of the same block in the place of this one, from the next launch on: its values, its buffers, its `static`
    /// contents, its objects and its switches. Says whether nodes were patched or the CUDA graph was built anew, with the reason and the
    /// node.
    ///
    /// What was bound here is let go once the launches so far are over; [`Ticket`](crate::Ticket)s of both graphs stay valid.
    ///
    /// # Errors
    /// If the other graph lies on another device, or if the device refuses it: then this graph is what it was, and the other is gone.
    pub fn update_from(&mut self, other: impl Into<Self>) -> Result<&Update> {
        let other = other.into();
        other.whole()?;
        let (lies, runs) = (other.device.kind(), self.device.kind());
        if lies != runs {
            let name = &self.symbolic.name;
            return Err(Error::Buffer(format!(
                "a graph on {lies} cannot take the place of graph `{name}`, which is built on {runs}\n\
                 help: build it on the device of the graph that is updated"
            )));
        }
        let update = self.change(|graph| graph.take_over(other))?;
        Ok(self.came_to(update))
    }

    fn take_over(&mut self, mut other: Self) -> Result<Update> {
        let plan = other.plan;
        let keeps = self.memory.has_counters_for(plan.arena.counter_bytes);
        if keeps {
            self.memory.exchange_counters(&mut other.memory);
        }
        let begun = other.memory.hand_over(&plan, &mut *self.executable);
        let taken = begun.and_then(|()| self.executable.update(plan.clone(), other.memory.bindings(&plan)));
        if taken.is_err() && keeps {
            self.memory.exchange_counters(&mut other.memory);
        }
        let taken = taken?;
        let changes = self.evaluated.changes(&other.evaluated);
        let cause = Cause { program: &self.symbolic, changes: &changes, name: None };
        let update = Update::of(taken, &plan, false, Some(&cause));
        self.symbolic = other.symbolic;
        self.values = other.values;
        self.evaluated = other.evaluated;
        self.plan = plan;
        self.how = other.how;
        self.patching = None;
        self.layout = other.layout;
        self.objects = other.objects.handed_over(other.fence);
        self.versions = other.versions;
        self.timings = BuildTimings { evaluate: other.timings.evaluate, plan: other.timings.plan, ..self.timings };
        self.disabled = other.disabled;
        self.counted_from = self.fence.launched();
        // The old memory's uses end here.
        drop(replace(&mut self.memory, other.memory));
        self.apply_switches();
        Ok(update)
    }
}
