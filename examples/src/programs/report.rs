//! What a program found out: each check with its error, and how long a launch took.

use std::time::{Duration, Instant};

use super::Result;

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

    /// Times a call, if this report does: the call must end when the work has.
    ///
    /// # Errors
    /// That of the call.
    pub fn time(&mut self, what: &str, mut call: impl FnMut() -> graph_runtime::Result<()>) -> Result {
        let mut times = Vec::new();
        for _ in 0..self.rounds {
            let start = Instant::now();
            call()?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        if let Some(median) = times.get(times.len() / 2) {
            self.timings.push(Timing { what: what.to_owned(), median: *median });
        }
        Ok(())
    }
}
