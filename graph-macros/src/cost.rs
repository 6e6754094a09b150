//! What the macro takes for a block: `cargo xtask macro-cost` writes the blocks and prints the table.

use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

use crate::sources;

/// The best of some runs: what else runs on the machine only adds.
fn best(block: &TokenStream) -> Duration {
    let run = || {
        let begin = Instant::now();
        let expansion = crate::compile(block.clone());
        let time = begin.elapsed();
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
