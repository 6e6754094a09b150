//! What the measuring programs have in common.

pub mod adding;
pub mod shapes;

use std::fmt::Write as _;
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

/// How long launches take, one behind the other: until each returns, and until all of it is over.
pub fn launches<T, E>(
    state: &mut T,
    count: usize,
    launch: impl Fn(&mut T) -> Result<(), E>,
    wait: impl Fn(&mut T) -> Result<(), E>,
) -> Result<[Vec<Duration>; 2], E> {
    let (mut cpu, mut end) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        let start = Instant::now();
        launch(state)?;
        cpu.push(start.elapsed());
        wait(state)?;
        end.push(start.elapsed());
    }
    Ok([cpu, end])
}

/// A measurement as a line of JSON, with the keys of the C++ and Python programs beside it: which benchmark, what was measured, by which
/// way, its figures, and whether what came out was right.
pub fn row(bench: &str, what: &str, how: &str, figures: &[(&str, f64)], ok: bool) -> String {
    let mut text = format!("{{\"bench\": \"{bench}\", \"case\": \"{what}\", \"how\": \"{how}\"");
    for (name, value) in figures {
        _ = write!(text, ", \"{name}\": {value:.3}"); // writing to a string does not fail
    }
    text + &format!(", \"ok\": {ok}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_even_number_the_upper_middle_value() {
        assert!((median([4, 1, 3, 2].map(Duration::from_millis)) - 3000.0).abs() < 1e-9);
    }

    #[test]
    fn a_row_says_what_was_measured() {
        let text = row("loops", "kernels 1, passes 10", "cuda_graph!", &[("time", 12.0), ("pass", 1.2)], true);
        let expected = r#"{"bench": "loops", "case": "kernels 1, passes 10", "how": "cuda_graph!", "time": 12.000, "pass": 1.200, "ok": true}"#;
        assert_eq!(text, expected);
    }
}
