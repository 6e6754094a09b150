//! CG0306: no node waits only because a transient is used again that another buffer could stand for.
//!
//! Warned of:
//! ```text
//! let t: [f32; n];
//! 'a: kernel for i in 0..n { t[i] = x[i] * 2.0; }   'b: kernel for i in 0..n { y[i] = t[i]; }
//! 'c: kernel for i in 0..n { t[i] = u[i] * 3.0; }   'd: kernel for i in 0..n { v[i] = t[i]; }
//! ```
//! Not warned of: the same where `c` reads `y`, or where another chain of the region is as long anyway.
//!
//! Sound because from a node on that replaces all of a transient nobody sees what was in it, so the rest of the region may as well use a
//! buffer of its own; and because only regions are looked at in which every edge is there for all values, and every node stands once.
//! So nothing is said of the passes of a `for` or of the arms of the host's `if` and `match`: the build puts their nodes among those
//! around them, where other chains may be longer; nor of a loop that has its body several times over (`every`), where a second buffer in
//! the text is one for each pass. A body of the device's inside a pass is looked at, and so is one beside a `for`: what a `for` exchanges
//! are names of whole buffers, each for another, so who waits for whom stays the same.
//!
//! What the nodes cost is not known: what is told is the number of nodes that run one after another, with the wait and without. The
//! dependences of a region are looked for again for a few transients at most, and only for those whose reuse is on a longest chain.

use super::declared;
use crate::analysis::certain::{certain, is_settled};
use crate::analysis::effects::accesses;
use crate::analysis::path::Behind;
use crate::analysis::{Edge, HazardKind, Reason, dependences, topological};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, BufferId, Family, Footprint, Mode, NodeId, NodeKind, Origin, Place, Program, RegionId};

/// Larger regions are not looked at.
const MOST_NODES: usize = 1000;

/// Nor are more transients of one region.
const MOST_TRIES: usize = 8;

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    for region in program.live_regions() {
        let nodes = &program.region(region).nodes;
        let small = (4..=MOST_NODES).contains(&nodes.len());
        if small && stands_alone(program, region) && nodes.iter().all(|node| is_settled(program, *node)) {
            in_region(program, region, findings);
        }
    }
}

/// Whether the region is one of the built graph, with each statement of the text once.
fn stands_alone(program: &Program, region: RegionId) -> bool {
    let owner = program.region(region).owner.map(|owner| &program.node(owner).kind);
    match owner {
        None | Some(NodeKind::If { .. } | NodeKind::Match { .. }) => true,
        Some(NodeKind::Loop(head)) => head.every == 1,
        _ => false,
    }
}

fn in_region(program: &Program, region: RegionId, findings: &mut Vec<Finding>) {
    let candidates: Vec<_> = program.buffer_ids().filter(|buffer| is_own(program, region, *buffer)).collect();
    let reused: Vec<_> = candidates
        .into_iter()
        .filter_map(|buffer| Some((buffer, replacing(program, region, buffer)?)))
        .take(MOST_TRIES)
        .collect();
    if reused.is_empty() {
        return;
    }
    let edges = dependences(program, region);
    if certain(program, region).len() != edges.len() {
        return;
    }
    let chains = Chains::of(program, region, &edges);
    for (buffer, node) in reused {
        let waits = edges.iter().filter(|edge| edge.to == node && chains.is_on_longest(edge));
        if let Some(wait) = waits.filter_map(|edge| Wait::of(edge, buffer)).min_by_key(|wait| wait.reader) {
            findings.extend(try_another(program, region, (buffer, node), &wait, chains.longest));
        }
    }
}

/// A node waits until another has read a transient.
struct Wait {
    reader: NodeId,
    writer: NodeId,
    /// Where each of them names it.
    read: Place,
    write: Place,
}

impl Wait {
    fn of(edge: &Edge, reused: BufferId) -> Option<Self> {
        match edge.reason {
            Reason::Hazard { kind: HazardKind::WriteAfterRead, buffer, from, to } if buffer == reused => {
                Some(Self { reader: edge.from, writer: edge.to, read: from, write: to })
            }
            _ => None,
        }
    }
}

fn is_own(program: &Program, region: RegionId, id: BufferId) -> bool {
    let buffer = program.buffer(id);
    buffer.origin == Origin::Transient && buffer.family == Family::Single && buffer.region == region
}

/// The first node that surely replaces all of a buffer that was used before.
fn replacing(program: &Program, region: RegionId, buffer: BufferId) -> Option<NodeId> {
    let mut used = false;
    for &id in &program.region(region).nodes {
        let node = program.node(id);
        let mut own = node.accesses.iter().filter(|access| access.buffer == buffer);
        let only = own.next().filter(|_| own.next().is_none());
        let exact = matches!(node.kind, NodeKind::Copy | NodeKind::Compute(_)) && !node.optional;
        if used && exact && only.is_some_and(|access| replaces(program, access)) {
            return Some(id);
        }
        used |= accesses(program, id).iter().any(|access| access.buffer == buffer);
    }
    None
}

fn replaces(program: &Program, access: &Access) -> bool {
    let whole = Footprint::whole(program.buffer(access.buffer).shape);
    access.mode == Mode::Overwrite && access.footprint == whole
}

/// How many nodes run one after another.
struct Chains {
    /// Up to a node and from it on, each with the node, by id.
    before: Vec<usize>,
    behind: Vec<usize>,
    longest: usize,
}

impl Chains {
    fn of(program: &Program, region: RegionId, edges: &[Edge]) -> Self {
        let (mut before, mut behind) = (vec![1; program.nodes.len()], vec![1; program.nodes.len()]);
        let order = topological(&program.region(region).nodes, edges).unwrap_or_default();
        let mut place = vec![0; program.nodes.len()];
        order.iter().enumerate().for_each(|(at, node)| place[node.0 as usize] = at);
        let mut sorted: Vec<&Edge> = edges.iter().collect();
        sorted.sort_by_key(|edge| place[edge.from.0 as usize]);
        for edge in &sorted {
            let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
            before[to] = before[to].max(before[from] + 1);
        }
        sorted.sort_by_key(|edge| place[edge.to.0 as usize]);
        for edge in sorted.iter().rev() {
            let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
            behind[from] = behind[from].max(behind[to] + 1);
        }
        let longest = order.iter().map(|node| before[node.0 as usize]).max().unwrap_or(0);
        Self { before, behind, longest }
    }

    fn is_on_longest(&self, edge: &Edge) -> bool {
        self.before[edge.from.0 as usize] + self.behind[edge.to.0 as usize] == self.longest
    }
}

/// The region with another buffer from a node on: whether its longest chain is shorter then.
fn try_another(
    program: &Program,
    region: RegionId,
    (buffer, from): (BufferId, NodeId),
    wait: &Wait,
    with: usize,
) -> Option<Finding> {
    let mut split = program.clone();
    let other = BufferId(split.buffers.len() as u32);
    split.buffers.push(program.buffer(buffer).clone());
    let nodes = program.region(region).nodes.iter().skip_while(|node| **node != from);
    let mut rest: Vec<NodeId> = nodes.copied().collect();
    while let Some(node) = rest.pop() {
        let node = &mut split.nodes[node.0 as usize];
        node.accesses.iter_mut().filter(|access| access.buffer == buffer).for_each(|access| access.buffer = other);
        rest.extend(node.kind.bodies().into_iter().flat_map(|body| &program.region(body).nodes));
    }
    let edges = dependences(&split, region);
    let waits_anyway = Behind::of(&edges).path(wait.reader, wait.writer).is_some();
    let without = Chains::of(&split, region, &edges).longest;
    (without < with && !waits_anyway).then(|| finding(program, buffer, wait, (with, without)))
}

fn finding(program: &Program, buffer: BufferId, wait: &Wait, (with, without): (usize, usize)) -> Finding {
    let name = &program.buffer(buffer).name;
    let (reader, writer) = (&program.node(wait.reader).label, &program.node(wait.writer).label);
    let message = format!("`{writer}` waits for `{reader}` only to use `{name}` again");
    Finding::error(Code::NEEDLESS_WAIT, wait.write, message)
        .note_at(wait.read, format!("`{reader}` reads what was in `{name}` before"))
        .note(format!("{with} nodes run one after another here; with a second buffer {without}"))
        .help(format!(
            "declare another buffer, `let {name}_2: {};`, and use it from here on",
            declared(program, buffer)
        ))
        .warning()
}

#[cfg(test)]
mod tests {
    use super::super::advise;
    use crate::code::Code;
    use crate::model::Mode;
    use crate::testing::{Builder, overwrite, read, update};

    /// What is noted of two pairs of nodes that use a transient one after the other.
    fn told(name: &str, joined: bool, partial: bool, longer: bool) -> Vec<String> {
        let mut block = Builder::new("g");
        let length = block.symbol("n");
        let [x, y, from, to] = ["x", "y", "u", "v"].map(|name| block.parameter(name, Mode::Update, length));
        let t = block.transient(name, length);
        block.copy("a", read(x), overwrite(t));
        block.copy("b", read(t), overwrite(y));
        let again = if partial { overwrite(t).range(0, 2) } else { overwrite(t) };
        block.copy("c", read(if joined { y } else { from }), again);
        block.copy("d", read(t), overwrite(to));
        if longer {
            for _ in 0..4 {
                block.kernel("k", &[update(x)]);
            }
        }
        let found = advise(&block.finish()).into_iter().filter(|finding| finding.code == Code::NEEDLESS_WAIT);
        found.map(|finding| format!("{}: {}", finding.message, finding.notes[1].text)).collect()
    }

    #[test]
    fn a_second_use_that_could_run_beside_the_first_is_told() {
        let message =
            "`c` waits for `b` only to use `t` again: 4 nodes run one after another here; with a second buffer 2";
        assert_eq!(told("t", false, false, false), [message]);
    }

    #[test]
    fn one_that_has_to_wait_anyway_is_not() {
        assert_eq!(told("t", true, false, false), [""; 0], "it reads what the reader writes");
        assert_eq!(told("t", false, true, false), [""; 0], "the rest of the buffer stays");
        assert_eq!(told("t", false, false, true), [""; 0], "another chain is as long");
    }
}
