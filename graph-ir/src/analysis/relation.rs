//! What order, if any, two nodes run in.

use std::collections::{HashMap, VecDeque};

use super::{Edge, Edges};
use crate::model::{NodeId, Program, RegionId};

/// How two nodes stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are one node.
    Same,
    /// One stands in a body of the other.
    Within {
        /// The conditional.
        outer: NodeId,
        /// What stands in it.
        inner: NodeId,
    },
    /// They stand in different bodies of an `if` or a `match`, of which at most one runs.
    Apart {
        /// That conditional.
        of: NodeId,
    },
    /// One waits for the other, over the fewest edges: the first one starts at the node that runs first, each starts where the one in
    /// front of it ends. Where a node stands in bodies that the other is not in, the conditional around it is named in its place.
    Ordered {
        /// The edges; at least one.
        chain: Vec<Edge>,
        /// Whether the second node runs first.
        turned: bool,
    },
    /// Nothing orders these two: the nodes, or the conditionals around them in the innermost body that has both.
    Unordered {
        /// The first one, and the second one.
        nodes: [NodeId; 2],
    },
}

/// How `first` and `second` stand to each other, by the edges of every live region.
pub fn relation(program: &Program, edges: &Edges, first: NodeId, second: NodeId) -> Relation {
    if first == second {
        return Relation::Same;
    }
    let (ones, others) = (around(program, first), around(program, second));
    let common = ones.iter().zip(&others).take_while(|(one, other)| one == other).count();
    let (region, nodes) = match (ones.get(common), others.get(common)) {
        (Some((region, one)), Some((other_region, other))) if region == other_region => (*region, [*one, *other]),
        (None, _) => return Relation::Within { outer: first, inner: second },
        (_, None) => return Relation::Within { outer: second, inner: first },
        _ => return Relation::Apart { of: ones[common - 1].1 },
    };
    let edges = edges.get(&region).map_or(&[][..], Vec::as_slice);
    if let Some(chain) = shortest(edges, nodes[0], nodes[1]) {
        return Relation::Ordered { chain, turned: false };
    }
    match shortest(edges, nodes[1], nodes[0]) {
        Some(chain) => Relation::Ordered { chain, turned: true },
        None => Relation::Unordered { nodes },
    }
}

/// The node and the conditionals around it, outermost first, each with its region.
fn around(program: &Program, node: NodeId) -> Vec<(RegionId, NodeId)> {
    let mut all = Vec::new();
    let mut at = Some(node);
    while let Some(node) = at {
        let region = program.node(node).region;
        all.push((region, node));
        at = program.region(region).owner;
    }
    all.reverse();
    all
}

/// The fewest edges from one node to another.
fn shortest(edges: &[Edge], from: NodeId, to: NodeId) -> Option<Vec<Edge>> {
    let mut behind: HashMap<NodeId, Vec<&Edge>> = HashMap::new();
    edges.iter().for_each(|edge| behind.entry(edge.from).or_default().push(edge));
    let mut reached: HashMap<NodeId, &Edge> = HashMap::new();
    let mut next = VecDeque::from([from]);
    while let Some(node) = next.pop_front() {
        if node == to {
            break;
        }
        for &edge in behind.get(&node).into_iter().flatten() {
            if edge.to != from && !reached.contains_key(&edge.to) {
                reached.insert(edge.to, edge);
                next.push_back(edge.to);
            }
        }
    }
    let mut chain = Vec::new();
    let mut at = to;
    while at != from {
        let edge = **reached.get(&at)?;
        chain.push(edge);
        at = edge.from;
    }
    chain.reverse();
    Some(chain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{Reason, dependences_of_all};
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read, update};

    #[test]
    fn bodies_stand_for_what_is_in_them() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let y = block.parameter("y", Mode::Update, number(8));
        let first = block.kernel("first", &[update(x)]);
        let (mut then, mut otherwise) = (None, None);
        let test = block.when_else(
            &[read(y)],
            |block| then = Some(block.kernel("then", &[update(x)])),
            |block| otherwise = Some(block.kernel("else", &[update(x)])),
        );
        let free = block.kernel("free", &[read(y)]);
        let last = block.kernel("last", &[overwrite(y)]);
        let program = block.finish();
        let (then, otherwise) = (then.unwrap(), otherwise.unwrap());
        let edges = dependences_of_all(&program);
        let of = |one, other| relation(&program, &edges, one, other);
        let pairs = |relation| match relation {
            Relation::Ordered { chain, turned } => (chain.iter().map(|edge| (edge.from, edge.to)).collect(), turned),
            other => panic!("{other:?}"),
        };
        assert_eq!(pairs(of(first, then)), (vec![(first, test)], false));
        assert_eq!(pairs(of(last, first)), (vec![(first, test), (test, last)], true));
        assert_eq!(of(then, otherwise), Relation::Apart { of: test });
        assert_eq!(of(then, test), Relation::Within { outer: test, inner: then });
        assert_eq!(of(otherwise, free), Relation::Unordered { nodes: [test, free] });
        assert_eq!(of(free, free), Relation::Same);
    }

    proptest! {
        #[test]
        fn a_chain_is_as_long_as_the_distance(pairs in prop::collection::vec((0..9_u32, 0..9_u32), 0..20)) {
            let edge = |(one, other): &(u32, u32)| {
                let (from, to) = (NodeId(*one.min(other)), NodeId(*one.max(other)));
                (from != to).then_some(Edge { from, to, reason: Reason::Effects })
            };
            let edges: Vec<Edge> = pairs.iter().filter_map(edge).collect();
            // Distances by relaxing every edge as often as there are nodes.
            for from in 0..9 {
                let mut far = [u32::MAX; 9];
                far[from] = 0;
                for _ in 0..9 {
                    for edge in &edges {
                        let through = far[edge.from.0 as usize].saturating_add(1);
                        far[edge.to.0 as usize] = far[edge.to.0 as usize].min(through);
                    }
                }
                for to in (0..9).filter(|to| *to != from) {
                    let chain = shortest(&edges, NodeId(from as u32), NodeId(to as u32));
                    prop_assert_eq!(chain.as_ref().map(|chain| chain.len() as u32), (far[to] != u32::MAX).then_some(far[to]));
                    let chain = chain.unwrap_or_default();
                    prop_assert!(chain.windows(2).all(|pair| pair[0].to == pair[1].from));
                    prop_assert!(chain.iter().all(|edge| edges.contains(edge)));
                }
            }
        }
    }
}
