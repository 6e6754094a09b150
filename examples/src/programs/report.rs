//! What a program found out: each check with its error, and how long a launch took.

use std::error::Error;
use std::time::{Duration, Instant};

use super::Result;
use super::streams::Launches;

/// Values beside those that they should be.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was compared.
    pub what: String,
    /// The largest error: relative to the expected value where that is larger than 1.
    pub worst: f64,
    /// The largest error that is accepted.
    pub allowed: f64,
}

impl Check {
    /// Whether the values are those that they should be.
    pub fn holds(&self) -> bool {
        self.worst <= self.allowed
    }
}

/// A median.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What was timed.
    pub what: String,
    /// Of one call.
    pub median: Duration,
    /// Of the same work done in another way, round by round beside it.
    pub beside: Option<(String, Duration)>,
}

impl Timing {
    /// How many times as long the other way takes.
    pub fn ratio(&self) -> Option<f64> {
        self.beside.as_ref().map(|(_, other)| other.as_secs_f64() / self.median.as_secs_f64())
    }
}

/// Gathers what a program checks and measures.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// In the order in which they were made.
    pub checks: Vec<Check>,
    /// In the order in which they were made; empty unless the report times.
    pub timings: Vec<Timing>,
    rounds: u32,
}

impl Report {
    /// A report that times each call `rounds` times.
    pub fn timed(rounds: u32) -> Self {
        Self { rounds, ..Self::default() }
    }

    /// How much work there is: little if only the results are looked at, more if it is timed.
    pub fn size(&self, checked: usize, timed: usize) -> usize {
        if self.rounds == 0 { checked } else { timed }
    }

    /// Compares numbers one by one; of different counts the error is infinite, as it is for a NaN.
    pub fn close<T: Copy + Into<f64>>(&mut self, what: &str, found: &[T], expected: &[f64], allowed: f64) {
        let error = |(found, expected): (&T, &f64)| {
            let error = ((*found).into() - expected).abs() / expected.abs().max(1.0);
            if error.is_nan() { f64::INFINITY } else { error }
        };
        let worst = if found.len() == expected.len() {
            found.iter().zip(expected).map(error).fold(0.0, f64::max)
        } else {
            f64::INFINITY
        };
        self.checks.push(Check { what: what.to_owned(), worst, allowed });
    }

    /// Compares values that must be the same.
    pub fn equal<T: PartialEq>(&mut self, what: &str, found: &T, expected: &T) {
        let worst = if found == expected { 0.0 } else { f64::INFINITY };
        self.checks.push(Check { what: what.to_owned(), worst, allowed: 0.0 });
    }

    /// Runs stream launches once, where there are any, and compares what comes out.
    ///
    /// # Errors
    /// Those of the launches.
    pub fn checked<L: Launches>(&mut self, launches: Option<L>, expected: &[f64], allowed: f64) -> Result<Option<L>> {
        let Some(mut launches) = launches else { return Ok(None) };
        launches.run()?;
        self.close("stream launches", &launches.result()?, expected, allowed);
        Ok(Some(launches))
    }

    /// Times a call, if this report does: the call must end when the work has.
    ///
    /// # Errors
    /// That of the call.
    pub fn time<E: Into<Box<dyn Error>>>(&mut self, what: &str, call: impl FnMut() -> Result<(), E>) -> Result {
        self.time_against(what, call, "", || Ok(false))
    }

    /// The same, and in each round the same work as stream launches.
    ///
    /// # Errors
    /// Those of both.
    pub fn time_beside<L: Launches, E: Into<Box<dyn Error>>>(
        &mut self,
        what: &str,
        mut launches: Option<L>,
        call: impl FnMut() -> Result<(), E>,
    ) -> Result {
        let launches = || launches.as_mut().map_or(Ok(false), |launches| launches.run().map(|()| true));
        self.time_against(what, call, "stream launches", launches)
    }

    /// The same, beside a call that does the work in another way and says whether it did.
    ///
    /// # Errors
    /// Those of both.
    pub fn time_against<E: Into<Box<dyn Error>>>(
        &mut self,
        what: &str,
        mut call: impl FnMut() -> Result<(), E>,
        other: &str,
        mut other_call: impl FnMut() -> Result<bool>,
    ) -> Result {
        let (mut times, mut others) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            let start = Instant::now();
            call().map_err(Into::into)?;
            times.push(start.elapsed());
            let start = Instant::now();
            if other_call()? {
                others.push(start.elapsed());
            }
        }
        let beside = median(others).map(|median| (other.to_owned(), median));
        self.timings.extend(median(times).map(|median| Timing { what: what.to_owned(), median, beside }));
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}
