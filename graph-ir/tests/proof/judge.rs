//! What is wrong with a graph, found by looking at every element, every pair of nodes, every path.

use std::collections::{BTreeMap, BTreeSet};

use graph_ir::model::Mode;

use crate::machine::{Odometer, World, in_text_order};
use crate::unfold::{Fault, Item, Kind, Leaf, Region, Touch, Unfolded};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    Written(Fault),
    /// An element that is not there, or a range that runs backwards.
    Outside,
    /// A write to what the caller lends for reading.
    ReadOnly,
    /// A launch names an element twice, and writes it.
    Alias,
    /// The sides of a copy have different numbers of elements, or common ones.
    Copy,
    /// An element is read, or left to the caller, that a path has not written.
    Undefined,
    /// An event in a body.
    Event,
    /// Nodes wait for each other.
    Cycle,
    /// An order that shows, and that no `after` says.
    Unordered,
    /// Nothing that a pass writes changes the answer of the test, and there is no limit.
    Endless,
}

/// Which item of a region must wait for which, by position, closed under "and so".
pub(crate) type Order = BTreeSet<(usize, usize)>;

/// The bodies of an item, each with what tells it apart: the graph's own key is empty.
pub(crate) fn bodies(item: &Item) -> Vec<(String, &Region)> {
    let regions: Vec<&Region> = match &item.kind {
        Kind::Leaf { .. } => Vec::new(),
        Kind::Choice { arms, .. } => arms.iter().collect(),
        Kind::Loop { body, .. } => vec![body],
    };
    regions.into_iter().enumerate().map(|(index, region)| (format!("{}#{index}", item.label), region)).collect()
}

/// Everything that is wrong.
pub(crate) fn judge(unfolded: &Unfolded, most_paths: usize) -> BTreeSet<Wrong> {
    let mut wrong: BTreeSet<_> = unfolded.faults.iter().map(|fault| Wrong::Written(*fault)).collect();
    region(&unfolded.graph, &mut wrong);
    let inside = |item: &Item| bodies(item).into_iter().any(|(_, body)| body.items.iter().any(has_event));
    if unfolded.graph.items.iter().any(inside) {
        wrong.insert(Wrong::Event);
    }
    let unwritten =
        |world: &World| world.left().iter().filter(|((buffer, _), _)| buffer == "q").count() < unfolded.length;
    if wrong.is_empty() && paths(&unfolded.graph, most_paths).any(|world| world.undefined || unwritten(&world)) {
        wrong.insert(Wrong::Undefined);
    }
    wrong
}

/// Every path through the graph, as it runs from top to bottom.
pub(crate) fn paths(graph: &Region, most: usize) -> impl Iterator<Item = World> {
    let mut odometer = Some(Odometer::default());
    let next = move || {
        let mut now = odometer.take()?;
        let world = in_text_order(graph, &mut now);
        odometer = now.advance().then_some(now);
        Some(world)
    };
    std::iter::from_fn(next).take(most)
}

fn region(region_: &Region, wrong: &mut BTreeSet<Wrong>) {
    let there = order(region_);
    if there.iter().any(|(one, other)| one == other) {
        wrong.insert(Wrong::Cycle);
    }
    if !shown(region_).is_subset(&there) {
        wrong.insert(Wrong::Unordered);
    }
    for item in &region_.items {
        node(item, wrong);
        if !never_runs(item) {
            bodies(item).into_iter().for_each(|(_, body)| region(body, wrong));
        }
    }
}

/// A loop of no passes.
pub(crate) fn never_runs(item: &Item) -> bool {
    matches!(item.kind, Kind::Loop { most: Some(0), .. })
}

fn node(item: &Item, wrong: &mut BTreeSet<Wrong>) {
    if item.touches.iter().any(|touch| touch.outside) {
        wrong.insert(Wrong::Outside);
    }
    if item.touches.iter().any(|touch| touch.buffer == "c" && touch.mode != Mode::Read) {
        wrong.insert(Wrong::ReadOnly);
    }
    match &item.kind {
        Kind::Leaf { word: Leaf::Kernel | Leaf::Capture, .. } => {
            let twice =
                |(index, touch): (usize, &Touch)| item.touches[..index].iter().any(|other| conflict(other, touch));
            if item.touches.iter().enumerate().any(twice) {
                wrong.insert(Wrong::Alias);
            }
        }
        Kind::Leaf { word: Leaf::Copy, .. } => {
            let [from, to] = [&item.touches[0], &item.touches[1]];
            if from.elements.len() != to.elements.len() || conflict(from, to) {
                wrong.insert(Wrong::Copy);
            }
        }
        Kind::Loop { most: None, body, .. } => {
            let writes = touched(body).into_iter().filter(|touch| touch.mode != Mode::Read);
            let written: Vec<_> = writes.collect();
            let changes = |read: &Touch| {
                let common = |write: &Touch| write.buffer == read.buffer && !write.elements.is_disjoint(&read.elements);
                written.iter().any(common)
            };
            if !item.touches.iter().any(changes) {
                wrong.insert(Wrong::Endless);
            }
        }
        _ => {}
    }
}

/// Whether the order of two uses shows.
fn conflict(one: &Touch, other: &Touch) -> bool {
    let agree = matches!((one.mode, other.mode), (Mode::Read, Mode::Read) | (Mode::Atomic, Mode::Atomic));
    !agree && one.buffer == other.buffer && !one.elements.is_disjoint(&other.elements)
}

/// What a region's nodes touch of what outlives it.
fn touched(region: &Region) -> Vec<Touch> {
    let mut all: Vec<Touch> = region.items.iter().flat_map(all_touches).collect();
    all.retain(|touch| !region.locals.contains(&touch.buffer));
    all
}

/// What a node and its bodies touch.
fn all_touches(item: &Item) -> Vec<Touch> {
    let inside = bodies(item).into_iter().flat_map(|(_, body)| touched(body));
    item.touches.iter().cloned().chain(inside).collect()
}

fn has_effects(item: &Item) -> bool {
    let inside = || bodies(item).into_iter().any(|(_, body)| body.items.iter().any(has_effects));
    matches!(item.kind, Kind::Leaf { effects: true, .. }) || inside()
}

fn is_fence(item: &Item) -> bool {
    matches!(item.kind, Kind::Leaf { word: Leaf::Fence, .. })
}

fn has_event(item: &Item) -> bool {
    is_fence(item) || bodies(item).into_iter().any(|(_, body)| body.items.iter().any(has_event))
}

/// What a node and its bodies use alone.
fn all_objects(item: &Item) -> BTreeSet<String> {
    let inside = bodies(item).into_iter().flat_map(|(_, body)| body.items.iter().flat_map(all_objects));
    item.objects.iter().cloned().chain(inside).collect()
}

/// Whether nothing passes one of the two: it is a fence against everything, or against the uses of a buffer that the other has.
fn fenced(one: &Item, other: &Item) -> bool {
    let stops = |fence: &Item, passing: &Item| {
        let meets = |fence: &Touch| {
            let common = |touch: &Touch| touch.buffer == fence.buffer && !touch.elements.is_disjoint(&fence.elements);
            all_touches(passing).iter().any(common)
        };
        is_fence(fence) && (fence.touches.is_empty() || fence.touches.iter().any(meets))
    };
    stops(one, other) || stops(other, one)
}

/// Pairs of items whose order shows, by position, the upper one first.
fn shown(region: &Region) -> Order {
    let touches: Vec<Vec<Touch>> = region.items.iter().map(all_touches).collect();
    let pairs = (0..region.items.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let shows = |(earlier, later): &(usize, usize)| {
        let effects = [*earlier, *later].iter().all(|item| has_effects(&region.items[*item]));
        let (one, other) = (&region.items[*earlier], &region.items[*later]);
        let alone = !all_objects(one).is_disjoint(&all_objects(other)) || fenced(one, other);
        effects || alone || touches[*later].iter().any(|one| touches[*earlier].iter().any(|other| conflict(other, one)))
    };
    pairs.filter(shows).collect()
}

/// Whether nothing but an `after` orders two items of an explicit region: they are not of different passes.
fn by_after_alone(one: &Item, other: &Item) -> bool {
    let differ = one.passes.iter().zip(&other.passes).find(|(one, other)| one != other);
    differ.is_none_or(|(one, other)| one.0 != other.0)
}

/// Who must wait for whom in a region: of two nodes whose order shows the one further down, and who an `after` says. In an explicit one
/// the former only between passes.
pub(crate) fn order(region: &Region) -> Order {
    // A block of the host's begins, and ends when all in it have ended: an empty one passes on what it waits for.
    let mut numbers: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let mut number = |label: &str, is_end: bool| {
        let next = numbers.len();
        *numbers.entry((label.to_owned(), is_end)).or_insert(next)
    };
    let mut before = Order::new();
    let real: Vec<_> =
        region.items.iter().map(|item| (number(&item.label, false), number(&item.label, true))).collect();
    for (later, item) in region.items.iter().enumerate() {
        before.insert(real[later]);
        for block in &item.blocks {
            before.insert((number(block, false), real[later].0));
            before.insert((real[later].1, number(block, true)));
        }
    }
    for (earlier, later) in shown(region) {
        if !region.explicit || !by_after_alone(&region.items[earlier], &region.items[later]) {
            before.insert((real[earlier].1, real[later].0));
        }
    }
    for (waiting, target) in &region.afters {
        before.extend([waiting, target].map(|label| (number(label, false), number(label, true))));
        before.insert((number(target, true), number(waiting, false)));
    }
    let all = closed(&before, numbers.len());
    let position = |of: usize| real.iter().position(|(begin, _)| *begin == of);
    let between = |(one, other): &(usize, usize)| Some((position(*one)?, position(*other)?));
    all.iter().filter_map(between).collect()
}

/// The transitive closure.
pub(crate) fn closed(pairs: &Order, count: usize) -> Order {
    let mut reach = vec![vec![false; count]; count];
    pairs.iter().for_each(|(from, to)| reach[*from][*to] = true);
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    let all = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
    all.filter(|(from, to)| reach[*from][*to]).collect()
}
