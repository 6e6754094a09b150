//! The rules: what is refused, each in a file of its own.
//!
//! [`check`] runs all rules that the program alone decides. Rules about names, which are decided while the program is made, offer
//! constructors of their findings instead ([`names`], [`after_region`], [`scope`], [`dropped`], [`swap`], [`length`], [`rank`], [`pieces`],
//! [`declared`], [`inside`], [`unused`]). [`advise`] runs those that warn of what only the whole text shows: the macro asks them, a build does not.

pub mod after_region;
pub mod alias;
pub mod bounded;
mod call_in_body;
mod cluster;
pub mod condition;
mod copy_length;
mod copy_overlap;
mod cycle;
pub mod declared;
pub mod dropped;
mod endless;
mod every;
mod geometry;
mod host_memory;
pub mod inside;
pub mod length;
mod mailbox;
mod maybe_uninitialised;
pub mod names;
mod needless_wait;
mod out_not_written;
mod overwritten;
pub mod pieces;
mod range;
pub mod rank;
mod read_only;
mod redundant_after;
pub mod scope;
pub mod statics;
mod steps;
mod stuck;
pub mod swap;
mod uninitialised;
mod unlimited;
mod unordered;
pub(crate) mod unreachable_arm;
mod unread;
pub mod unused;
mod written;

use std::collections::HashSet;

pub use call_in_body::body_around;
pub use written::as_written;

use crate::analysis::initialization::initialization;
use crate::finding::Finding;
use crate::model::{
    Access, BufferId, Extent, Family, Footprint, Memory, Node, NodeKind, Origin, Program, Range, Shape, Verdict,
};

/// What the rules say about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Wrong for every value of the expressions, by place.
    pub refuted: Vec<Finding>,
    /// Depends on values that are not known yet, by place. Empty for a concrete program.
    pub open: Vec<Finding>,
}

impl Report {
    /// Records a finding under the answer of its check.
    fn add(&mut self, verdict: Verdict, finding: impl FnOnce() -> Finding) {
        match verdict {
            Verdict::Proved => {}
            Verdict::Refuted => self.refuted.push(finding()),
            Verdict::Open => self.open.push(finding()),
        }
    }

    fn refute(&mut self, finding: Finding) {
        self.refuted.push(finding);
    }
}

/// Runs every rule.
pub fn check(program: &Program) -> Report {
    let mut report = Report::default();
    live_nodes(program).for_each(|node| check_numbers(program, node, &mut report));
    let rules = [
        read_only::check,
        condition::check,
        cycle::check,
        unordered::check,
        endless::check,
        unreachable_arm::check,
        call_in_body::check,
        host_memory::check,
        mailbox::check,
    ];
    for rule in rules {
        rule(program, &mut report);
    }
    for gap in initialization(program) {
        uninitialised::check(program, &gap, &mut report);
        maybe_uninitialised::check(program, &gap, &mut report);
        out_not_written::check(program, &gap, &mut report);
    }
    sort(&mut report.refuted);
    sort(&mut report.open);
    report
}

/// Runs the rules about the numbers of one node, of which each needs nothing of the others.
///
/// All else that rules say of numbers follows from how those of one buffer's accesses compare with each other and with its sizes.
pub fn check_node(program: &Program, node: &Node) -> Report {
    let mut report = Report::default();
    check_numbers(program, node, &mut report);
    sort(&mut report.refuted);
    sort(&mut report.open);
    report
}

fn check_numbers(program: &Program, node: &Node, report: &mut Report) {
    let rules = [
        alias::twins,
        geometry::check,
        cluster::check,
        range::check,
        every::check,
        copy_length::check,
        copy_overlap::check,
    ];
    for rule in rules {
        rule(program, node, report);
    }
}

/// Warnings about a program without faults: what a build decides (a taken `if`, a list's length) could make them untrue, so only the
/// symbolic program is asked.
pub fn advise(program: &Program) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rules = [
        unread::check,
        overwritten::check,
        stuck::check,
        redundant_after::check,
        unlimited::check,
        needless_wait::check,
    ];
    for rule in rules {
        rule(program, &mut findings);
    }
    sort(&mut findings);
    findings
}

/// Whether the buffer is one, and always the same one: not one of a list, nor exchanged with another in each pass of a `for` or of a loop
/// whose `every` the host computes.
fn stands_for_itself(program: &Program, buffer: BufferId) -> bool {
    let exchanged = |node: &Node| match &node.kind {
        NodeKind::For { swapped, .. } => swapped.iter().any(|(one, other)| *one == buffer || *other == buffer),
        _ => false,
    };
    program.buffer(buffer).family == Family::Single && !program.nodes.iter().any(exchanged)
}

/// Whether the node is there for what it writes: it launches nothing of the user's.
fn is_for_its_writes(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Copy | NodeKind::Fill { .. } | NodeKind::Scalar { .. } | NodeKind::Compute(_))
}

/// By place; unrolled passes repeat statements, so a finding may come up more than once.
fn sort(findings: &mut Vec<Finding>) {
    let mut seen = HashSet::new();
    findings.retain(|finding| seen.insert((finding.code, finding.place, finding.message.clone())));
    findings.sort_by_key(|finding| (finding.place, finding.code));
}

/// Whether the host may look at the buffer, or write it, while the graph runs.
fn is_mailbox(program: &Program, access: &Access) -> bool {
    program.buffer(access.buffer).memory == Memory::Mailbox
}

/// What is wrong with the numbers that a graph inside the graph is given: one buffer twice.
pub(crate) fn twins(program: &Program, node: &Node) -> Vec<Finding> {
    let mut report = Report::default();
    alias::twins(program, node, &mut report);
    report.refuted
}

fn live_nodes(program: &Program) -> impl Iterator<Item = &Node> {
    let regions = program.live_regions().into_iter();
    regions.flat_map(|region| &program.region(region).nodes).map(|node| program.node(*node))
}

/// ``kernel `sweep` `` or `` `fill error` ``.
fn subject(node: &Node) -> String {
    match node.kind {
        NodeKind::Kernel(_) => format!("kernel `{}`", node.label),
        NodeKind::Graph(_) => format!("graph `{}`", node.label),
        NodeKind::Compute(_) if node.labelled => format!("{} `{}`", node.kind.word(), node.label),
        NodeKind::Compute(_) => format!("this {}", node.kind.word()).replace("kernel for", "`kernel for`"),
        _ => format!("`{}`", node.label),
    }
}

/// `&mut [f32; n]`, `[f32; n]` as in the declaration.
fn declared(program: &Program, buffer: BufferId) -> String {
    let buffer = program.buffer(buffer);
    let word = if buffer.memory == Memory::Mailbox { "mailbox " } else { "" };
    let list = format!("{word}[{}; {}]", buffer.element, program.shape_text(&buffer.shape));
    match buffer.origin {
        Origin::Parameter(mode) => format!("{} {list}", mode.sigil()).replace("& ", "&"),
        Origin::Transient | Origin::Static(_) => list,
    }
}

/// `&mut x[2..n]`, `&x` as written.
fn written(program: &Program, access: &Access) -> String {
    let sigil = format!("{} ", access.mode.sigil()).replace("& ", "&");
    format!("{sigil}{}", elements_text(program, access))
}

/// `x[2..n]`, `x`
fn elements_text(program: &Program, access: &Access) -> String {
    let name = &program.buffer(access.buffer).name;
    if access.ranged { format!("{name}[{}]", brackets(program, &access.footprint)) } else { name.clone() }
}

/// `2..n`, `(0..h, 2..4)`: what stands between the brackets.
fn brackets(program: &Program, footprint: &Footprint) -> String {
    let ranges: Vec<_> = footprint.ranges().iter().map(|range| range_text(program, *range)).collect();
    match &ranges[..] {
        [range] => range.clone(),
        ranges => format!("({})", ranges.join(", ")),
    }
}

/// The same for numbers, with `..` for what is no number.
pub(crate) fn brackets_of(footprint: &Footprint) -> String {
    let text = |range: &Range| match range.numbers() {
        Some((start, end)) => format!("{start}..{end}"),
        None => "..".to_owned(),
    };
    let ranges: Vec<_> = footprint.ranges().iter().map(text).collect();
    if ranges.len() == 1 { ranges.concat() } else { format!("({})", ranges.join(", ")) }
}

/// `2..n`.
fn range_text(program: &Program, range: Range) -> String {
    format!("{}..{}", program.extent_text(range.start), program.extent_text(range.end))
}

/// `1 element`, `4 elements`, `n elements`, `h × w elements`.
fn elements(program: &Program, shape: &Shape) -> String {
    let sizes: Vec<_> = shape.sizes().iter().map(|size| program.extent_text(*size)).collect();
    let text = sizes.join(" × ");
    if text == "1" { "1 element".to_owned() } else { format!("{text} elements") }
}

/// Whether every element of a box exists and none of its ranges runs backwards.
fn fits(program: &Program, access: &Access) -> Verdict {
    let sizes = program.buffer(access.buffer).shape;
    let pairs = access.footprint.ranges().iter().zip(sizes.sizes());
    pairs.fold(Verdict::Proved, |all, (range, size)| both(all, range_fits(*range, *size)))
}

/// Whether a range runs forwards and stays within a dimension of this size.
fn range_fits(range: Range, size: Extent) -> Verdict {
    both(range.start.at_most(range.end), range.end.at_most(size))
}

/// Both hold.
fn both(first: Verdict, second: Verdict) -> Verdict {
    match (first, second) {
        (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
        (Verdict::Proved, Verdict::Proved) => Verdict::Proved,
        _ => Verdict::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::testing::{Builder, Head, number, overwrite, read, update};

    /// The codes and lines of what is refuted.
    pub(super) fn refuted(program: &Program) -> Vec<(Code, u32)> {
        check(program).refuted.iter().map(|finding| (finding.code, finding.place.0)).collect()
    }

    /// The codes of what is refuted and of what is open.
    pub(super) fn codes(program: &Program) -> (Vec<Code>, Vec<Code>) {
        let report = check(program);
        let code = |finding: &Finding| finding.code;
        (report.refuted.iter().map(code).collect(), report.open.iter().map(code).collect())
    }

    #[test]
    fn four_faults_give_four_findings_in_text_order() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", crate::model::Mode::Read, number(4));
        let t = block.transient("t", number(4));
        block.kernel("reads", &[read(t)]);
        block.kernel("writes", &[update(x)]);
        block.launch("wide", [1, 1, 1], [2048, 1, 1], &[overwrite(t), read(x).range(2, 9)]);
        let found = codes(&block.finish());
        assert_eq!(found, (vec![Code::UNINITIALISED, Code::READ_ONLY, Code::GEOMETRY, Code::RANGE], vec![]));
    }

    #[test]
    fn unrolled_passes_say_it_once() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", crate::model::Mode::Read, number(4));
        let c = block.parameter("c", crate::model::Mode::Update, number(1));
        let head = Head::on(&[]).limit(number(4)).every(2);
        block.repeat(Head { test: Some(&[read(c)]), ..head }, |block| {
            block.kernel("k", &[overwrite(x), update(c)]);
            block.kernel("k", &[overwrite(x), update(c)]);
        });
        let mut program = block.finish();
        program.nodes[2].accesses[0].place = program.nodes[1].accesses[0].place;
        assert_eq!(refuted(&program).len(), 1);
    }
}
