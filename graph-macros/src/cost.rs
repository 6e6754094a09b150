//! What the macro takes for a block: `cargo xtask macro-cost` writes the blocks and prints the table.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

use crate::sources;

/// The processor's time that this thread has taken, where the system says it; else the time of day.
fn now() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let taken = times.split(' ').next().and_then(|time| time.parse().ok()).map(Duration::from_nanos);
    taken.unwrap_or_else(|| BEGIN.elapsed())
}

/// The best of some runs: what else runs on the machine only adds.
fn best(block: &TokenStream) -> Duration {
    let run = || {
        let begin = now();
        let expansion = crate::compile(block.clone());
        let time = now().saturating_sub(begin);
        drop(expansion);
        time
    };
    (0..5).map(|_| run()).min().unwrap_or_default()
}

#[test]
#[ignore = "measures the files that MACRO_COST_FILES names"]
fn cost() {
    let files = std::env::var("MACRO_COST_FILES").unwrap_or_default();
    for file in files.split(':').filter(|file| !file.is_empty()) {
        let mut blocks = Vec::new();
        let source = std::fs::read_to_string(file).unwrap();
        sources::blocks(source.parse().unwrap(), &mut blocks);
        let time: Duration = blocks.iter().map(best).sum();
        println!("macro-cost {file} {}", time.as_micros());
    }
}
