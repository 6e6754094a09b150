//! Changes of a graph that is built: host values and buffers. Each is checked and planned whole before anything is touched.

use std::ops::Range;
use std::sync::Arc;

use super::evaluated::Evaluated;
use super::update::{Cause, Update};
use super::{BuildTimings, Graph, check, events, figures, timed};
use crate::buffer::{Arguments, Bind, Binding, Bound, GiveBack, Layout, Parts};
use crate::device::Taken;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::plan::{Patched, Patching, SharedPlan};
use crate::program::{Changes, Program};
use crate::progress::range;

impl<'g, P: Program> Graph<'g, P> {
    /// Changes host values, from the next launch on; the name is that of the one which was set. On an error nothing has changed.
    #[doc(hidden)]
    pub fn set_values(&mut self, name: &str, change: impl FnOnce(&mut P::Values)) -> Result<()> {
        let mut values = self.values.clone();
        change(&mut values);
        let mut versions = self.versions.clone();
        changed(&mut versions, 0);
        self.adopt_values(values, versions, name)
    }

    /// The same for one value parameter, by its number among them and its name: what depends on no other is captured anew only if it was
    /// set.
    #[doc(hidden)]
    pub fn set_value(&mut self, value: u32, name: &str, change: impl FnOnce(&mut P::Values)) -> Result<()> {
        let mut values = self.values.clone();
        change(&mut values);
        let mut versions = self.versions.clone();
        changed(&mut versions, value as usize + 1);
        self.adopt_values(values, versions, name)
    }

    fn adopt_values(&mut self, values: P::Values, versions: Vec<u64>, name: &str) -> Result<()> {
        self.whole()?;
        let objects = (self.objects.table(), &versions[..]);
        let evaluated = if self.symbolic.is_bounded(name) {
            self.evaluated.within_bounds::<P>(&self.symbolic, &values, &self.layout, objects)?
        } else {
            Evaluated::of::<P>(&self.symbolic, &values, &self.layout, objects)?
        };
        self.change(|graph| graph.take_evaluated(evaluated, name))?;
        self.values = values;
        self.versions = versions;
        Ok(())
    }

    /// Launches from here on go by these values: nodes for which they are only other numbers are patched, else the graph is planned again.
    fn take_evaluated(&mut self, evaluated: Evaluated, name: &str) -> Result<()> {
        let changes = self.evaluated.changes(&evaluated);
        let (patched, mut time) = timed(|| self.patched(&evaluated, &changes));
        let symbolic = Arc::clone(&self.symbolic);
        let cause = Cause { program: &symbolic, changes: &changes, name: Some(name) };
        if let Some(patched) = patched {
            let taken = self.patch(&patched)?;
            let update = Update::of(taken, &patched.plan, true, Some(&cause));
            let old = std::mem::replace(&mut self.plan, Arc::clone(&patched.plan));
            self.came_to(update);
            if let Some(patching) = &mut self.patching {
                patching.keep(old, patched);
            }
        } else {
            let (plan, planned) = evaluated.plan(&self.symbolic, &self.how)?;
            time = planned;
            let plan = Arc::new(plan);
            let taken = self.adopt(&plan)?;
            self.patching = None;
            let update = Update::of(taken, &plan, false, Some(&cause));
            self.came_to(update);
        }
        self.timings = BuildTimings { evaluate: evaluated.time, plan: time, ..BuildTimings::default() };
        self.evaluated = evaluated;
        Ok(())
    }

    /// The plan with another evaluation's numbers, and the nodes that have others; `None` if it may be different in anything else.
    fn patched(&mut self, evaluated: &Evaluated, changes: &Changes) -> Option<Patched> {
        let patching = self.patching.get_or_insert_with(|| Patching::of(&self.plan, self.evaluated.sink()));
        let sinks = (evaluated.sink(), evaluated.largest());
        patching.patch(&self.plan, (&self.symbolic, &self.symbolic.tables), sinks, changes)
    }

    /// Makes the device run a plan in which some nodes have other numbers.
    fn patch(&mut self, patched: &Patched) -> Result<Taken> {
        let Patched { plan, nodes, .. } = patched;
        if nodes.is_empty() && Arc::ptr_eq(&plan.program, &self.plan.program) {
            return Ok(Taken::Patched(Vec::new()));
        }
        let taken = self.executable.patch(Arc::clone(plan), nodes);
        Ok(match taken.map_err(|error| figures::asked_again(error, plan, &self.device))? {
            // A device names the nodes that launch for others too.
            Taken::Patched(_) => Taken::Patched(nodes.clone()),
            rebuilt @ Taken::Rebuilt(_) => rebuilt,
        })
    }

    pub(super) fn came_to(&mut self, update: Update) -> &Update {
        events::updated(self, &update);
        self.last_update.insert(update)
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
        let mut versions = self.versions.clone();
        changed(&mut versions, 0);
        self.adopt_values(values, versions, name)
    }

    /// Binds another buffer to a parameter, from the next launch on, and returns the old one. On an error nothing has changed.
    #[doc(hidden)]
    pub fn rebind<T>(&mut self, parameter: u32, binding: Binding<'g>) -> Result<Bound<'g, T>> {
        self.change(|graph| graph.rebind_one(parameter, binding)).map(Bound::new)
    }

    /// Binds another buffer in the place of one in a struct, by what stands behind the parameter's name. Returns the old one, unless a
    /// struct that the graph owns has it: then it comes back with the struct.
    #[doc(hidden)]
    pub fn rebind_within<T: Element>(
        &mut self,
        parameter: &str,
        path: &str,
        binding: Binding<'g>,
    ) -> Result<Option<Bound<'g, T>>> {
        let dot = if path.starts_with(['[', '.']) { "" } else { "." };
        let name = &format!("{parameter}{dot}{path}");
        let leaf = self.leaf_named(name)?;
        let bound = &self.layout.leaves()[leaf as usize];
        if bound.element != binding.element {
            let (is, wanted) = (binding.element.name, bound.element.name);
            return Err(Error::Buffer(format!("what is bound to `{name}` holds `{is}`, and must hold `{wanted}`")));
        }
        let memory = binding.allocation.memory();
        if bound.memory != memory {
            return Err(Error::Buffer(format!("what is bound to `{name}` {}", check::elsewhere(memory, bound.memory))));
        }
        let old = self.change(|graph| graph.rebind_one(leaf, binding))?;
        Ok(if old.is_kept() { None } else { Some(Bound::new(old)) })
    }

    /// Binds something else to a parameter, or to an item of a list, from the next launch on, and returns what was bound. On an error
    /// nothing has changed.
    #[doc(hidden)]
    pub fn rebind_all<K: GiveBack<'g>>(
        &mut self,
        parameter: u32,
        indices: &[usize],
        bound: impl Bind<'g, K>,
    ) -> Result<K::Back> {
        let part = self.layout.part(parameter, indices).map_err(Error::Buffer)?;
        let (bindings, added) = Arguments::of_part::<K, _>(&self.layout, &part, bound).into_parts();
        let (layout, old, leaves) = self.layout.replace(&part, added);
        let old_bindings = self.change(|graph| graph.rebind_range(part.leaves, bindings, layout))?;
        Ok(K::give_back(old, &mut Parts::of(leaves, old_bindings)))
    }

    /// Runs a change. If it panics, nobody knows which buffers the launches would use: there are none any more.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.whole()?;
        self.halfway = true;
        let _range = range(|| format!("update {}", self.symbolic.name));
        let changed = change(self);
        self.halfway = false;
        changed
    }

    fn rebind_one(&mut self, leaf: u32, binding: Binding<'g>) -> Result<Binding<'g>> {
        let layout = self.layout.with(leaf, &binding);
        let mut old = self.rebind_range(leaf..leaf + 1, vec![binding], layout)?;
        old.pop().ok_or_else(|| Error::Buffer("cuda_graph! internal error: a rebind of no buffer".to_owned()))
    }

    fn rebind_range(
        &mut self,
        leaves: Range<u32>,
        bindings: Vec<Binding<'g>>,
        layout: Layout,
    ) -> Result<Vec<Binding<'g>>> {
        let bound = leaves.start..leaves.start + bindings.len() as u32;
        let old = self.memory.exchange(leaves.clone(), bindings);
        let layout = std::mem::replace(&mut self.layout, Arc::new(layout));
        let (before, now) = (layout.leaves(), self.layout.leaves());
        let alike = before.len() == now.len() && before.iter().zip(now).all(|(before, now)| before.is_like(now));
        match self.take_rebound(leaves, bound.clone(), alike) {
            Ok(()) => Ok(old),
            Err(error) => {
                self.layout = layout;
                self.memory.exchange(bound, old);
                Err(error)
            }
        }
    }

    /// Checks and plans with the buffers that are bound now, and registers the new ones in the place of those that `were` there; if they
    /// are `alike` in all that the plan knows of them, it stays.
    fn take_rebound(&mut self, were: Range<u32>, bound: Range<u32>, alike: bool) -> Result<()> {
        check::bindings(
            &self.device,
            &self.symbolic,
            &self.symbolic.tables.elements,
            &self.layout,
            self.memory.parameters(),
        )?;
        let objects = (self.objects.table(), &self.versions[..]);
        let evaluated = Evaluated::of::<P>(&self.symbolic, &self.values, &self.layout, objects)?;
        let changes = self.evaluated.changes(&evaluated);
        let (patched, mut time) = timed(|| if alike { self.patched(&evaluated, &changes) } else { None });
        let is_patched = patched.is_some();
        let plan = if let Some(patched) = patched {
            patched.plan
        } else {
            let (plan, planned) = evaluated.plan(&self.symbolic, &self.how)?;
            time = planned;
            Arc::new(plan)
        };
        let mut begun = Vec::new();
        for leaf in bound {
            let owner = self.layout.leaves()[leaf as usize].parameter;
            let writes = check::writes(&self.symbolic.buffers[owner as usize]);
            begun.push(self.memory.begin(leaf, writes, &mut *self.executable)?);
        }
        let taken = self.adopt(&plan)?;
        self.memory.replace_uses(were, begun);
        if !is_patched {
            self.patching = None;
        }
        self.came_to(Update::of(taken, &plan, is_patched, None));
        self.timings = BuildTimings { evaluate: evaluated.time, plan: time, ..BuildTimings::default() };
        self.evaluated = evaluated;
        Ok(())
    }

    /// Launches from here on run this plan with the buffers that are bound now.
    pub(super) fn adopt(&mut self, plan: &SharedPlan) -> Result<Taken> {
        check::shared_writes(plan, &self.layout, self.memory.parameters())?;
        self.memory.statics().check(plan)?;
        let device = self.device.clone();
        let asked = |error| figures::asked_again(error, plan, &device);
        let replaced = self.memory.grow(&self.device, plan, &mut *self.executable).map_err(asked)?;
        let moved = replaced.has_counters() || plan.arena.loops != self.plan.arena.loops;
        let taken = match self.executable.update(Arc::clone(plan), self.memory.bindings(plan)) {
            Ok(taken) => taken,
            Err(error) => {
                self.memory.restore(replaced);
                return Err(asked(error));
            }
        };
        if moved {
            self.counted_from = self.fence.launched();
        }
        self.plan = Arc::clone(plan);
        self.apply_switches();
        Ok(taken)
    }
}

/// Counts a change.
fn changed(versions: &mut Vec<u64>, index: usize) {
    versions.resize(versions.len().max(index + 1), 0);
    versions[index] += 1;
}
