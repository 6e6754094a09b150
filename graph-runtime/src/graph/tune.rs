//! How many lanes are best, measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::contents::Contents;
use super::tuning::{Candidate, Key, Tuning};
use super::{Graph, check};
use crate::buffer::Exclusion;
use crate::error::{Error, NodeName, Result};
use crate::plan::{By, How, Pass, Plan, SharedPlan, Step, Tuned, structure};
use crate::program::Program;

/// The numbers of lanes that are tried beside none.
const LANES: [u32; 6] = [128, 64, 32, 16, 8, 4];

/// A plan that may be the best.
pub(super) struct Tried {
    pub(super) lanes: Option<u32>,
    pub(super) plan: SharedPlan,
    pub(super) time: Option<Duration>,
}

impl Tried {
    pub(super) fn candidate(&self) -> Candidate {
        Candidate {
            lanes: self.lanes,
            time: self.time,
            edges: self.plan.regions.iter().flatten().map(|region| region.edges.len()).sum(),
            transients: self.plan.arena.device_bytes,
        }
    }
}

impl<P: Program> Graph<'_, P> {
    /// Measures on the device how long a launch takes with different numbers of lanes, and keeps the best: never one that was slower than the
    /// graph without lanes. How long each node takes comes from [`Graph::profile`]. Nothing more is begun once `budget` is over; at least the
    /// graph without lanes is measured, and what has begun ends.
    ///
    /// The graph runs many times, on its own buffers. Each run begins with what they hold now, and in the end they hold that again:
    /// it is copied to the host for the time being. Other graphs should not run meanwhile. Loops count their passes anew.
    ///
    /// On the CPU, and where nothing is wider than four launches, there is nothing to tune, and the result says so.
    ///
    /// # Errors
    /// If launches do more than write the graph's buffers (callbacks, captured calls, events, mailboxes, kernels with effects), or write
    /// buffers that other graphs write too; if a run fails. Then the graph is what it was.
    pub fn tune(&mut self, budget: Duration) -> Result<Tuning> {
        self.whole()?;
        let plain = self.plan_without_lanes()?;
        let key = self.key(&plain);
        if let Some(why) = self.nothing_to_tune() {
            return Ok(Tuning::nothing(key, why));
        }
        self.check_repeatable()?;
        let contents = self.contents()?;
        let before = (self.how.clone(), Arc::clone(&self.plan));
        let tuned = self.measure(budget, plain, key, &contents);
        let back = if tuned.is_err() {
            let (how, plan) = before;
            self.how = how;
            self.take(&plan)
        } else {
            Ok(())
        };
        let back = back.and_then(|()| self.put_contents(&contents));
        self.patching = None;
        self.counted_from = self.fence.launched();
        let tuned = tuned?;
        back.map(|()| tuned)
    }

    /// Takes what was tuned before, from the next launch on: a server that loads it starts tuned.
    ///
    /// # Errors
    /// If it belongs to another graph, other lengths, another device or another driver; nothing has changed then.
    pub fn use_tuning(&mut self, tuning: &Tuning) -> Result<()> {
        let plain = self.plan_without_lanes()?;
        let key = self.key(&plain);
        if let Some(what) = tuning.key.differs(&key) {
            let graph = &self.symbolic.name;
            return Err(Error::Tuning(format!(
                "what was tuned does not belong to graph `{graph}` as it is here\nnote: {what}\nhelp: call `tune`, and save the result"
            )));
        }
        if tuning.nothing_to_tune().is_some() {
            return Ok(());
        }
        self.keep(tuning)?;
        self.patching = None;
        Ok(())
    }

    /// Plans the graph so from now on.
    pub(super) fn keep(&mut self, tuning: &Tuning) -> Result<()> {
        let how = self.tuned(tuning, tuning.lanes);
        let plan = self.plan_by(&how)?;
        self.take(&plan)?;
        self.how = how;
        Ok(())
    }

    pub(super) fn nothing_to_tune(&self) -> Option<String> {
        let backend = self.device.backend();
        if backend.machine().is_none() {
            return Some(format!("since launches on {} have no shape that costs", backend.kind()));
        }
        if let Some(launched) = self.executable.by_launches() {
            return Some(format!("since it is run by {launched}"));
        }
        (!self.how.planning.runs(Pass::Lanes)).then(|| "since the pass `lanes` is off".to_owned())
    }

    /// Refuses what a second run would do a second time.
    fn check_repeatable(&self) -> Result<()> {
        let plan = &self.plan;
        for node in plan.node_ids() {
            let here = plan.program.node(node);
            let why = match plan.step(node) {
                Some(Step::Host(_)) => "calls the host",
                Some(Step::Capture(_)) => "does what a library's call puts into it",
                Some(Step::Record(_)) => "records an event",
                Some(Step::Wait(_)) => "waits for an event",
                _ if here.accesses.iter().any(|access| plan.is_mailbox(access)) => "uses a mailbox",
                _ if here.effects => "has effects of which nothing is known",
                _ => continue,
            };
            return Err(self.not_repeatable(&format!("{} {why}", NodeName::of(&plan.program, node))));
        }
        for (buffer, leaf) in plan.program.buffers.iter().zip(plan.bound.iter()) {
            let turns = leaf.is_some_and(|leaf| self.memory.bound(leaf).exclusion == Exclusion::Turns);
            if turns && check::writes(buffer) {
                return Err(self.not_repeatable(&format!("it writes `{}`, which other graphs may write", buffer.name)));
            }
        }
        Ok(())
    }

    fn not_repeatable(&self, note: &str) -> Error {
        let graph = &self.symbolic.name;
        Error::Tuning(format!(
            "graph `{graph}` cannot be tuned: its launches do more than write buffers of its own\nnote: {note}\n\
             help: say how many lanes there may be: `device.planned(Planning::default().lanes(32))`"
        ))
    }

    pub(super) fn key(&self, plain: &Plan) -> Key {
        let backend = self.device.backend();
        let machine = backend.machine().unwrap_or_else(|| backend.kind().to_string());
        let structure = structure(&plain.program, |node| plain.step(node), &plain.regions);
        Key { graph: self.symbolic.name.clone(), structure, sizes: plain.sizes(), machine }
    }

    /// By how long nodes take, which was measured, or said.
    pub(super) fn tuned(&self, tuned: &Tuning, lanes: Option<u32>) -> How {
        let Tuning { key, durations, estimated, .. } = tuned;
        let (structure, durations) = (key.structure.clone(), durations.as_slice().into());
        let tuned = Tuned { structure, lanes, durations, estimated: *estimated };
        How { planning: self.how.planning, tuned: Some(Arc::new(tuned)) }
    }

    fn plan_by(&self, how: &How) -> Result<SharedPlan> {
        Ok(Arc::new(self.evaluated.plan(&self.symbolic, how)?.0))
    }

    /// Without lanes, whatever memory it needs.
    pub(super) fn plan_without_lanes(&self) -> Result<SharedPlan> {
        self.plan_by(&How { planning: self.how.planning.without(Pass::Lanes).without_budget(), tuned: None })
    }

    fn take(&mut self, plan: &SharedPlan) -> Result<()> {
        self.change(|graph| graph.adopt(plan)).map(drop)
    }

    fn measure(&mut self, budget: Duration, plain: SharedPlan, key: Key, contents: &Contents) -> Result<Tuning> {
        // A budget that no clock can hold has no end.
        let end = Instant::now().checked_add(budget);
        let durations = self.profile()?.durations_of(&plain);
        let mut tuning = Tuning::new(key, durations);
        let mut tried = self.tried(plain, &tuning)?;
        if tried.len() < 2 {
            return Ok(self.no_other(tuning.key));
        }
        for round in 0..ROUNDS {
            for at in 0..tried.len() {
                let is_first = round == 0 && at == 0;
                if is_first || !is_over(end) && is_worth_another(&tried, at) {
                    let time = self.launched(&tried[at].plan, contents, end)?;
                    tried[at].time = Some(tried[at].time.map_or(time, |known| known.min(time)));
                }
            }
        }
        // Of two that are alike the one in front: without lanes, then with more.
        let best =
            (0..tried.len()).filter(|at| tried[*at].time.is_some()).min_by_key(|at| tried[*at].time).unwrap_or(0);
        tuning.lanes = tried[best].lanes;
        self.keep(&tuning)?;
        tuning.candidates = tried.iter().map(Tried::candidate).collect();
        Ok(tuning)
    }

    /// Where one plan alone can be launched.
    pub(super) fn no_other(&self, key: Key) -> Tuning {
        let why = match self.how.planning.budget() {
            Some(_) => "since no other number of lanes keeps the memory budget".to_owned(),
            None => format!("since nothing in it is wider than {} launches", LANES[LANES.len() - 1]),
        };
        Tuning::nothing(key, why)
    }

    /// The plans that differ, and keep the memory budget if there is one: the one without lanes first.
    pub(super) fn tried(&self, plain: SharedPlan, tuning: &Tuning) -> Result<Vec<Tried>> {
        let within = self.how.planning.budget().is_none_or(|budget| plain.arena.device_bytes <= budget);
        let mut tried: Vec<Tried> = Vec::new();
        tried.extend(within.then_some(Tried { lanes: None, plan: plain, time: None }));
        for lanes in LANES {
            let plan = self.plan_by(&self.tuned(tuning, Some(lanes)))?;
            if matches!(plan.by, By::Tuned { .. }) && tried.iter().all(|other| other.plan.regions != plan.regions) {
                tried.push(Tried { lanes: Some(lanes), plan, time: None });
            }
        }
        Ok(tried)
    }

    /// The shortest of some launches of a plan.
    fn launched(&mut self, plan: &SharedPlan, contents: &Contents, end: Option<Instant>) -> Result<Duration> {
        self.take(plan)?;
        let mut shortest = Duration::MAX;
        // The first one brings the graph to the device.
        for launch in 0..=LAUNCHES {
            self.put_contents(contents)?;
            let begin = Instant::now();
            self.in_turn(|executable| executable.launch())?;
            self.synchronize()?;
            if launch > 0 {
                shortest = shortest.min(begin.elapsed());
            }
            if launch > 0 && is_over(end) {
                break;
            }
        }
        Ok(shortest)
    }
}

fn is_over(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// What was measured is measured again if it may still be the best.
fn is_worth_another(tried: &[Tried], at: usize) -> bool {
    let shortest = tried.iter().filter_map(|one| one.time).min();
    match (tried[at].time, shortest) {
        (Some(time), Some(shortest)) => at == 0 || time <= shortest + shortest / 5,
        _ => true,
    }
}

/// In turns, so that what makes the device slower for a while does not hit one of them only.
const ROUNDS: usize = 3;

/// Launches of each in each turn.
const LAUNCHES: usize = 4;
