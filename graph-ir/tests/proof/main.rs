//! The rules against the meaning: whole random programs, judged by running every path in every order for all small values.
//!
//! Three promises: what is refuted with expressions is refused with every number; what is proved is not refused with any; and what is
//! accepted with numbers has no bad execution. [`leeway`] lists what may be refused although nothing bad can happen.
//!
//! `PROOF_CASES=10000 cargo test -p graph-ir --test proof -- --nocapture` looks at more.
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, clippy::unreachable, reason = "a test")]

mod arena;
mod draft;
mod fuzz;
mod judge;
mod lanes;
mod leeway;
mod machine;
mod unfold;
mod unread;
mod waits;
mod write;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use draft::{Draft, drafts};
use graph_ir::analysis::dependences;
use graph_ir::concrete::{Concrete, concretize};
use graph_ir::finding::{Finding, Level};
use graph_ir::model::{Access, Node, NodeKind, Origin, Program, RegionId};
use graph_ir::optimize::reduce;
use graph_ir::rules::{Report, check};
use judge::{Order, Wrong, bodies, closed, judge, order, paths};
use lanes::ordered;
use machine::{EdgesOf, Odometer, Places, in_some_order};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use unfold::{Region, Unfolded, unfold};
use write::{Evaluated, Written, write};

/// Drafts that CI can afford.
const CASES: u32 = 150;
/// Paths through one graph, and orders of one path, at most.
const MOST_PATHS: usize = 200;
const MOST_ORDERS: usize = 8;
const PATHS_IN_ALL_ORDERS: usize = 8;
/// Accepted graphs are also run on one lane, and so on.
const MOST_LANES: u32 = 2;

/// What was looked at.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    /// Names are left exchanged: the macro makes no program of it.
    unwritten: usize,
    /// Programs with values.
    builds: usize,
    accepted: usize,
    rejected: usize,
    /// Of the accepted and the rejected ones, those that are `#[explicit]`; and for want of an `after` alone.
    explicit: [usize; 3],
    /// Accepted builds with each of these.
    forms: BTreeMap<&'static str, usize>,
    /// Refused, though nothing bad can happen.
    conservative: BTreeMap<&'static str, usize>,
    /// Refuted with expressions, and not refused with numbers.
    left_out: BTreeMap<&'static str, usize>,
    runs: usize,
    /// Pairs of transients that share memory in accepted builds.
    sharing: usize,
    /// Regions of accepted builds that were dealt onto lanes, and the edges that these added.
    lanes: usize,
    lane_edges: usize,
    /// Fills and copies that were left out of accepted builds, and others of which it was seen that they are needed.
    unread: usize,
    needed: usize,
    /// Warnings of waits that a second buffer spares, in accepted builds.
    spared: usize,
}

#[test]
fn the_rules_keep_what_they_promise() {
    let cases = std::env::var("PROOF_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let config =
        ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(11), ..ProptestConfig::default() };
    let counts = RefCell::new(Counts::default());
    let result = TestRunner::new(config).run(&drafts(), |draft| one(&draft, &mut counts.borrow_mut()));
    if let Err(error) = result {
        panic!("{error}");
    }
    let counts = counts.into_inner();
    println!("{counts:#?}");
    assert_eq!(counts.forms.len(), 4, "{counts:?}");
    assert!(counts.lanes > 0 && counts.lane_edges > counts.lanes, "{counts:?}");
    assert!(counts.unread > 0 && counts.needed > 0, "{counts:?}");
    assert!(counts.explicit.iter().all(|count| *count > 0), "{counts:?}");
    assert!(counts.accepted > 0 && counts.rejected > 0 && counts.runs > counts.accepted, "{counts:?}");
}

fn one(draft: &Draft, counts: &mut Counts) -> Result<(), TestCaseError> {
    counts.programs += 1;
    let Ok(written) = write(draft) else {
        counts.unwritten += 1;
        return Ok(());
    };
    let symbolic = (check(&written.program), waits::claims(&written.program));
    let named = draft.named();
    let up_to = |named: bool, values: std::ops::Range<u64>| if named { values } else { 1..2 };
    for n in 1..4 {
        for a in up_to(named[1], 0..4) {
            for b in up_to(named[2], 0..4) {
                for flag in if named[3] { &[true, false][..] } else { &[true] } {
                    build(draft, &written, &symbolic, ([n, a, b], *flag), counts)?;
                }
            }
        }
    }
    Ok(())
}

fn errors(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|finding| finding.level == Level::Error)
}

fn build(
    draft: &Draft,
    written: &Written,
    (symbolic, spared): &(Report, Vec<waits::Claim>),
    (numbers, flag): ([u64; 3], bool),
    counts: &mut Counts,
) -> Result<(), TestCaseError> {
    counts.builds += 1;
    let concrete = concretize(&written.program, &Evaluated::new(written, numbers, flag)).unwrap();
    let report = check(&concrete.program);
    prop_assert_eq!(&report.open, &vec![], "open with numbers");
    let unfolded = unfold(draft, numbers, flag, &written.afters);
    let wrong = judge(&unfolded, MOST_PATHS);
    let refused: Vec<&Finding> = errors(&report.refuted).chain(errors(&concrete.findings)).collect();
    prop_assert!(!refused.is_empty() || wrong.is_empty(), "accepted with {:?}, but {:?}", numbers, wrong);
    if refused.is_empty() {
        counts.accepted += 1;
        counts.explicit[0] += usize::from(draft.explicit.is_some());
        forms(&concrete.program).into_iter().for_each(|form| *counts.forms.entry(form).or_default() += 1);
        orders(&concrete.program, &unfolded, counts)?;
        counts.spared += waits::confirm(&unfolded, spared)?;
    } else if wrong.is_empty() {
        for finding in &refused {
            let why = leeway::of_a_refusal(&unfolded, finding);
            prop_assert!(why.is_some(), "refused with {:?}: {:?}", numbers, finding);
            *counts.conservative.entry(why.unwrap_or_default()).or_default() += 1;
        }
    } else {
        counts.rejected += 1;
        counts.explicit[1] += usize::from(draft.explicit.is_some());
        counts.explicit[2] += usize::from(wrong == BTreeSet::from([Wrong::Unordered]));
    }
    answers(written, &concrete, symbolic, &report, counts)
}

/// What a program has in it, of what stands outside of the graph.
fn forms(program: &Program) -> BTreeSet<&'static str> {
    let regions = program.live_regions().into_iter();
    let nodes = regions.flat_map(|region| &program.region(region).nodes).map(|node| program.node(*node));
    let buffer = |access: &Access| program.buffer(access.buffer);
    let of_node = |node: &Node| {
        let call = match &node.kind {
            NodeKind::Capture(call) if !call.exclusive.is_empty() => Some("objects used alone"),
            NodeKind::Record(_) | NodeKind::Wait(_) => Some("events"),
            _ => None,
        };
        let kept = node.accesses.iter().any(|access| matches!(buffer(access).origin, Origin::Static(_)));
        let listed =
            |access: &Access| buffer(access).name.starts_with("w[") && buffer(access).origin != Origin::Transient;
        let lent = node.accesses.iter().any(listed);
        [call, kept.then_some("statics"), lent.then_some("lists as parameters")]
    };
    nodes.flat_map(of_node).flatten().collect()
}

/// What the symbolic program's answers say about the concrete one.
fn answers(
    written: &Written,
    concrete: &Concrete,
    symbolic: &Report,
    report: &Report,
    counts: &mut Counts,
) -> Result<(), TestCaseError> {
    let subjects = |program: &Program, findings: &[Finding]| -> BTreeSet<_> {
        errors(findings).map(|finding| leeway::subject(&written.program, program, finding)).collect()
    };
    let now = subjects(&concrete.program, &report.refuted);
    let mut known = subjects(&written.program, &symbolic.open);
    known.extend(subjects(&written.program, &symbolic.refuted));
    prop_assert!(now.is_subset(&known), "proved, but {:?}", report.refuted);
    for finding in errors(&symbolic.refuted) {
        if now.contains(&leeway::subject(&written.program, &written.program, finding)) {
            continue;
        }
        let why = leeway::of_a_refutation(&written.program, &concrete.program, finding);
        prop_assert!(why.is_some(), "refuted, but not with these numbers: {:?}, but {:?}", finding, report.refuted);
        *counts.left_out.entry(why.unwrap_or_default()).or_default() += 1;
    }
    Ok(())
}

/// The edges of an accepted graph are those that the meaning demands, and in no order that they allow can anybody tell.
fn orders(program: &Program, unfolded: &Unfolded, counts: &mut Counts) -> Result<(), TestCaseError> {
    let mut edges = EdgesOf::new();
    region(program, RegionId::GRAPH, &unfolded.graph, "", &mut edges)?;
    let places = arena::places(program, &unfolded.graph, &ordered(program), &mut counts.sharing);
    runs(unfolded, &edges, &places, counts)?;
    unread::nobody_can_tell(program, unfolded, counts)?;
    for most in 1..=MOST_LANES {
        let Some(laid) = lanes::laid(program, most, counts) else { continue };
        lanes::only_adds(program, &laid, most)?;
        let places = arena::places(program, &unfolded.graph, &laid, &mut counts.sharing);
        runs(unfolded, &lanes::by_position(program, &unfolded.graph, &laid), &places, counts)?;
    }
    Ok(())
}

/// In what orders of these edges, with transients at these places, nobody can tell.
fn runs(unfolded: &Unfolded, edges: &EdgesOf, places: &Places, counts: &mut Counts) -> Result<(), TestCaseError> {
    for path in paths(&unfolded.graph, PATHS_IN_ALL_ORDERS) {
        let mut odometer = Odometer::default();
        for _ in 0..MOST_ORDERS {
            counts.runs += 1;
            let other = in_some_order(&unfolded.graph, edges, &path.answers, places, &mut odometer);
            let other = other.ok_or_else(|| TestCaseError::fail("no order runs all nodes"))?;
            prop_assert_eq!(&other.seen, &path.seen, "a node sees something else");
            prop_assert_eq!(&other.effects, &path.effects);
            prop_assert_eq!(&other.turns, &path.turns);
            prop_assert_eq!(other.left(), path.left());
            if !odometer.advance() {
                break;
            }
        }
    }
    Ok(())
}

fn region(
    program: &Program,
    id: RegionId,
    meant: &Region,
    key: &str,
    edges: &mut EdgesOf,
) -> Result<(), TestCaseError> {
    let nodes = &program.region(id).nodes;
    let labels: Vec<_> = nodes.iter().map(|node| program.node(*node).label.to_string()).collect();
    let items: Vec<_> = meant.items.iter().map(|item| item.label.clone()).collect();
    prop_assert_eq!(&labels, &items);
    let position = |node| nodes.iter().position(|other| *other == node).unwrap();
    let found = reduce(program, id, &dependences(program, id));
    let found: Order = found.iter().map(|edge| (position(edge.from), position(edge.to))).collect();
    prop_assert_eq!(closed(&found, nodes.len()), order(meant), "the order of `{}`", key);
    edges.insert(key.to_owned(), found);
    for (item, node) in meant.items.iter().zip(nodes) {
        for ((key, body), id) in bodies(item).into_iter().zip(program.node(*node).kind.bodies()) {
            region(program, id, body, &key, edges)?;
        }
    }
    Ok(())
}
