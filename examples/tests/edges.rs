//! Each edge of each program's graphs is needed: an oracle sees the elements over which its two nodes would race. In the quick
//! programs each edge is turned around too: their own checks fail, but where the two nodes commute.

#![allow(clippy::print_stdout, reason = "tests say what they looked at")]

use std::collections::BTreeMap;

use examples::programs::{ALL, Check, Program, Report};
use graph_runtime::Device;
use tests::edges::{edges, fails_without, is_hazard};

/// Programs that run in some milliseconds.
const QUICK: &[&str] = &[
    "axpy",
    "cholesky",
    "conditionals",
    "experts",
    "gcn",
    "heat",
    "images",
    "jacobi",
    "memory_nodes",
    "reduce",
    "server",
    "speculative",
];

/// Part of an edge's text, and why no element can show it.
const UNSEEN: &[(&str, &str)] = &[
    ("nothing passes a fence", "an event is recorded on its side of the other nodes: time shows it, not memory"),
    ("both use `comm` alone", "calls of one communicator keep their order, which all ranks must agree on"),
    ("`after` says so", "the user asked for it"),
];

fn holds(program: &Program, device: &Device) -> bool {
    let mut report = Report::default();
    (program.run)(device, &mut report).is_ok() && report.checks.iter().all(Check::holds)
}

#[test]
fn every_edge_of_every_program_shows() {
    // What fails is meant to.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut by_elements, mut turned, mut by_values) = (0, 0, 0);
    let (mut survivors, mut reasons) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for program in ALL {
        for (text, edge) in edges(|device| holds(program, device)) {
            if QUICK.contains(&program.name) {
                turned += 1;
                by_values += usize::from(fails_without(&text, |device| holds(program, device)));
            }
            if is_hazard(&edge) {
                by_elements += 1;
            } else if let Some((_, reason)) = UNSEEN.iter().find(|(part, _)| text.contains(part)) {
                *reasons.entry(reason).or_default() += 1;
            } else {
                survivors.push(format!("{}: {text}", program.name));
            }
        }
    }
    drop(std::panic::take_hook());
    println!("seen by elements: {by_elements}, by values: {by_values} of {turned}, unseen: {reasons:#?}");
    assert!(survivors.is_empty(), "nobody sees these edges:\n{}", survivors.join("\n"));
    assert!(4 * by_values > 3 * turned, "too few are seen by values: {by_values} of {turned}");
}
