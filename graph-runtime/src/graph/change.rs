//! Changes of a graph that is built: host values and buffers. Each is checked and planned whole before anything is touched.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::evaluated::{Evaluated, Revalued};
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
        self.whole()?;
        let mut values = self.values.clone();
        change(&mut values);
        let index = value as usize + 1;
        if let Some(revalued) = self.evaluated.again::<P>(&values, value) {
            self.adopt_revalued(revalued, name)?;
            self.values = values;
            changed(&mut self.versions, index);
            return Ok(());
        }
        let mut versions = self.versions.clone();
        changed(&mut versions, index);
        self.adopt_values(values, versions, name)
    }

    /// Launches from here on go by values that were evaluated again by themselves.
    fn adopt_revalued(&mut self, revalued: Revalued, name: &str) -> Result<()> {
        let none = Changes::default();
        let changes = revalued.changes().unwrap_or(&none);
        let taken = self.change(|graph| graph.take_changes(changes, None, name));
        match taken {
            Ok(()) => self.timings.evaluate = revalued.time,
            Err(_) => self.evaluated.take_back(revalued),
        }
        taken
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

    fn take_evaluated(&mut self, evaluated: Evaluated, name: &str) -> Result<()> {
        let changes = self.evaluated.changes(&evaluated);
        self.take_changes(&changes, Some(&evaluated), name)?;
        self.timings.evaluate = evaluated.time;
        self.evaluated = evaluated;
        Ok(())
    }

    /// Launches from here on go by what a `later` evaluation has come to, or the graph's own if its values have changed in place: nodes for
    /// which they are only other numbers are patched, else the graph is planned again.
    fn take_changes(&mut self, changes: &Changes, later: Option<&Evaluated>, name: &str) -> Result<()> {
        let (patched, mut time) = timed(|| self.patched(later, changes));
        let symbolic = Arc::clone(&self.symbolic);
        let cause = Cause { program: &symbolic, changes, name: Some(name) };
        if let Some(patched) = patched {
            let taken = self.patch(&patched)?;
            let update = Update::of(taken, &patched.plan, true, Some(&cause));
            let old = std::mem::replace(&mut self.plan, Arc::clone(&patched.plan));
            self.came_to(update);
            if let Some(patching) = &mut self.patching {
                patching.keep(old, patched);
            }
        } else {
            let (plan, planned) = later.unwrap_or(&self.evaluated).plan(&self.symbolic, &self.how)?;
            time = planned;
            let plan = Arc::new(plan);
            let taken = self.adopt(&plan)?;
            self.patching = None;
            let update = Update::of(taken, &plan, false, Some(&cause));
            self.came_to(update);
        }
        self.timings = BuildTimings { plan: time, ..BuildTimings::default() };
        Ok(())
    }

    /// The plan with another evaluation's numbers, and the nodes that have others; `None` if it may be different in anything else.
    fn patched(&mut self, later: Option<&Evaluated>, changes: &Changes) -> Option<Patched> {
        let patching = self.patching.get_or_insert_with(|| Patching::of(&self.plan, self.evaluated.sink()));
        let evaluated = later.unwrap_or(&self.evaluated);
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
        match self.take_rebound(leaves, bound.clone(), &layout) {
            Ok(()) => Ok(old),
            Err(error) => {
                self.layout = layout;
                self.memory.exchange(bound, old);
                Err(error)
            }
        }
    }

    /// Checks and plans with the buffers that are bound now, and registers the new ones in the place of those that `were` there. If those
    /// were like them in all that host expressions and the plan know, both stay.
    fn take_rebound(&mut self, were: Range<u32>, bound: Range<u32>, before: &Layout) -> Result<()> {
        check::bindings(
            &self.device,
            &self.symbolic,
            &self.symbolic.tables.elements,
            &self.layout,
            self.memory.parameters(),
        )?;
        let alike = before.is_like(&self.layout);
        let stays = alike && before.has_values_of(&self.layout);
        let later = if stays { None } else { Some(self.planned_again(alike)?) };
        let plan = Arc::clone(later.as_ref().map_or(&self.plan, |later| &later.plan));
        let mut begun = Vec::new();
        for leaf in bound {
            let owner = self.layout.leaves()[leaf as usize].parameter;
            let writes = check::writes(&self.symbolic.buffers[owner as usize]);
            begun.push(self.memory.begin(leaf, writes, &mut *self.executable)?);
        }
        let taken = self.adopt(&plan)?;
        self.memory.replace_uses(were, begun);
        let patched = later.as_ref().is_none_or(|later| later.patched);
        self.came_to(Update::of(taken, &plan, patched, None));
        self.timings = BuildTimings::default();
        if let Some(later) = later {
            (self.timings.evaluate, self.timings.plan) = (later.evaluated.time, later.time);
            self.evaluated = later.evaluated;
        }
        if !patched {
            self.patching = None;
        }
        Ok(())
    }

    /// What the host expressions and the plan come to with what is bound now; `alike` if it has the lengths of what was.
    fn planned_again(&mut self, alike: bool) -> Result<Later> {
        let objects = (self.objects.table(), &self.versions[..]);
        let evaluated = Evaluated::of::<P>(&self.symbolic, &self.values, &self.layout, objects)?;
        let changes = self.evaluated.changes(&evaluated);
        let (patched, time) = timed(|| if alike { self.patched(Some(&evaluated), &changes) } else { None });
        if let Some(Patched { plan, .. }) = patched {
            return Ok(Later { evaluated, plan, patched: true, time });
        }
        let (plan, time) = evaluated.plan(&self.symbolic, &self.how)?;
        Ok(Later { evaluated, plan: Arc::new(plan), patched: false, time })
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

/// What a graph comes to with other buffers.
struct Later {
    evaluated: Evaluated,
    plan: SharedPlan,
    /// It is the plan before, with other numbers.
    patched: bool,
    /// How long planning took.
    time: Duration,
}

/// Counts a change.
fn changed(versions: &mut Vec<u64>, index: usize) {
    versions.resize(versions.len().max(index + 1), 0);
    versions[index] += 1;
}
