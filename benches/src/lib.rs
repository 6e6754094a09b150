//! What the measuring programs have in common.

use std::time::{Duration, Instant};

/// The middle value in microseconds; of an even number, the upper one of the two.
pub fn median(values: impl IntoIterator<Item = Duration>) -> f64 {
    let mut values: Vec<Duration> = values.into_iter().collect();
    values.sort_unstable();
    values.get(values.len() / 2).map_or(0.0, Duration::as_secs_f64) * 1e6
}

/// How long `work` takes.
pub fn time<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}
