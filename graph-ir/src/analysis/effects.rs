//! The accesses of a node as its region sees them.
//!
//! A conditional is one node: it accesses what its test and any of its bodies access, except the transients that live inside those
//! bodies, which nobody outside can name.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::model::{Access, Mode, Node, NodeId, NodeKind, ObjectId, Program, RegionId};

/// The effective accesses of a node: its own, and for a conditional those of its bodies.
///
/// Equal accesses in bodies are named once, by the first place in text order.
pub fn accesses(program: &Program, node: NodeId) -> Cow<'_, [Access]> {
    let node = program.node(node);
    if node.kind.event().is_some() {
        return fencing(node).collect();
    }
    let bodies = node.kind.bodies();
    if bodies.is_empty() {
        return Cow::Borrowed(&node.accesses);
    }
    let mut inside = HashSet::new();
    let mut all = node.accesses.clone();
    for body in bodies {
        visit(program, body, &mut inside, &mut all);
    }
    let mut seen = HashSet::new();
    all.retain(|access| {
        let outlives = !inside.contains(&program.buffer(access.buffer).region);
        outlives && seen.insert((access.buffer, access.mode, access.footprint))
    });
    Cow::Owned(all)
}

/// Of a fence: what uses the buffer stays on its side, reads too.
fn fencing(node: &Node) -> impl Iterator<Item = Access> {
    node.accesses.iter().map(|access| Access { mode: Mode::Update, ..*access })
}

fn visit(program: &Program, region: RegionId, inside: &mut HashSet<RegionId>, all: &mut Vec<Access>) {
    inside.insert(region);
    for node in &program.region(region).nodes {
        let node = program.node(*node);
        match node.kind.event() {
            Some(_) => all.extend(fencing(node)),
            None => all.extend_from_slice(&node.accesses),
        }
        for body in node.kind.bodies() {
            visit(program, body, inside, all);
        }
    }
}

/// The objects that the node, or one inside it, uses alone: events too.
pub fn exclusive_objects(program: &Program, node: NodeId) -> Vec<ObjectId> {
    let mut objects = match &program.node(node).kind {
        NodeKind::Host(call) | NodeKind::Capture(call) => call.exclusive.clone(),
        NodeKind::Graph(call) => call.exclusive.clone(),
        kind => kind.event().into_iter().collect(),
    };
    for body in program.node(node).kind.bodies() {
        objects.extend(program.region(body).nodes.iter().flat_map(|node| exclusive_objects(program, *node)));
    }
    objects.sort_unstable();
    objects.dedup();
    objects
}

/// Whether nothing of the region may pass the node: a `record` or `wait` that names no buffer.
pub fn is_fence(program: &Program, node: NodeId) -> bool {
    fence(program, node).is_some()
}

/// What makes it one.
pub(crate) fn fence(program: &Program, node: NodeId) -> Option<&Node> {
    event(program, node, &|node| node.accesses.is_empty())
}

/// Such a `record` or `wait` that the node is, or that is in it: the host may put it in the node's place.
pub(crate) fn event<'p>(program: &'p Program, node: NodeId, such: &dyn Fn(&Node) -> bool) -> Option<&'p Node> {
    let node = program.node(node);
    if node.kind.event().is_some() {
        return such(node).then_some(node);
    }
    let mut inside = node.kind.bodies().into_iter().flat_map(|body| &program.region(body).nodes);
    inside.find_map(|node| event(program, *node, such))
}

/// Whether the node, or one inside it, keeps its order among the nodes with effects.
pub fn has_effects(program: &Program, node: NodeId) -> bool {
    let inside = |body: RegionId| program.region(body).nodes.iter().any(|node| has_effects(program, *node));
    let node: &Node = program.node(node);
    node.effects || node.kind.bodies().into_iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, Head, Use, number, overwrite, read, update};

    #[test]
    fn a_conditional_accesses_what_its_bodies_do_but_not_their_transients() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let c = block.parameter("c", Mode::Read, number(1));
        let outer = block.when(&[read(c)], |block| {
            let t = block.transient("t", number(4));
            block.kernel("a", &[overwrite(t)]);
            block.repeat(Head::forever(Some(&[read(c)])).limit(number(3)), |block| {
                let inner = block.kernel("b", &[read(t), update(x)]);
                block.effects(inner);
                block.kernel("b again", &[update(x)]);
            });
        });
        let program = block.finish();
        let found: Vec<_> = accesses(&program, outer).iter().map(|access| (access.buffer, access.mode)).collect();
        assert_eq!(found, [(c, Mode::Read), (x, Mode::Update)]);
        assert!(has_effects(&program, outer));
    }

    #[test]
    fn a_fence_in_what_the_host_decides_is_one_around_it() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let wait = |block: &mut Builder, uses: &[Use]| block.node("wait", NodeKind::Wait(ObjectId(0)), uses);
        let all = block.each("passes", |block, _| {
            wait(block, &[]);
            Vec::new()
        });
        let some = block.host_if("late", |block| wait(block, &[read(x)]), |_| ());
        let program = block.finish();
        assert_eq!([all, some].map(|node| is_fence(&program, node)), [true, false]);
        let modes = |node| accesses(&program, node).iter().map(|access| access.mode).collect::<Vec<_>>();
        assert_eq!((modes(all), modes(some)), (vec![], vec![Mode::Update]), "nothing that uses `x` passes, reads too");
    }

    #[test]
    fn a_kernel_accesses_its_arguments() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let node = block.kernel("k", &[read(x).range(0, 2), update(x).range(2, 4)]);
        let program = block.finish();
        assert_eq!(*accesses(&program, node), program.node(node).accesses[..]);
        assert!(!has_effects(&program, node));
    }
}
