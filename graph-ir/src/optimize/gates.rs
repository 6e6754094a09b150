//! Gates: where each of several launches waits for each of several others, a kernel that does nothing stands between the two sides.
//!
//! What a driver does for a launch grows with its edges. So `n` launches and the `m` that each wait for all of them get one gate, which waits
//! for the first and is waited for by the others: `n + m` edges instead of `n · m`, and the same order between them. A gate takes a launch's
//! time on the longest chain, so there is one only where it takes the place of many edges.
//!
//! Such pairs of sides are found where launches wait for the same, or are waited for by the same, once those edges are left out that can be
//! in none: of a launch with few edges on that side. They need not be all that a launch waits for.

use rustc_hash::FxHashMap;

use super::Fusion;
use super::launches::Waits;
use crate::analysis::Edge;
use crate::model::NodeId;

/// A gate takes the place of at least as many edges for each that it has itself. Measured on an H200 with layers of equal
/// width: from twelve launches on none is slower, whatever they take.
const WORTH: usize = 6;

/// With fewer launches on a side, no number on the other is worth a gate.
const LEAST: usize = WORTH + 1;

/// Edges are looked at again without those that gates have taken the place of; not more often than that.
const ROUNDS: usize = 8;

/// Each of `behind` waits for each of `before`: for the gate in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The first node of each launch that the gate waits for, in order. None at the start.
    pub before: Vec<NodeId>,
    /// The first node of each launch that waits for it, in order.
    pub behind: Vec<NodeId>,
}

impl Gate {
    /// Whether it waits for nothing: it stands at the start.
    pub fn is_start(&self) -> bool {
        self.before.is_empty()
    }

    /// How many edges it takes the place of.
    pub fn spares(&self) -> usize {
        self.before.len() * self.behind.len()
    }

    /// How many it has.
    pub fn edges(&self) -> usize {
        self.before.len() + self.behind.len()
    }
}

/// The gates of a region, from its topological order. Launches are ordered with them as by the edges, which are sorted by the node that waits.
///
/// Costs nodes and edges, a few times. The same region comes out the same each time.
pub fn gates(order: &[NodeId], edges: &[Edge], fusion: &Fusion) -> Vec<Gate> {
    let mut gates = Vec::new();
    // Edges of those that wait for the same node lie side by side.
    if !edges.chunk_by(|one, other| one.to == other.to).any(|edges| edges.len() >= LEAST) {
        return gates;
    }
    let mut waits = Waits::of(order, edges, fusion);
    for _ in 0..ROUNDS {
        let core = waits.core();
        let found = [core.alike(), core.turned().alike().into_iter().map(Sides::turned).collect()];
        let [by_waits, by_waited] = &found;
        let best = if fewer(by_waits) >= fewer(by_waited) { by_waits } else { by_waited };
        if best.is_empty() {
            break;
        }
        best.iter().for_each(|sides| waits.leave_out(&sides.before, &sides.behind));
        let nodes = |side: &[u32]| side.iter().map(|at| order[*at as usize]).collect();
        gates.extend(best.iter().map(|sides| Gate { before: nodes(&sides.before), behind: nodes(&sides.behind) }));
    }
    gates.sort_by(|one, other| one.behind.cmp(&other.behind).then_with(|| one.before.cmp(&other.before)));
    gates
}

/// Positions in the order, ascending.
struct Sides {
    before: Vec<u32>,
    behind: Vec<u32>,
}

impl Sides {
    fn turned(self) -> Self {
        Self { before: self.behind, behind: self.before }
    }

    /// Edges without a gate, and with one.
    fn edges(&self) -> [usize; 2] {
        [self.before.len() * self.behind.len(), self.before.len() + self.behind.len()]
    }

    fn is_worth_it(&self) -> bool {
        let [without, with] = self.edges();
        without >= WORTH * with
    }
}

/// How many edges fewer there are.
fn fewer(found: &[Sides]) -> usize {
    found.iter().map(Sides::edges).map(|[without, with]| without - with).sum()
}

impl Waits {
    /// Who waits for each.
    fn turned(&self) -> Self {
        let mut turned = vec![Vec::new(); self.0.len()];
        for (to, list) in (0..).zip(&self.0) {
            list.iter().for_each(|from| turned[*from as usize].push(to));
        }
        Self(turned)
    }

    /// Without edges of launches that have too few on that side for any gate, until there are none.
    fn core(&self) -> Self {
        let sides = [&self.0, &self.turned().0];
        let mut left = sides.map(|side| side.iter().map(Vec::len).collect::<Vec<_>>());
        let mut out = sides.map(|side| vec![false; side.len()]);
        let all = 0..self.0.len() as u32;
        let mut open: Vec<(usize, u32)> = all.flat_map(|at| [(0, at), (1, at)]).collect();
        while let Some((side, at)) = open.pop() {
            if left[side][at as usize] >= LEAST || std::mem::replace(&mut out[side][at as usize], true) {
                continue;
            }
            for other in sides[side][at as usize].iter().filter(|other| !out[1 - side][**other as usize]) {
                left[1 - side][*other as usize] -= 1;
                open.push((1 - side, *other));
            }
        }
        let [waits, waited] = out;
        let kept = |from: &&u32| !waited[**from as usize];
        let list =
            |(list, out): (&Vec<u32>, bool)| if out { Vec::new() } else { list.iter().filter(kept).copied().collect() };
        Self(self.0.iter().zip(waits).map(list).collect())
    }

    /// Those that wait for the same, with that, where a gate is worth it.
    fn alike(&self) -> Vec<Sides> {
        let mut numbers: FxHashMap<&[u32], usize> = FxHashMap::default();
        let mut found: Vec<Sides> = Vec::new();
        for (at, list) in (0..).zip(&self.0).filter(|(_, list)| list.len() >= LEAST) {
            let number = *numbers.entry(list).or_insert(found.len());
            if number == found.len() {
                found.push(Sides { before: list.clone(), behind: Vec::new() });
            }
            found[number].behind.push(at);
        }
        found.retain(Sides::is_worth_it);
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;

    type Pairs = BTreeSet<(u32, u32)>;

    fn edges(pairs: &Pairs) -> Vec<Edge> {
        let mut edges: Vec<Edge> = pairs
            .iter()
            .map(|(from, to)| Edge { from: NodeId(*from), to: NodeId(*to), reason: Reason::Effects })
            .collect();
        edges.sort_by_key(|edge| (edge.to, edge.from));
        edges
    }

    fn found(count: u32, pairs: &Pairs, fusion: &Fusion) -> Vec<Gate> {
        let order: Vec<NodeId> = (0..count).map(NodeId).collect();
        gates(&order, &edges(pairs), fusion)
    }

    /// Each of these with each of those.
    fn all<T: IntoIterator<Item = u32> + Clone>(from: impl IntoIterator<Item = u32>, to: &T) -> Pairs {
        from.into_iter().flat_map(|from| to.clone().into_iter().map(move |to| (from, to))).collect()
    }

    fn sides(gate: &Gate) -> (Vec<u32>, Vec<u32>) {
        (gate.before.iter().map(|node| node.0).collect(), gate.behind.iter().map(|node| node.0).collect())
    }

    fn list(from: u32, to: u32) -> Vec<u32> {
        (from..to).collect()
    }

    /// Who comes behind whom over any way, with gates as further nodes.
    fn closure(count: u32, pairs: &Pairs, gates: &[Gate]) -> Pairs {
        let spared: Pairs = gates.iter().flat_map(|gate| all(sides(gate).0, &sides(gate).1)).collect();
        let mut all: Pairs = pairs.difference(&spared).copied().collect();
        for (gate, number) in gates.iter().zip(count..) {
            all.extend(sides(gate).0.into_iter().map(|from| (from, number)));
            all.extend(sides(gate).1.into_iter().map(|to| (number, to)));
        }
        let last = count + gates.len() as u32;
        for middle in 0..last {
            let into: Vec<u32> = (0..last).filter(|from| all.contains(&(*from, middle))).collect();
            let out: Vec<u32> = (0..last).filter(|to| all.contains(&(middle, *to))).collect();
            all.extend(into.iter().flat_map(|from| out.iter().map(|to| (*from, *to))));
        }
        all.into_iter().filter(|(from, to)| *from < count && *to < count).collect()
    }

    #[test]
    fn layers_get_a_gate_between_each_two() {
        let layer = |number: u32| 12 * number..12 * number + 12;
        let pairs = (0..3).flat_map(|number| all(layer(number), &layer(number + 1))).collect();
        let found = found(48, &pairs, &Fusion::default());
        let wanted: Vec<_> = (0..3).map(|number| (layer(number).collect(), layer(number + 1).collect())).collect();
        assert_eq!(found.iter().map(sides).collect::<Vec<(Vec<u32>, Vec<u32>)>>(), wanted);
        assert_eq!((found[0].spares(), found[0].edges()), (144, 24));
    }

    #[test]
    fn what_else_a_launch_waits_for_does_not_matter() {
        // Each of the second layer waits for one more, each of the first is waited for by one more.
        let mut pairs = all(12..24, &(24..36));
        pairs.extend((0..12).flat_map(|at| [(at, 24 + at), (12 + at, 36 + at)]));
        let found = found(48, &pairs, &Fusion::default());
        assert_eq!(found.iter().map(sides).collect::<Vec<_>>(), [(list(12, 24), list(24, 36))]);
    }

    #[test]
    fn one_side_may_wait_for_more_than_another() {
        let mut pairs = all(0..20, &(20..46));
        pairs.extend(all(20..32, &(32..46)));
        let found = found(46, &pairs, &Fusion::default());
        let found: Vec<_> = found.iter().map(sides).collect();
        assert_eq!(found, [(list(0, 20), list(20, 46)), (list(20, 32), list(32, 46))]);
    }

    #[test]
    fn few_edges_stay() {
        let none = Fusion::default();
        assert_eq!(found(22, &all(0..11, &(11..22)), &none), []);
        assert_eq!(found(40, &all(0..1, &(1..40)), &none), []);
        assert_eq!(found(200, &all(0..6, &(6..200)), &none), []);
        assert_eq!(found(24, &all(0..12, &(12..24)), &none).len(), 1);
        // A window that moves on: no two wait for the same.
        let moving: Pairs = (0..40).flat_map(|at| all(at..at + 16, &(60 + at..61 + at))).collect();
        assert_eq!(found(100, &moving, &none), []);
    }

    #[test]
    fn launches_are_counted_not_nodes() {
        // 0 and 1 share a launch, 13 and 14 too; the test of the loop does 26.
        let fusion = Fusion {
            groups: vec![vec![NodeId(0), NodeId(1)], vec![NodeId(13), NodeId(14)]],
            tail: vec![NodeId(26)],
            ..Fusion::default()
        };
        let found = found(27, &all(0..13, &(13..27)), &fusion);
        let [gate] = &found[..] else { panic!("{found:?}") };
        assert_eq!(sides(gate), ([vec![0], list(2, 13)].concat(), [vec![13], list(15, 26)].concat()));
    }

    /// Layers of any width with edges left out and put in at random.
    fn graphs() -> impl Strategy<Value = (u32, Pairs)> {
        let widths = proptest::collection::vec(1..20_u32, 1..4);
        (widths, proptest::collection::vec((0..50_u32, 0..50_u32, any::<bool>()), 0..12)).prop_map(
            |(widths, changes)| {
                let mut pairs = Pairs::new();
                let mut first = 0;
                for pair in widths.windows(2) {
                    pairs.extend(all(first..first + pair[0], &(first + pair[0]..first + pair[0] + pair[1])));
                    first += pair[0];
                }
                let count: u32 = widths.iter().sum();
                for (one, other, put) in changes {
                    let (from, to) = (one.min(other), one.max(other));
                    if put && from < to && to < count {
                        pairs.insert((from, to));
                    } else {
                        pairs.remove(&(from, to));
                    }
                }
                (count, pairs)
            },
        )
    }

    proptest! {
        #[test]
        fn gates_order_the_same_and_take_fewer_edges((count, pairs) in graphs()) {
            let gates = found(count, &pairs, &Fusion::default());
            prop_assert_eq!(closure(count, &pairs, &gates), closure(count, &pairs, &[]));
            let mut spared = Pairs::new();
            for gate in &gates {
                prop_assert!(gate.spares() >= WORTH * gate.edges());
                for pair in all(sides(gate).0, &sides(gate).1) {
                    prop_assert!(pairs.contains(&pair) && spared.insert(pair), "{:?} twice, or not there", pair);
                }
            }
        }

        #[test]
        fn what_is_left_has_no_two_that_wait_for_the_same_and_are_worth_a_gate((count, pairs) in graphs()) {
            let gates = found(count, &pairs, &Fusion::default());
            let spared: Pairs = gates.iter().flat_map(|gate| all(sides(gate).0, &sides(gate).1)).collect();
            let left: Pairs = pairs.difference(&spared).copied().collect();
            let mut alike: HashMap<Vec<u32>, usize> = HashMap::new();
            for node in 0..count {
                let waits: Vec<u32> = left.iter().filter(|(_, to)| *to == node).map(|(from, _)| *from).collect();
                *alike.entry(waits).or_default() += 1;
            }
            for (waits, count) in alike {
                prop_assert!(waits.len() * count < WORTH * (waits.len() + count), "{:?}, {} times", waits, count);
            }
        }
    }
}
