//! CG0306: that a second buffer makes the longest chain as short as the warning says, in every region that the statement comes to stand in.

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::Program;
use graph_ir::rules::advise;
use proptest::prelude::*;

use crate::judge::{Order, bodies, order};
use crate::unfold::{Item, Kind, Region, Unfolded};

/// The label of the copy that replaces the transient, and how many nodes run one after another: now, and with a second buffer.
pub(crate) struct Claim {
    writer: String,
    chains: [usize; 2],
}

pub(crate) fn claims(program: &Program) -> Vec<Claim> {
    let said = advise(program).into_iter().filter(|finding| finding.code == Code::NEEDLESS_WAIT);
    said.map(|finding| claim(program, &finding)).collect()
}

fn claim(program: &Program, finding: &Finding) -> Claim {
    let mut nodes = program.nodes.iter();
    let writer = nodes.find(|node| node.accesses.iter().any(|access| access.place == finding.place)).unwrap();
    let numbers = finding.notes[1].text.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<_>>();
    Claim { writer: writer.label.to_string(), chains: numbers.try_into().unwrap() }
}

/// How many times the claims were looked at.
pub(crate) fn confirm(unfolded: &Unfolded, claims: &[Claim]) -> Result<usize, TestCaseError> {
    let mut confirmed = 0;
    for claim in claims {
        for_each(&unfolded.graph, &mut |region| {
            let written = |item: &Item| item.label.split('[').next() == Some(&claim.writer);
            let Some(at) = region.items.iter().position(written).filter(|_| !has_empty(region)) else { return Ok(()) };
            let with = |region: &Region| longest(&order(region), region.items.len());
            prop_assert_eq!([with(region), with(&split(region, at))], claim.chains, "at `{}`", claim.writer);
            confirmed += 1;
            Ok(())
        })?;
    }
    Ok(confirmed)
}

fn for_each(
    region: &Region,
    visit: &mut impl FnMut(&Region) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    visit(region)?;
    region.items.iter().flat_map(bodies).try_for_each(|(_, body)| for_each(body, visit))
}

/// Ranges of equal expressions are taken to hold an element.
fn has_empty(region: &Region) -> bool {
    let empty = |item: &Item| item.touches.iter().any(|touch| touch.elements.is_empty());
    region.items.iter().any(|item| empty(item) || bodies(item).into_iter().any(|(_, body)| has_empty(body)))
}

/// The region with a buffer of its own for what the copy at this position writes, from there on.
fn split(region: &Region, at: usize) -> Region {
    let mut region = region.clone();
    let buffer = region.items[at].touches[1].buffer.clone();
    region.items[at..].iter_mut().for_each(|item| rename(item, &buffer));
    region.locals.push(format!("{buffer} again"));
    region
}

fn rename(item: &mut Item, buffer: &str) {
    let named = item.touches.iter_mut().filter(|touch| touch.buffer == buffer);
    named.for_each(|touch| touch.buffer.push_str(" again"));
    let bodies: Vec<&mut Region> = match &mut item.kind {
        Kind::Leaf { .. } => Vec::new(),
        Kind::Choice { arms, .. } => arms.iter_mut().collect(),
        Kind::Loop { body, .. } => vec![body],
    };
    bodies.into_iter().flat_map(|body| &mut body.items).for_each(|item| rename(item, buffer));
}

/// Nodes in the longest chain of an order that is closed.
fn longest(order: &Order, count: usize) -> usize {
    (0..count).map(|first| chain_from(order, first)).max().unwrap_or(0)
}

fn chain_from(order: &Order, first: usize) -> usize {
    1 + order.iter().filter(|(from, _)| *from == first).map(|(_, to)| chain_from(order, *to)).max().unwrap_or(0)
}
