//! Changes of a graph that is built: host values and buffers. Each is checked and planned whole before anything is touched.

use std::sync::Arc;

use super::{Graph, check, plan};
use crate::buffer::{Binding, Bound};
use crate::error::{Error, Result};
use crate::plan::SharedPlan;
use crate::program::Program;

impl<'g, P: Program> Graph<'g, P> {
    /// Changes host values, from the next launch on. On an error nothing has changed.
    #[doc(hidden)]
    pub fn set_values(&mut self, change: impl FnOnce(&mut P::Values)) -> Result<()> {
        let mut values = self.values.clone();
        change(&mut values);
        let mut versions = self.versions.clone();
        changed(&mut versions, 0);
        self.adopt_values(values, versions)
    }

    /// The same for one value parameter, by its number among them: what depends on no other is captured anew only if it was set.
    #[doc(hidden)]
    pub fn set_value(&mut self, value: u32, change: impl FnOnce(&mut P::Values)) -> Result<()> {
        let mut values = self.values.clone();
        change(&mut values);
        let mut versions = self.versions.clone();
        changed(&mut versions, value as usize + 1);
        self.adopt_values(values, versions)
    }

    fn adopt_values(&mut self, values: P::Values, versions: Vec<u64>) -> Result<()> {
        let (plan, timings) = plan::<P>(&self.symbolic, &values, &self.layout, (&self.objects, &versions))?;
        self.change(|graph| graph.adopt(Arc::new(plan)))?;
        self.values = values;
        self.versions = versions;
        self.timings = timings;
        Ok(())
    }

    /// Changes one host value of a list, from the next launch on. On an error nothing has changed.
    #[doc(hidden)]
    pub fn set_listed<T>(
        &mut self,
        name: &str,
        index: usize,
        value: T,
        list: impl FnOnce(&mut P::Values) -> &mut Vec<T>,
    ) -> Result<()> {
        let mut values = self.values.clone();
        let list = list(&mut values);
        let length = list.len();
        let Some(place) = list.get_mut(index) else {
            let graph = &self.symbolic.name;
            return Err(Error::Buffer(format!("`{name}` of graph `{graph}` has {length} values, and none at {index}")));
        };
        *place = value;
        self.set_values(move |changed| *changed = values)
    }

    /// Binds another buffer to a parameter, from the next launch on, and returns the old one. On an error nothing has changed.
    #[doc(hidden)]
    pub fn rebind<T>(&mut self, parameter: u32, binding: Binding<'g>) -> Result<Bound<'g, T>> {
        self.change(|graph| graph.rebind_any(parameter, binding)).map(Bound::new)
    }

    /// Runs a change. If it panics, nobody knows which buffers the launches would use: there are none any more.
    fn change<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.whole()?;
        self.halfway = true;
        let changed = change(self);
        self.halfway = false;
        changed
    }

    fn rebind_any(&mut self, parameter: u32, binding: Binding<'g>) -> Result<Binding<'g>> {
        let layout = Arc::new(self.layout.with(parameter, &binding));
        let old = self.memory.swap(parameter, binding);
        let layout = std::mem::replace(&mut self.layout, layout);
        match self.take_rebound(parameter) {
            Ok(()) => Ok(old),
            Err(error) => {
                self.layout = layout;
                self.memory.swap(parameter, old);
                Err(error)
            }
        }
    }

    /// Checks and plans with the buffers that are bound now, and registers the new one.
    fn take_rebound(&mut self, parameter: u32) -> Result<()> {
        check::bindings(
            &self.device,
            &self.symbolic,
            &self.symbolic.tables.elements,
            &self.layout,
            self.memory.parameters(),
        )?;
        let objects = (&self.objects, &self.versions[..]);
        let (plan, timings) = plan::<P>(&self.symbolic, &self.values, &self.layout, objects)?;
        let owner = self.layout.leaves()[parameter as usize].parameter;
        let writes = check::writes(&self.symbolic.buffers[owner as usize]);
        let begun = self.memory.begin(parameter, writes, &mut *self.executable)?;
        self.adopt(Arc::new(plan))?;
        self.memory.replace_use(parameter, begun);
        self.timings = timings;
        Ok(())
    }

    /// Launches from here on run this plan.
    fn adopt(&mut self, plan: SharedPlan) -> Result<()> {
        self.memory.statics().check(&plan)?;
        let replaced = self.memory.grow(&self.device, &plan, &mut *self.executable)?;
        let moved = replaced.has_counters() || plan.arena.loops != self.plan.arena.loops;
        if let Err(error) = self.executable.update(Arc::clone(&plan), self.memory.bindings(&plan)) {
            self.memory.restore(replaced);
            return Err(error);
        }
        if moved {
            self.counted_from = self.fence.launched();
        }
        self.plan = plan;
        self.apply_switches();
        Ok(())
    }
}

/// Counts a change.
fn changed(versions: &mut Vec<u64>, index: usize) {
    versions.resize(versions.len().max(index + 1), 0);
    versions[index] += 1;
}
