//! The buffers of a graph, with who uses them and for how long.

use std::collections::{BTreeSet, HashMap};

use super::{BufferData, GraphData};
use crate::model::{BufferId, Family, Memory, NodeId, NodeKind, Origin, Program, RegionId};

/// Who uses each buffer.
#[derive(Default)]
struct Uses {
    readers: BTreeSet<u32>,
    writers: BTreeSet<u32>,
}

/// The buffers of the bodies that are part of the graph, and their ids. A member of a list is part of the list where the list is not yet
/// taken apart.
pub(super) fn listed(program: &Program) -> Vec<BufferId> {
    let live: BTreeSet<RegionId> = program.live_regions().into_iter().collect();
    let shown = |id: &BufferId| {
        let buffer = program.buffer(*id);
        live.contains(&buffer.region) && !matches!(buffer.family, Family::Member { .. })
    };
    program.buffer_ids().filter(shown).collect()
}

/// What the data says of them: the nodes' accesses are there already.
pub(super) fn describe(program: &Program, ids: &[BufferId], data: &GraphData, nodes: &[NodeId]) -> Vec<BufferData> {
    let mut uses: Vec<Uses> = ids.iter().map(|_| Uses::default()).collect();
    for (at, node) in data.nodes.iter().enumerate() {
        for access in &node.accesses {
            let of = &mut uses[access.buffer as usize];
            if access.mode != "&out" {
                of.readers.insert(at as u32);
            }
            if access.mode != "&" {
                of.writers.insert(at as u32);
            }
        }
    }
    let live = Live::of(program, data, nodes);
    ids.iter().zip(uses).map(|(id, uses)| one(program, *id, uses, &live)).collect()
}

fn one(program: &Program, id: BufferId, uses: Uses, live: &Live<'_>) -> BufferData {
    let buffer = program.buffer(id);
    let (origin, mode) = match buffer.origin {
        Origin::Parameter(mode) => ("parameter", Some(mode.sigil().to_owned())),
        Origin::Transient => ("transient", None),
        Origin::Static(_) => ("static", None),
    };
    let used: BTreeSet<u32> = uses.readers.union(&uses.writers).copied().collect();
    BufferData {
        name: buffer.name.clone(),
        ty: format!("[{}; {}]", buffer.element, program.shape_text(&buffer.shape)),
        origin: origin.to_owned(),
        mode,
        memory: match buffer.memory {
            Memory::Device => "device",
            Memory::Host => "host",
            Memory::Mailbox => "mailbox",
        }
        .to_owned(),
        location: program.location(buffer.place).map(|spot| spot.to_string()),
        live: live.range(buffer.region, &used),
        readers: uses.readers.into_iter().collect(),
        writers: uses.writers.into_iter().collect(),
        bytes: None,
        offset: None,
        registers: None,
    }
}

/// From which node to which buffers are needed.
struct Live<'d> {
    data: &'d GraphData,
    /// By node: the last node inside it, itself if it has no body.
    last: Vec<u32>,
    /// By node: whether it is a loop.
    loops: Vec<bool>,
    /// By region of the program: its index.
    bodies: HashMap<RegionId, u32>,
}

impl<'d> Live<'d> {
    fn of(program: &Program, data: &'d GraphData, nodes: &[NodeId]) -> Self {
        let mut last: Vec<u32> = (0..nodes.len() as u32).collect();
        for (at, node) in data.nodes.iter().enumerate().rev() {
            let inner = node.bodies.iter().filter_map(|body| data.bodies[*body as usize].nodes.last());
            last[at] = inner.map(|inner| last[*inner as usize]).max().unwrap_or(at as u32).max(at as u32);
        }
        let loops = nodes.iter().map(|node| matches!(program.node(*node).kind, NodeKind::Loop(_))).collect();
        let mut bodies = HashMap::from([(RegionId::GRAPH, 0)]);
        for (node, id) in data.nodes.iter().zip(nodes) {
            bodies.extend(program.node(*id).kind.bodies().into_iter().zip(node.bodies.iter().copied()));
        }
        Self { data, last, loops, bodies }
    }

    fn range(&self, region: RegionId, used: &BTreeSet<u32>) -> Option<[u32; 2]> {
        let home = *self.bodies.get(&region)?;
        let spans = used.iter().map(|node| self.span(*node, home));
        spans.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
    }

    /// The outermost loop around a node that stands in the buffer's own body, or the node.
    fn span(&self, node: u32, home: u32) -> [u32; 2] {
        let mut span = [node, node];
        let mut at = node;
        loop {
            if self.loops[at as usize] {
                span = [at, self.last[at as usize]];
            }
            let body = self.data.nodes[at as usize].body;
            match self.data.bodies[body as usize].owner {
                Some(owner) if body != home => at = owner,
                _ => return span,
            }
        }
    }
}
