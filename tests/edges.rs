//! Each edge of each pipeline's graphs is needed. No other path orders its two nodes, so without it they may run in either order.
//!
//! Nothing is left to chance: the edge is turned around. Then the pipeline's own assertions must fail. Where they do not, mostly
//! because the two nodes commute (`x += 1` twice), an oracle must see a hazard: an element that both nodes use and one of them writes.
//! [`UNSEEN`] lists, with reasons, what neither can see.
#![allow(clippy::print_stdout, reason = "a test")]

use std::collections::BTreeMap;

use tests::edges::{edges, fails_without, is_hazard};
use tests::pipelines::ALL;

const FENCE: &str = "an event is recorded, or waited for, on its side of the other nodes: time shows it, not memory";
const BOUNDED: &str = "the ranges meet for other values up to the bounds, for which the edges must do too";

/// Part of an edge's text, and why neither a value nor an element can show it.
const UNSEEN: &[(&str, &str)] = &[
    ("nothing passes a fence", FENCE),
    ("Cut: fill y -> fill y", BOUNDED),
    ("Halves: x[(i, j)] -> x[(i, j)]", BOUNDED),
    ("Bounded: Raised/x[i] -> Raised/x[i]", BOUNDED),
];

#[test]
fn every_edge_of_every_pipeline_shows_when_it_is_turned_around() {
    // What fails is meant to.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut by_values, mut by_elements) = (0, 0);
    let (mut survivors, mut reasons) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for (name, pipeline) in ALL {
        for (text, edge) in edges(|device| pipeline(device).is_ok()) {
            let listed = UNSEEN.iter().find(|(part, _)| text.contains(part)).map(|(_, reason)| *reason);
            if fails_without(&text, |device| pipeline(device).is_ok()) {
                by_values += 1;
            } else if is_hazard(&edge) {
                by_elements += 1;
            } else if let Some(reason) = listed {
                *reasons.entry(reason).or_default() += 1;
            } else {
                survivors.push(format!("{name}: {text}"));
            }
        }
    }
    drop(std::panic::take_hook());
    println!("seen by values: {by_values}, by elements only: {by_elements}, unseen: {reasons:#?}");
    assert!(survivors.is_empty(), "nobody sees these edges:\n{}", survivors.join("\n"));
    assert!(by_values > 3 * by_elements, "too few are seen by values");
}
