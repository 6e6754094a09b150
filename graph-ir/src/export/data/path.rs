//! The longest chain of waits: in nodes, or in time.

use super::GraphData;

/// The indices of the nodes of the longest chain, in order. A conditional stands in front of the longest chain of one pass of one of its
/// bodies.
pub(super) fn longest(data: &GraphData) -> Vec<u32> {
    Chains::of(data, &vec![1; data.nodes.len()], Bodies::Longest).path()
}

/// The chain that takes longest, and how long, where each node takes so long by itself. All bodies of a conditional count, since each has
/// only the time of the runs that chose it.
pub(super) fn critical(data: &GraphData, own: &[u64]) -> (Vec<u32>, u64) {
    let chains = Chains::of(data, own, Bodies::All);
    let length = chains.end(0).map_or(0, |end| chains.ends[end as usize].0);
    (chains.path(), length)
}

/// Which bodies of a conditional count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Longest,
    All,
}

struct Chains<'d> {
    data: &'d GraphData,
    bodies: Bodies,
    /// By node: those that it waits for.
    waits: Vec<Vec<u32>>,
    /// By node: the length of the longest chain in its bodies.
    inside: Vec<u64>,
    /// By node: the length of the longest chain that ends with it, and which stands in front of it there.
    ends: Vec<(u64, Option<u32>)>,
}

impl<'d> Chains<'d> {
    fn of(data: &'d GraphData, own: &[u64], bodies: Bodies) -> Self {
        let mut waits = vec![Vec::new(); data.nodes.len()];
        for edge in &data.edges {
            waits[edge.to as usize].push(edge.from);
        }
        let (inside, ends) = (vec![0; data.nodes.len()], vec![(0, None); data.nodes.len()]);
        let mut chains = Self { data, bodies, waits, inside, ends };
        // Bodies stand behind what they belong to.
        (0..data.bodies.len()).rev().for_each(|body| chains.measure(body, own));
        chains
    }

    fn measure(&mut self, body: usize, own: &[u64]) {
        let mut longest = 0;
        for &node in &self.data.bodies[body].nodes {
            let before = self.waits[node as usize].iter().map(|from| (self.ends[*from as usize].0, *from));
            let before = before.max_by_key(|(length, from)| (*length, std::cmp::Reverse(*from)));
            let length = before.map_or(0, |(length, _)| length) + own[node as usize] + self.inside[node as usize];
            self.ends[node as usize] = (length, before.map(|(_, from)| from));
            longest = longest.max(length);
        }
        if let Some(owner) = self.data.bodies[body].owner {
            let inside = &mut self.inside[owner as usize];
            *inside = if self.bodies == Bodies::All { *inside + longest } else { longest.max(*inside) };
        }
    }

    fn path(&self) -> Vec<u32> {
        let mut path = Vec::new();
        self.collect(0, &mut path);
        path
    }

    /// The last node of a body's longest chain.
    fn end(&self, body: u32) -> Option<u32> {
        let nodes = &self.data.bodies[body as usize].nodes;
        nodes.iter().copied().max_by_key(|node| (self.ends[*node as usize].0, std::cmp::Reverse(*node)))
    }

    fn collect(&self, body: u32, path: &mut Vec<u32>) {
        let mut chain: Vec<u32> = std::iter::successors(self.end(body), |node| self.ends[*node as usize].1).collect();
        chain.reverse();
        for node in chain {
            path.push(node);
            let length = |body: &u32| self.end(*body).map_or(0, |end| self.ends[end as usize].0);
            let bodies = &self.data.nodes[node as usize].bodies;
            if self.bodies == Bodies::All {
                bodies.iter().for_each(|body| self.collect(*body, path));
            } else if let Some(body) = bodies.iter().max_by_key(|body| (length(body), std::cmp::Reverse(**body))) {
                self.collect(*body, path);
            }
        }
    }
}
