//! Random programs with any numbers at all, also such as no machine has memory for: nothing panics, and what is written can be read.
//!
//! `cargo xtask fuzz --seconds 60` goes on for a minute instead of for a fixed number of programs.

use std::time::{Duration, Instant};

use graph_ir::analysis::{dependences, dependences_of_all, topological};
use graph_ir::concrete::concretize;
use graph_ir::export::{dot, mermaid};
use graph_ir::model::Program;
use graph_ir::optimize::{fuse, reduce};
use graph_ir::rules::{advise, check};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::draft::drafts;
use crate::write::{Evaluated, write};

/// Programs, unless a time is asked for.
const PROGRAMS: usize = 300;

/// The numbers that programs are tried with, three at a time.
const NUMBERS: [u64; 8] = [0, 1, 2, 3, 1000, u32::MAX as u64, u64::MAX - 1, u64::MAX];

/// Everything that a macro and a build do with a program.
fn everything(program: &Program) {
    let report = check(program);
    for finding in report.refuted.iter().chain(&report.open).chain(&advise(program)) {
        assert!(finding.render(program).contains("[CG"), "{finding:?}");
    }
    let bytes = program.encode().unwrap();
    assert_eq!(&Program::decode(&bytes).unwrap(), program);
    for region in program.live_regions() {
        let edges = reduce(program, region, &dependences(program, region));
        if let Ok(order) = topological(&program.region(region).nodes, &edges) {
            fuse(program, region, &order, &edges, &|_| None::<()>, None);
        }
    }
    let edges = dependences_of_all(program);
    assert!(dot(program, &edges).starts_with("digraph") && mermaid(program, &edges).starts_with("flowchart"));
}

#[test]
fn fuzz() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(3), ..Config::default() });
    let strategy = (drafts(), prop::array::uniform3(prop::sample::select(NUMBERS.to_vec())), any::<bool>());
    let mut count = 0;
    while end.map_or(count < PROGRAMS, |end| Instant::now() < end) {
        count += 1;
        let (draft, numbers, flag) = strategy.new_tree(&mut runner).unwrap().current();
        let Ok(written) = write(&draft) else { continue };
        let tried = std::panic::catch_unwind(|| {
            everything(&written.program);
            everything(&concretize(&written.program, &Evaluated::new(&written, numbers, flag)).unwrap().program);
        });
        assert!(tried.is_ok(), "number {count}: {numbers:?}, {flag}, {draft:?}");
    }
    println!("{count} programs");
}
