//! Each edge of each pipeline's graphs is needed. No other path orders its two nodes, so without it they may run in either order.
//!
//! Nothing is left to chance: the edge is turned around, so that the node that should wait runs first, in every launch. Then the
//! pipeline's own assertions must fail. Where they do not, mostly because the two nodes commute (`x += 1` twice), an oracle must see a
//! hazard: an element that both nodes use and one of them writes, found by looking at every element. [`UNSEEN`] lists, with reasons,
//! what neither can see.
#![allow(clippy::panic, clippy::print_stdout, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use graph_runtime::__private::{Mode, Reversal, SeenEdge, SeenUse};
use graph_runtime::prelude::*;
use tests::pipelines::{ALL, Pipeline};

const FENCE: &str = "an event is recorded, or waited for, on its side of the other nodes: time shows it, not memory";
const BOUNDED: &str = "the ranges meet for other values up to the bounds, for which the edges must do too";

/// Part of an edge's text, and why neither a value nor an element can show it.
const UNSEEN: &[(&str, &str)] = &[
    ("nothing passes a fence", FENCE),
    ("Cut: fill y -> fill y", BOUNDED),
    ("Halves: x[(i, j)] -> x[(i, j)]", BOUNDED),
];

/// The edges that a pipeline builds.
fn edges(name: &str, pipeline: Pipeline) -> BTreeMap<String, SeenEdge> {
    let none = Arc::new(Reversal::none());
    let device = Device::cpu().shuffled(0).reversing(Arc::clone(&none));
    if let Err(error) = pipeline(&device) {
        panic!("{name}: {error}");
    }
    none.seen()
}

/// Whether a pipeline passes with an edge turned around.
fn passes(pipeline: Pipeline, edge: &str) -> bool {
    let device = Device::cpu().shuffled(0).reversing(Arc::new(Reversal::of(edge)));
    matches!(catch_unwind(AssertUnwindSafe(|| pipeline(&device))), Ok(Ok(())))
}

/// All elements of a box, by their indices.
fn elements(used: &SeenUse) -> BTreeSet<Vec<u64>> {
    let along = |outer: BTreeSet<Vec<u64>>, (start, end): &(u64, u64)| {
        let behind = |outer: &Vec<u64>| (*start..*end).map(|index| [&outer[..], &[index]].concat()).collect::<Vec<_>>();
        outer.iter().flat_map(behind).collect()
    };
    used.ranges.iter().fold(BTreeSet::from([Vec::new()]), along)
}

/// Whether both nodes use an element, and one of them writes it, other than by two atomic updates.
fn is_hazard(edge: &SeenEdge) -> bool {
    edge.from.iter().any(|one| {
        edge.to.iter().filter(|other| one.buffer == other.buffer).any(|other| {
            let agree = one.mode == other.mode && matches!(one.mode, Mode::Read | Mode::Atomic);
            !agree && !elements(one).is_disjoint(&elements(other))
        })
    })
}

#[test]
fn every_edge_of_every_pipeline_shows_when_it_is_turned_around() {
    // What fails is meant to.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut by_values, mut by_elements) = (0, 0);
    let (mut survivors, mut reasons) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for (name, pipeline) in ALL {
        for (text, edge) in edges(name, *pipeline) {
            let listed = UNSEEN.iter().find(|(part, _)| text.contains(part)).map(|(_, reason)| *reason);
            if !passes(*pipeline, &text) {
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
