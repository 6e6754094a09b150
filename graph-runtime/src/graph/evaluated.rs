//! A graph's host expressions, evaluated: what its plan is made of.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use graph_ir::model::Program as Model;

use super::timed;
use crate::buffer::Layout;
use crate::call::Objects;
use crate::error::{Error, Result, panic_text};
use crate::plan::{How, Plan};
use crate::program::{Again, Changes, Linked, Program, Sink};
use crate::progress::phase;

/// One evaluation.
pub(super) struct Evaluated {
    sink: Sink,
    /// The same in which values with a bound take it, if there are any.
    largest: Option<Arc<Sink>>,
    /// How long it took.
    pub(super) time: Duration,
}

impl Evaluated {
    /// Runs the evaluator, which is the user's.
    pub(super) fn of<P: Program>(
        symbolic: &Linked,
        values: &P::Values,
        layout: &Arc<Layout>,
        objects: (&Arc<Objects>, &[u64]),
    ) -> Result<Self> {
        Self::beside::<P>(symbolic, values, layout, objects, None)
    }

    /// The same for other values of parameters with a bound than `before`: at the bounds nothing is different.
    pub(super) fn within_bounds<P: Program>(
        &self,
        symbolic: &Linked,
        values: &P::Values,
        layout: &Arc<Layout>,
        objects: (&Arc<Objects>, &[u64]),
    ) -> Result<Self> {
        Self::beside::<P>(symbolic, values, layout, objects, self.largest.as_ref())
    }

    fn beside<P: Program>(
        symbolic: &Linked,
        values: &P::Values,
        layout: &Arc<Layout>,
        (objects, versions): (&Arc<Objects>, &[u64]),
        at_bounds: Option<&Arc<Sink>>,
    ) -> Result<Self> {
        let evaluating = || format!("evaluating the host expressions of graph `{}`", symbolic.name);
        let evaluated = |sink| timed(|| phase(evaluating, || evaluate::<P>(symbolic, values, sink)));
        let empty = || {
            Sink::of(Arc::clone(layout))
                .with_objects(Arc::clone(objects), versions.to_vec())
                .with_links(&symbolic.links)
        };
        let (sink, mut time) = evaluated(empty());
        let sink = sink?;
        let mut largest = at_bounds.cloned();
        if largest.is_none() && sink.has_bounds() && sink.beyond().is_empty() {
            let (at_bounds, more) = evaluated(empty().at_bounds());
            (largest, time) = (Some(Arc::new(at_bounds?)), time + more);
        }
        Ok(Self { sink, largest, time })
    }

    /// Evaluates again what another value of one parameter decides, if that is no more than values that nodes are passed: they take the
    /// places of those that were there. Else nothing has changed.
    pub(super) fn again<P: Program>(&mut self, values: &P::Values, parameter: u32) -> Option<Revalued> {
        let Self { sink, largest, .. } = self;
        let mut largest = largest.as_mut().map(Arc::get_mut);
        let ([at_values, at_bounds], time) = timed(|| {
            let part = |sink: &mut Sink| part::<P>(values, parameter, sink);
            [part(sink), largest.as_mut().and_then(|largest| part(largest.as_mut()?))]
        });
        let known = at_values.is_some() && (largest.is_none() || at_bounds.is_some());
        let revalued = Revalued { at_values, at_bounds, time };
        if known && !revalued.has_others() {
            return Some(revalued);
        }
        self.take_back(revalued);
        None
    }

    /// Puts back what was there.
    pub(super) fn take_back(&mut self, revalued: Revalued) {
        self.sink.take_back(revalued.at_values);
        if let Some(largest) = self.largest.as_mut().and_then(Arc::get_mut) {
            largest.take_back(revalued.at_bounds);
        }
    }

    /// The plan, and how long it took.
    pub(super) fn plan(&self, symbolic: &Linked, how: &How) -> Result<(Plan, Duration)> {
        let planning = || format!("planning graph `{}`", symbolic.name);
        let plan = || Plan::new(symbolic, (&self.sink, self.largest.as_deref()), &symbolic.tables, how);
        let (planned, time) = timed(|| phase(planning, plan));
        Ok((planned?, time))
    }

    /// What a later evaluation has come to instead.
    pub(super) fn changes(&self, later: &Self) -> Changes {
        let changes = self.sink.changes(&later.sink);
        match (&self.largest, &later.largest) {
            (Some(one), Some(other)) if Arc::ptr_eq(one, other) => changes,
            (Some(one), Some(other)) => changes.with_shape(&one.changes(other)),
            (None, None) => changes,
            _ => changes.and_more(),
        }
    }

    /// What the values have come to.
    pub(super) fn sink(&self) -> &Sink {
        &self.sink
    }

    /// What the bounds have come to.
    pub(super) fn largest(&self) -> Option<&Sink> {
        self.largest.as_deref()
    }
}

/// Values that were evaluated again, alone.
pub(super) struct Revalued {
    at_values: Option<Again>,
    /// If any value has a bound.
    at_bounds: Option<Again>,
    /// How long it took.
    pub(super) time: Duration,
}

impl Revalued {
    /// What is different.
    pub(super) fn changes(&self) -> Option<&Changes> {
        self.at_values.as_ref().map(|again| &again.changes)
    }

    /// Whether more than these values is different.
    fn has_others(&self) -> bool {
        [&self.at_values, &self.at_bounds].into_iter().flatten().any(|again| again.changes.other)
    }
}

/// If it panics, all that is left of it is nothing: the whole evaluation will panic too, and say what did.
fn part<P: Program>(values: &P::Values, parameter: u32, sink: &mut Sink) -> Option<Again> {
    let again = catch_unwind(AssertUnwindSafe(|| sink.again(|sink| P::revalue(values, parameter, sink))));
    again.unwrap_or_else(|_| {
        sink.take_back(None);
        None
    })
}

// `cargo xtask planner-cost` counts what this function executes.
#[inline(never)]
fn evaluate<P: Program>(symbolic: &Model, values: &P::Values, mut sink: Sink) -> Result<Sink> {
    let evaluated = catch_unwind(AssertUnwindSafe(|| P::evaluate(values, &mut sink)));
    evaluated.map(|()| sink).map_err(|panic| {
        let (graph, text) = (&symbolic.name, panic_text(panic));
        Error::Panicked(format!("a host expression of graph `{graph}` panicked: {text}"))
    })
}
