//! The longest chain of waits.

use super::GraphData;

/// The indices of its nodes, in order. A conditional stands in front of the longest chain of one pass of one of its bodies.
pub(super) fn longest(data: &GraphData) -> Vec<u32> {
    let mut waits = vec![Vec::new(); data.nodes.len()];
    for edge in &data.edges {
        waits[edge.to as usize].push(edge.from);
    }
    let mut chains = Chains { data, waits, inside: vec![0; data.nodes.len()], ends: vec![(0, None); data.nodes.len()] };
    // Bodies stand behind what they belong to.
    (0..data.bodies.len()).rev().for_each(|body| chains.measure(body));
    let mut path = Vec::new();
    chains.collect(0, &mut path);
    path
}

struct Chains<'d> {
    data: &'d GraphData,
    /// By node: those that it waits for.
    waits: Vec<Vec<u32>>,
    /// By node: the nodes of the longest chain in one of its bodies.
    inside: Vec<u32>,
    /// By node: the nodes of the longest chain that ends with it, and which stands in front of it there.
    ends: Vec<(u32, Option<u32>)>,
}

impl Chains<'_> {
    fn measure(&mut self, body: usize) {
        let mut longest = 0;
        for &node in &self.data.bodies[body].nodes {
            let before = self.waits[node as usize].iter().map(|from| (self.ends[*from as usize].0, *from));
            let before = before.max_by_key(|(length, from)| (*length, std::cmp::Reverse(*from)));
            let length = before.map_or(0, |(length, _)| length) + 1 + self.inside[node as usize];
            self.ends[node as usize] = (length, before.map(|(_, from)| from));
            longest = longest.max(length);
        }
        if let Some(owner) = self.data.bodies[body].owner {
            self.inside[owner as usize] = self.inside[owner as usize].max(longest);
        }
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
            if let Some(body) = bodies.iter().max_by_key(|body| (length(body), std::cmp::Reverse(**body))) {
                self.collect(*body, path);
            }
        }
    }
}
