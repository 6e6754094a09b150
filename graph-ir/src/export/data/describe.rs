//! From a program and its edges to the data.

use std::collections::HashMap;

use super::{
    AccessData, Amount, BodyData, Described, EdgeData, GraphData, NodeData, ReasonData, SCHEMA, buffers, path,
};
use crate::analysis::{Edge, Edges, Reason, reasons, topological, width};
use crate::export::{body_title, reason_text};
use crate::model::{
    Access, BufferId, Dimensions, Extent, Family, Footprint, NodeId, NodeKind, Program, Range, RegionId,
};

/// The graph as data: the symbolic outline or the concrete plan, as for [`dot`](crate::export::dot).
pub fn describe(program: &Program, edges: &Edges) -> Described {
    let buffers = buffers::listed(program);
    let numbers = buffers.iter().enumerate().map(|(at, id)| (*id, at as u32)).collect();
    let data = GraphData {
        schema: SCHEMA,
        name: program.name.clone(),
        nodes: Vec::new(),
        bodies: Vec::new(),
        edges: Vec::new(),
        buffers: Vec::new(),
        longest_path: Vec::new(),
        width: 0,
        launched: None,
        arena: None,
        passes: Vec::new(),
        measured: None,
    };
    let mut writer = Writer { program, edges, buffers: numbers, numbers: HashMap::new(), nodes: Vec::new(), data };
    writer.body(RegionId::GRAPH, None);
    writer.edges();
    let (mut data, nodes) = (writer.data, writer.nodes);
    data.buffers = buffers::describe(program, &buffers, &data, &nodes);
    data.longest_path = path::longest(&data);
    Described { data, nodes, buffers }
}

struct Writer<'p> {
    program: &'p Program,
    edges: &'p Edges,
    buffers: HashMap<BufferId, u32>,
    numbers: HashMap<NodeId, u32>,
    nodes: Vec<NodeId>,
    data: GraphData,
}

impl Writer<'_> {
    /// Adds a body and what is in it, and returns its number.
    fn body(&mut self, region: RegionId, owner: Option<NodeId>) -> u32 {
        let title = owner.map_or_else(
            || self.program.name.clone(),
            |owner| body_title(self.program, region, self.program.node(owner)),
        );
        let number = self.data.bodies.len() as u32;
        let owner = owner.map(|owner| self.numbers[&owner]);
        self.data.bodies.push(BodyData { title, owner, nodes: Vec::new() });
        let nodes = &self.program.region(region).nodes;
        let edges = self.edges.get(&region).map_or(&[][..], Vec::as_slice);
        self.data.width = self.data.width.max(width(nodes, edges) as u32);
        for node in topological(nodes, edges).unwrap_or_else(|_| nodes.clone()) {
            let at = self.node(node, number);
            self.data.bodies[number as usize].nodes.push(at);
        }
        number
    }

    fn node(&mut self, id: NodeId, body: u32) -> u32 {
        let number = self.data.nodes.len() as u32;
        let data = self.described(id, body);
        self.numbers.insert(id, number);
        self.nodes.push(id);
        self.data.nodes.push(data);
        for inner in self.program.node(id).kind.bodies() {
            let inner = self.body(inner, Some(id));
            self.data.nodes[number as usize].bodies.push(inner);
        }
        number
    }

    /// Without its bodies.
    fn described(&self, id: NodeId, body: u32) -> NodeData {
        let node = self.program.node(id);
        let mut data = NodeData {
            label: node.label.to_string(),
            kind: node.kind.word().to_owned(),
            body,
            location: self.program.location(node.place).map(|spot| spot.to_string()),
            optional: node.optional,
            ..NodeData::default()
        };
        match &node.kind {
            NodeKind::Kernel(launch) => {
                (data.grid, data.block) = (self.sizes(&launch.grid), self.sizes(&launch.block));
                data.shared_bytes = launch.shared.map(|bytes| self.amount(bytes));
            }
            NodeKind::Loop(head) => {
                data.limit = head.limit.map(|limit| self.amount(limit));
                data.every = (head.every > 1).then_some(head.every);
            }
            _ => {}
        }
        for access in &node.accesses {
            let access = self.access(access);
            if !data.accesses.contains(&access) {
                data.accesses.push(access);
            }
        }
        data
    }

    fn amount(&self, extent: Extent) -> Amount {
        match extent {
            Extent::Known(value) => Amount::Known(value),
            Extent::Symbol(symbol) => Amount::Expression(self.program.symbol(symbol).text.clone()),
        }
    }

    fn sizes(&self, dimensions: &Dimensions) -> Vec<Amount> {
        match dimensions.symbol {
            Some(symbol) => vec![Amount::Expression(self.program.symbol(symbol).text.clone())],
            None => dimensions.sizes.iter().map(|size| self.amount(*size)).collect(),
        }
    }

    fn access(&self, access: &Access) -> AccessData {
        let buffer = self.program.buffer(access.buffer);
        let whole = access.footprint == Footprint::whole(buffer.shape);
        let elements = (!whole).then(|| self.footprint(&access.footprint));
        // A member of a list that is not taken apart is shown as the list, and which it is in the place of the elements.
        let member = matches!(buffer.family, Family::Member { .. }).then(|| buffer.name.clone());
        AccessData {
            buffer: self.buffers[&self.program.family(access.buffer)],
            mode: access.mode.sigil().to_owned(),
            elements: match (member, elements) {
                (Some(member), Some(elements)) => Some(format!("{member}[{elements}]")),
                (member, elements) => member.or(elements),
            },
        }
    }

    /// `0..4`, `(0..4, 2..8)`.
    fn footprint(&self, footprint: &Footprint) -> String {
        let text = |extent| self.program.extent_text(extent);
        let range = |range: &Range| format!("{}..{}", text(range.start), text(range.end));
        let ranges: Vec<String> = footprint.ranges().iter().map(range).collect();
        match &ranges[..] {
            [range] => range.clone(),
            ranges => format!("({})", ranges.join(", ")),
        }
    }

    fn edges(&mut self) {
        for region in self.program.live_regions() {
            let edges = self.edges.get(&region).into_iter().flatten();
            let edges: Vec<EdgeData> = edges.map(|edge| self.edge(edge)).collect();
            self.data.edges.extend(edges);
        }
    }

    /// The reason that the edge has comes first.
    fn edge(&self, edge: &Edge) -> EdgeData {
        let mut found: Vec<ReasonData> = Vec::new();
        for reason in std::iter::once(edge.reason).chain(reasons(self.program, edge.from, edge.to)) {
            let reason = self.reason(edge.from, &reason);
            if !found.contains(&reason) {
                found.push(reason);
            }
        }
        EdgeData { from: self.numbers[&edge.from], to: self.numbers[&edge.to], reasons: found, overlap: false }
    }

    fn reason(&self, from: NodeId, reason: &Reason) -> ReasonData {
        let buffer = match reason {
            Reason::Hazard { buffer, .. } => Some(self.buffers[&self.program.family(*buffer)]),
            _ => None,
        };
        ReasonData { kind: word(reason).to_owned(), buffer, text: reason_text(self.program, from, reason) }
    }
}

fn word(reason: &Reason) -> &'static str {
    match reason {
        Reason::Hazard { kind, .. } => kind.short(),
        Reason::After { .. } => "after",
        Reason::Effects => "effects",
        Reason::Object { .. } => "object",
        Reason::Fence { .. } => "fence",
        Reason::Lane { .. } => "lane",
    }
}
