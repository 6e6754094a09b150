//! What order, if any, two nodes run in.

use super::path::Behind;
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
    let behind = Behind::of(edges.get(&region).into_iter().flatten());
    if let Some(chain) = behind.path(nodes[0], nodes[1]) {
        return Relation::Ordered { chain, turned: false };
    }
    match behind.path(nodes[1], nodes[0]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences_of_all;
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
}
