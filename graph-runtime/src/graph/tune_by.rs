//! How many lanes are best, by how long nodes take.

use std::time::Duration;

use super::Graph;
use super::durations::Durations;
use super::tune::Tried;
use super::tuning::Tuning;
use crate::error::Result;
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Chooses how many lanes there are by how long nodes take, and keeps that, without a launch: where [`Graph::tune`] would do something
    /// a second time, or there is no time for it. Durations are [`profiled`](crate::Profile::durations), or known. A model of an NVIDIA
    /// H200 says how long a launch takes on each number of lanes; of what it holds to be within 2 % of the shortest, the most lanes are
    /// kept, which lose the least where nodes take longer than was said. What was tuned can be saved, and [used](Graph::use_tuning).
    ///
    /// # Errors
    /// If a duration is given for a node that the graph does not have. Then the graph is what it was.
    pub fn tune_by(&mut self, durations: &Durations) -> Result<Tuning> {
        let plain = self.plan_without_lanes()?;
        let times = durations.of(&plain)?;
        let key = self.key(&plain);
        if let Some(why) = self.nothing_to_tune() {
            return Ok(Tuning::nothing(key, why));
        }
        let mut tuning = Tuning::estimated(key, times.durations(&plain));
        let mut tried = self.tried(plain, &tuning)?;
        if tried.len() < 2 {
            return Ok(self.no_other(tuning.key));
        }
        for one in &mut tried {
            one.time = one.plan.estimate(&times).map(Duration::from_nanos);
        }
        tuning.lanes = most(&tried);
        self.keep(&tuning)?;
        self.patching = None;
        tuning.candidates = tried.iter().map(Tried::candidate).collect();
        Ok(tuning)
    }
}

/// The most lanes among those that take hardly longer than the shortest; without lanes it is as many as are side by side.
fn most(tried: &[Tried]) -> Option<u32> {
    let shortest = tried.iter().filter_map(|one| one.time).min().unwrap_or_default();
    let is_near = |one: &&Tried| one.time.is_some_and(|time| time <= shortest + shortest / 50);
    let near = tried.iter().filter(is_near);
    near.max_by_key(|one| one.lanes.unwrap_or(u32::MAX)).and_then(|one| one.lanes)
}
