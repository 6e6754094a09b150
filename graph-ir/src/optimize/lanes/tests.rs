use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::analysis::{Reason, dependences, topological};
use crate::model::{LaunchAttributes, Mode, Place, Priority};
use crate::testing::{Builder, number, update};

/// Pairs of nodes by number.
type Pairs = BTreeSet<(u32, u32)>;

#[derive(Debug)]
pub(super) struct Case {
    pub(super) program: Program,
    pub(super) edges: Vec<Edge>,
    pub(super) order: Vec<NodeId>,
    pub(super) fusion: Fusion,
    pub(super) durations: Vec<u64>,
}

impl Case {
    fn of(program: Program, edges: &[Edge]) -> Self {
        let nodes = &program.region(RegionId::GRAPH).nodes;
        let edges = crate::optimize::reduce(&program, RegionId::GRAPH, edges);
        let (order, durations) = (topological(nodes, &edges).unwrap(), vec![1; nodes.len()]);
        Self { program, edges, order, fusion: Fusion::default(), durations }
    }

    pub(super) fn kernels(count: u32, pairs: &[(u32, u32)]) -> Self {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Read, number(1));
        for _ in 0..count {
            block.kernel("k", &[crate::testing::read(x)]);
        }
        let edge = |&(from, to)| Edge { from: NodeId(from), to: NodeId(to), reason: Reason::Effects };
        Self::of(block.finish(), &pairs.iter().map(edge).collect::<Vec<_>>())
    }

    pub(super) fn lay(&self, most: u32) -> Option<Laid> {
        self.lay_by(most, Urgency::LongestPath)
    }

    fn lay_by(&self, most: u32, urgency: Urgency) -> Option<Laid> {
        let durations = |node: NodeId| self.durations[node.0 as usize];
        let given =
            Given { order: &self.order, edges: &self.edges, fusion: &self.fusion, durations: &durations, urgency };
        lay(&self.program, RegionId::GRAPH, given, most)
    }
}

fn pairs(edges: &[Edge]) -> Vec<(u32, u32)> {
    edges.iter().map(|edge| (edge.from.0, edge.to.0)).collect()
}

/// By all ways.
fn closure(edges: &[Edge], count: u32) -> Pairs {
    let mut pairs: Pairs = pairs(edges).into_iter().collect();
    for middle in 0..count {
        let into: Vec<u32> = (0..count).filter(|from| pairs.contains(&(*from, middle))).collect();
        let out: Vec<u32> = (0..count).filter(|to| pairs.contains(&(middle, *to))).collect();
        pairs.extend(into.iter().flat_map(|from| out.iter().map(|to| (*from, *to))));
    }
    pairs
}

/// When each node begins if every one begins as soon as all that it waits for is over.
fn makespan(case: &Case, edges: &[Edge]) -> u64 {
    let order = topological(&case.program.region(RegionId::GRAPH).nodes, edges).unwrap();
    let mut over: BTreeMap<NodeId, u64> = BTreeMap::new();
    for node in order {
        let begin = edges.iter().filter(|edge| edge.to == node).map(|edge| over[&edge.from]).max().unwrap_or(0);
        over.insert(node, begin + case.durations[node.0 as usize]);
    }
    over.into_values().max().unwrap_or(0)
}

#[test]
fn nodes_that_wait_for_nothing_become_chains_in_turn() {
    let laid = Case::kernels(7, &[]).lay(3).unwrap();
    assert_eq!(pairs(&laid.edges), [(0, 3), (1, 4), (2, 5), (3, 6)]);
    assert_eq!((laid.lanes.count, laid.lanes.added, laid.lanes.implied), (3, 4, 0));
    assert_eq!(laid.lanes.of.iter().map(|(_, lane)| *lane).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2, 0]);
    assert!(laid.edges.iter().all(|edge| matches!(edge.reason, Reason::Lane { .. })));
}

#[test]
fn what_is_narrow_stays_as_it_is() {
    assert_eq!(Case::kernels(3, &[]).lay(3), None);
    assert_eq!(Case::kernels(6, &[(0, 2), (1, 3), (2, 4), (3, 5)]).lay(2), None);
}

#[test]
fn the_longest_path_goes_first_and_keeps_its_lane() {
    // 3 -> 4 -> 5 beside three single ones.
    let laid = Case::kernels(6, &[(3, 4), (4, 5)]).lay(2).unwrap();
    let lane = |node| laid.lanes.lane(NodeId(node)).unwrap();
    assert_eq!([lane(3), lane(4), lane(5)], [0; 3]);
    assert_eq!([lane(0), lane(1), lane(2)], [1; 3]);
    assert_eq!(pairs(&laid.edges), [(0, 1), (1, 2), (3, 4), (4, 5)]);
}

#[test]
fn as_written_what_has_begun_ends_first() {
    let case = Case::kernels(6, &[(0, 1), (2, 3), (4, 5)]);
    let of = |urgency| pairs(&case.lay_by(1, urgency).unwrap().edges);
    assert_eq!(of(Urgency::AsWritten), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    assert_eq!(of(Urgency::LongestPath), [(4, 1), (0, 2), (1, 3), (2, 4), (3, 5)]);
}

#[test]
fn durations_decide_how_much_a_lane_gets() {
    let mut case = Case::kernels(5, &[]);
    case.durations = vec![1, 1, 1, 4, 1];
    let laid = case.lay(2).unwrap();
    assert_eq!(laid.lanes.of, [(0, 1), (1, 1), (2, 1), (3, 0), (4, 1)].map(|(node, lane)| (NodeId(node), lane)));
    assert_eq!(makespan(&case, &laid.edges), 4);
}

#[test]
fn edges_of_the_block_that_lanes_imply_go() {
    // Two layers of four, each of the second behind all of the first.
    let all: Vec<_> = (0..4).flat_map(|from| (4..8).map(move |to| (from, to))).collect();
    let laid = Case::kernels(8, &all).lay(2).unwrap();
    assert_eq!(pairs(&laid.edges), [(0, 2), (1, 3), (2, 4), (3, 4), (2, 5), (3, 5), (4, 6), (5, 7)]);
    assert_eq!((laid.lanes.added, laid.lanes.implied), (4, 12));
}

#[test]
fn what_shares_a_launch_is_on_one_lane() {
    let mut case = Case::kernels(6, &[]);
    case.fusion.groups = vec![vec![NodeId(0), NodeId(3)], vec![NodeId(1), NodeId(4)]];
    let laid = case.lay(2).unwrap();
    let lane = |node| laid.lanes.lane(NodeId(node)).unwrap();
    assert_eq!((lane(0), lane(1)), (lane(3), lane(4)));
    assert_ne!(lane(0), lane(1));
    // All of a launch are waited for.
    assert_eq!(pairs(&laid.edges), [(0, 2), (3, 2), (1, 5), (4, 5)]);
}

/// A region of `count` kernels of which nobody knows anything, with `change` made to it.
fn changed(count: u32, change: impl FnOnce(&mut Builder, &[NodeId])) -> Case {
    let mut block = Builder::new("g");
    let buffers: Vec<_> = (0..count).map(|at| block.parameter(&format!("x{at}"), Mode::Update, number(1))).collect();
    let nodes: Vec<_> = buffers.iter().map(|buffer| block.kernel("k", &[update(*buffer)])).collect();
    change(&mut block, &nodes);
    let program = block.finish();
    let edges = dependences(&program, RegionId::GRAPH);
    Case::of(program, &edges)
}

#[test]
fn what_the_block_has_placed_gets_no_edge() {
    let attributes = |asked: LaunchAttributes| {
        changed(6, move |block, nodes| block.program().nodes[nodes[1].0 as usize].attributes = Some(Box::new(asked)))
    };
    let overlaps = attributes(LaunchAttributes { overlap: Some(Place(0)), ..LaunchAttributes::default() });
    let urgent = attributes(LaunchAttributes { priority: Some(Priority::High), ..LaunchAttributes::default() });
    for case in [overlaps, urgent] {
        let laid = case.lay(2).unwrap();
        assert_eq!(pairs(&laid.edges), [(0, 3), (2, 4), (3, 5)]);
        assert_eq!(laid.lanes.lane(NodeId(1)), None);
    }
    let explicit = changed(6, |block, _| block.explicit());
    assert_eq!(explicit.lay(2), None);
}

#[test]
fn nothing_that_meets_the_outside_waits_for_another_such_thing() {
    // Two such nodes, 3 and 8, of which neither waits for the other; three wait for 8.
    let mut case = Case::kernels(9, &[(8, 0), (8, 1), (8, 2)]);
    [3, 8].into_iter().for_each(|node: usize| case.program.nodes[node].effects = true);
    let before: Pairs = closure(&case.edges, 9);
    let laid = case.lay(2).unwrap();
    let after = closure(&laid.edges, 9);
    let meets = [3, 8];
    for one in meets {
        for other in meets {
            assert_eq!(before.contains(&(one, other)), after.contains(&(one, other)), "{one} {other}");
        }
        assert_eq!(laid.lanes.lane(NodeId(one)), None);
    }
    assert!(before.is_subset(&after) && after.len() > before.len());
}

fn random(count: u32) -> impl Strategy<Value = (Case, u32)> {
    let edges = proptest::collection::vec((0..count, 0..count), 0..(count as usize * 2));
    let durations = proptest::collection::vec(0_u64..9, count as usize);
    (edges, durations, 1_u32..6).prop_map(move |(edges, durations, most)| {
        let forward: Vec<_> = edges.into_iter().filter(|(from, to)| from < to).collect();
        let mut case = Case::kernels(count, &forward);
        case.durations = durations.into_iter().map(|one| one.max(1)).collect();
        (case, most)
    })
}

/// The shortest time that any order of the nodes on any lanes needs: nodes are taken in every topological order, each by every lane.
fn best(case: &Case, most: usize) -> u64 {
    fn go(case: &Case, over: &mut BTreeMap<NodeId, u64>, lanes: &mut Vec<u64>, best: &mut u64) {
        let nodes = &case.program.region(RegionId::GRAPH).nodes;
        if over.len() == nodes.len() {
            *best = (*best).min(over.values().copied().max().unwrap_or(0));
            return;
        }
        for node in nodes {
            let mut waits = case.edges.iter().filter(|edge| edge.to == *node).map(|edge| over.get(&edge.from).copied());
            if over.contains_key(node) || waits.clone().any(|over| over.is_none()) {
                continue;
            }
            let ready = waits.try_fold(0, |ready, over| Some(over?.max(ready))).unwrap_or(0);
            let tried: BTreeSet<u64> = lanes.iter().copied().collect();
            for free in tried {
                let lane = lanes.iter().position(|other| *other == free).unwrap();
                let end = free.max(ready) + case.durations[node.0 as usize];
                lanes[lane] = end;
                over.insert(*node, end);
                go(case, over, lanes, best);
                over.remove(node);
                lanes[lane] = free;
            }
        }
    }
    let mut shortest = u64::MAX;
    go(case, &mut BTreeMap::new(), &mut vec![0; most], &mut shortest);
    shortest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// The order is the block's and more, there is no cycle, and no more run at once than there are lanes.
    #[test]
    fn lanes_only_add_order((case, most) in random(24)) {
        let Some(laid) = case.lay(most) else { return Ok(()) };
        let (before, after) = (closure(&case.edges, 24), closure(&laid.edges, 24));
        prop_assert!(before.is_subset(&after));
        prop_assert!(after.iter().all(|(from, to)| from != to));
        prop_assert!(crate::analysis::width(&case.order, &laid.edges) <= most as usize);
        prop_assert!(laid.lanes.count <= most);
        let nodes = &case.program.region(RegionId::GRAPH).nodes;
        prop_assert_eq!(topological(nodes, &laid.edges), Ok(laid.order.clone()));
        prop_assert!(laid.edges.is_sorted_by_key(|edge| (edge.to, edge.from)));
        for lane in 0..laid.lanes.count {
            let on: Vec<u32> = laid.lanes.of.iter().filter(|(_, other)| *other == lane).map(|(node, _)| node.0).collect();
            for (at, one) in on.iter().enumerate() {
                let ordered = |other: &u32| after.contains(&(*one, *other)) || after.contains(&(*other, *one));
                prop_assert!(on[..at].iter().all(ordered));
            }
        }
        // What is left is needed.
        let ways = |edge: &Edge| laid.edges.iter().filter(|other| *other != edge).copied().collect::<Vec<_>>();
        prop_assert!(laid.edges.iter().all(|edge| !closure(&ways(edge), 24).contains(&(edge.from.0, edge.to.0))));
    }

    /// List scheduling takes at most 2 - 1/lanes times as long as the best there is (Graham 1969).
    #[test]
    fn no_schedule_is_twice_as_fast((case, most) in random(5)) {
        let Some(laid) = case.lay(most) else { return Ok(()) };
        let (found, best) = (makespan(&case, &laid.edges), best(&case, most as usize));
        prop_assert!(best <= found);
        prop_assert!(found * u64::from(most) <= best * (2 * u64::from(most) - 1), "{found} of {best} on {most}");
    }
}

#[test]
fn a_hundred_thousand_nodes_cost_no_more_than_their_logarithm() {
    let count = 100_000;
    let laid = Case::kernels(count, &[]).lay(UNKNOWN).unwrap();
    assert_eq!((laid.lanes.count, laid.edges.len()), (UNKNOWN, (count - UNKNOWN) as usize));
    assert!(laid.edges.iter().all(|edge| edge.to.0 == edge.from.0 + UNKNOWN));
}
