//! Puts what the host decided in its place: arms that are taken, passes that are made.
//!
//! The walk is in text order and keeps, for each buffer of the symbolic program, the one that it stands for now: a transient of a
//! `for` body is another in each pass, and what a pass swaps stays swapped. What is written once stays where it is, with its id;
//! each pass is a copy with ids of its own.

mod accesses;
mod call;
mod each;
mod part;
mod sections;

use part::Stand;
use rustc_hash::FxHashMap;
use sections::Placed;

use super::{FrameId, Instance, ListedBuffer, Missing, SymbolValue, Values, missing};
use crate::finding::Finding;
use crate::model::{
    Access, After, Buffer, BufferId, Extent, Family, Footprint, Mode, Node, NodeId, NodeKind, ObjectId, Origin,
    Program, Region, RegionId, RegionKind, SectionId, SymbolId, SymbolOrigin,
};
use crate::rules::swap;

/// Index into [`Placer::instances`].
type InstanceId = u32;

/// A region, and the nodes that it has so far.
type Target<'t> = (RegionId, &'t mut Vec<NodeId>);

/// The graph as written.
const WRITTEN: InstanceId = 0;

pub(super) struct Placer<'v> {
    pub(super) program: Program,
    source: &'v Program,
    values: &'v dyn Values,
    pub(super) instances: Vec<Instance>,
    /// By node id: what it is an instance of.
    pub(super) nodes: Vec<(InstanceId, NodeId)>,
    /// By buffer id.
    pub(super) buffers: Vec<(InstanceId, BufferId)>,
    /// By buffer id: the number of what is bound to it.
    pub(super) bound: Vec<Option<u32>>,
    pub(super) findings: Vec<Finding>,
    /// What the buffers of lists have become.
    pub(super) listed: FxHashMap<ListedBuffer, BufferId>,
    /// Whether there are lists.
    has_lists: bool,
    /// By region id: the transients of each body.
    transients: Vec<Vec<BufferId>>,
    /// What a buffer stands for, where that is another one.
    stands: FxHashMap<BufferId, Stand>,
    /// Each exchange: the buffer, and what it stood for before.
    exchanged: Vec<(BufferId, Stand)>,
    /// `static` buffers of graphs inside this one: one for each time that the evaluator ran such a graph.
    statics: FxHashMap<(FrameId, BufferId), BufferId>,
    sections: Placed,
    /// Whether some order is left to `after`.
    is_explicit: bool,
    /// What the objects of graphs inside this one are.
    objects: FxHashMap<ObjectId, ObjectId>,
    /// Whether an `after` names nodes.
    has_afters: bool,
    /// What stands in the place of each decided node, and of each node of a pass, if an `after` may ask for it.
    replaced: FxHashMap<(InstanceId, NodeId), Vec<NodeId>>,
    /// Memory for the label that is being made.
    label: String,
    /// Orders that were written on nodes that were replaced, on what replaced them.
    inherited: Vec<(NodeId, InstanceId, After)>,
}

impl<'v> Placer<'v> {
    pub(super) fn new(source: &'v Program, values: &'v dyn Values) -> Self {
        let written = Instance::default();
        let mut transients = vec![Vec::new(); source.regions.len()];
        for buffer in source.buffer_ids().filter(|buffer| source.buffer(*buffer).origin == Origin::Transient) {
            transients[source.buffer(buffer).region.0 as usize].push(buffer);
        }
        let has_lists = source.buffers.iter().any(|buffer| buffer.family != Family::Single);
        Self {
            bound: Vec::new(),
            listed: FxHashMap::default(),
            has_lists,
            program: source.clone(),
            source,
            values,
            instances: vec![written],
            nodes: (0..source.nodes.len() as u32).map(|node| (WRITTEN, NodeId(node))).collect(),
            buffers: source.buffer_ids().map(|buffer| (WRITTEN, buffer)).collect(),
            findings: Vec::new(),
            transients,
            stands: FxHashMap::default(),
            exchanged: Vec::new(),
            statics: FxHashMap::default(),
            sections: Placed::default(),
            is_explicit: source.has_explicit(),
            objects: FxHashMap::default(),
            has_afters: source.nodes.iter().any(|node| !node.after.is_empty()),
            replaced: FxHashMap::default(),
            label: String::new(),
            inherited: Vec::new(),
        }
    }

    pub(super) fn graph(&mut self) -> Result<(), Missing> {
        self.bind();
        let mut nodes = Vec::new();
        self.region(RegionId::GRAPH, (RegionId::GRAPH, &mut nodes), WRITTEN)?;
        self.program.regions[0].nodes = nodes;
        if !self.exchanged.is_empty() {
            self.restore();
        }
        let given_back = self.give_back(FrameId::GRAPH, RegionId::GRAPH, WRITTEN);
        self.program.regions[0].nodes.extend(given_back);
        if self.has_afters {
            self.redirect_afters();
        }
        Ok(())
    }

    /// The parameters' buffers: those of lists are appended, and the lists themselves are no buffers any more.
    fn bind(&mut self) {
        let count = self.source.parameters().count() as u32;
        let bound = self.values.bound();
        self.bound = vec![None; self.source.buffers.len()];
        if bound.is_empty() {
            (0..count).for_each(|number| self.bound[number as usize] = Some(number));
        }
        for (number, found) in bound.into_iter().enumerate() {
            let number = number as u32;
            let declared = self.source.buffer(found.parameter);
            if declared.family == Family::Single {
                self.bound[found.parameter.0 as usize] = Some(number);
                continue;
            }
            let mut buffer = declared.clone();
            (buffer.name, buffer.memory, buffer.family) = (found.name, found.memory, Family::Single);
            if buffer.shape.line().is_some_and(|size| differs(self.source, size)) {
                buffer.shape = Extent::Known(found.length).into();
            }
            self.append(buffer, ListedBuffer::Bound(number), (WRITTEN, found.parameter), Some(number));
        }
        if self.has_lists || !self.source.graphs.is_empty() {
            self.bury();
        }
    }

    fn append(&mut self, buffer: Buffer, listed: ListedBuffer, origin: (InstanceId, BufferId), bound: Option<u32>) {
        self.listed.insert(listed, BufferId(self.program.buffers.len() as u32));
        self.program.buffers.push(buffer);
        self.buffers.push(origin);
        self.bound.push(bound);
    }

    /// Lists, what was written for their members, and all buffers of graphs inside this one belong to a region that is no part of the
    /// graph.
    fn bury(&mut self) {
        let nowhere = RegionId(self.program.regions.len() as u32);
        let place = self.program.regions[0].place;
        self.program.regions.push(Region { kind: RegionKind::Pass, owner: None, nodes: Vec::new(), place });
        for (buffer, written) in self.program.buffers.iter_mut().zip(&self.source.buffers) {
            if written.family != Family::Single {
                (buffer.region, buffer.origin) = (nowhere, Origin::Transient);
            }
        }
        for id in self.source.graphs.iter().flat_map(crate::model::LinkedGraph::buffer_ids) {
            let buffer = &mut self.program.buffers[id.0 as usize];
            (buffer.region, buffer.origin) = (nowhere, Origin::Transient);
        }
    }

    /// Appends what the nodes of a body become, as part of the region `into`.
    fn region(&mut self, body: RegionId, (into, placed): Target<'_>, at: InstanceId) -> Result<(), Missing> {
        let source = self.source;
        self.declare(body, into, at);
        for node in &source.region(body).nodes {
            let begin = placed.len();
            if !self.decided(*node, (into, placed), at)? {
                placed.push(self.node(*node, into, at)?);
            } else if self.has_afters {
                self.inherit(*node, at, &placed[begin..]);
                self.replaced.insert((at, *node), placed[begin..].to_vec());
            }
        }
        Ok(())
    }

    /// Appends what stands in the place of a node if the host decides that; says whether it does.
    fn decided(&mut self, id: NodeId, (into, placed): Target<'_>, at: InstanceId) -> Result<bool, Missing> {
        let source = self.source;
        let arm = match &source.node(id).kind {
            NodeKind::HostIf { condition, then, otherwise } => {
                if self.flag(*condition, at)? {
                    Some(*then)
                } else {
                    *otherwise
                }
            }
            NodeKind::HostMatch { choice, arms } => arms.get(self.choice(*choice, at)?).copied(),
            NodeKind::For { body, swapped } => {
                self.passes(id, (*body, swapped), (into, placed), at)?;
                None
            }
            NodeKind::Graph(call) => {
                placed.extend(self.call(id, call, into, at)?);
                None
            }
            _ => return Ok(false),
        };
        if let Some(arm) = arm {
            self.arm(id, arm, (into, placed), at)?;
        }
        Ok(true)
    }

    fn flag(&self, symbol: SymbolId, at: InstanceId) -> Result<bool, Missing> {
        let frame = self.instances[at as usize].frame;
        match self.values.value(frame, symbol) {
            Some(SymbolValue::Flag(flag)) => Ok(flag),
            _ => Err(missing(&self.source.symbols, frame, symbol, "a condition")),
        }
    }

    fn choice(&self, symbol: SymbolId, at: InstanceId) -> Result<usize, Missing> {
        let frame = self.instances[at as usize].frame;
        match self.values.value(frame, symbol) {
            Some(SymbolValue::Choice(arm)) => Ok(arm as usize),
            _ => Err(missing(&self.source.symbols, frame, symbol, "the choice of an arm")),
        }
    }

    fn passes(
        &mut self,
        id: NodeId,
        (body, swapped): (RegionId, &[(BufferId, BufferId)]),
        (into, placed): Target<'_>,
        at: InstanceId,
    ) -> Result<(), Missing> {
        let outer = self.instances[at as usize].clone();
        let section = self.passes_section(id, at);
        for (number, frame) in self.values.passes(outer.frame, id).into_iter().enumerate() {
            let pass = self.enter_pass(id, &outer, (frame, number), section);
            self.region(body, (into, placed), pass)?;
            self.exchange(swapped);
        }
        Ok(())
    }

    /// The transients of a body that becomes part of `into`: another one for each pass.
    fn declare(&mut self, body: RegionId, into: RegionId, at: InstanceId) {
        for index in 0..self.transients[body.0 as usize].len() {
            let id = self.transients[body.0 as usize][index];
            match self.source.buffer(id).family {
                Family::Single => {}
                Family::List => {
                    self.declare_list(id, into, at);
                    continue;
                }
                Family::Member { .. } => continue,
            }
            if at == WRITTEN {
                self.program.buffers[id.0 as usize].region = into;
                continue;
            }
            let mut buffer = self.source.buffer(id).clone();
            buffer.region = into;
            self.stands.insert(id, Stand::whole(BufferId(self.program.buffers.len() as u32)));
            self.program.buffers.push(buffer);
            self.buffers.push((at, id));
            self.bound.push(None);
        }
    }

    fn declare_list(&mut self, list: BufferId, into: RegionId, at: InstanceId) {
        let frame = self.instances[at as usize].frame;
        let Some((first, count)) = self.values.listed(frame, list) else { return };
        for index in 0..count {
            let mut buffer = self.source.buffer(list).clone();
            buffer.name = format!("{}[{index}]", buffer.name);
            (buffer.region, buffer.family) = (into, Family::Single);
            self.append(buffer, ListedBuffer::Transient(first + index), (at, list), None);
        }
    }

    fn stands_for(&self, buffer: BufferId) -> Stand {
        self.stands.get(&buffer).copied().unwrap_or(Stand::whole(buffer))
    }

    fn exchange(&mut self, swapped: &[(BufferId, BufferId)]) {
        let now: Vec<_> = swapped.iter().map(|(_, to)| self.stands_for(*to)).collect();
        for ((from, _), now) in swapped.iter().zip(now) {
            self.exchanged.push((*from, self.stands_for(*from)));
            self.stands.insert(*from, now);
        }
    }

    /// A node that is part of the graph as it is: in its place, or the copy for a pass.
    fn node(&mut self, id: NodeId, into: RegionId, at: InstanceId) -> Result<NodeId, Missing> {
        let own = if at == WRITTEN {
            let section = self.section(self.source.node(id).section, at);
            let node = &mut self.program.nodes[id.0 as usize];
            (node.region, node.section) = (into, section);
            if self.has_lists || !self.stands.is_empty() {
                let mut node = node.clone();
                self.accesses(&mut node, at)?;
                self.program.nodes[id.0 as usize] = node;
            }
            id
        } else {
            let own = NodeId(self.program.nodes.len() as u32);
            let mut node = self.copy(id, into, at);
            self.accesses(&mut node, at)?;
            self.program.nodes.push(node);
            self.nodes.push((at, id));
            if self.has_afters {
                self.replaced.insert((at, id), vec![own]);
            }
            own
        };
        if self.source.node(id).kind.has_bodies() {
            let mut node = self.program.node(own).clone();
            self.bodies(own, &mut node, at)?;
            self.program.nodes[own.0 as usize] = node;
        }
        Ok(own)
    }

    fn copy(&mut self, id: NodeId, into: RegionId, at: InstanceId) -> Node {
        let mut node = self.source.node(id).clone();
        node.section = self.section(node.section, at);
        node.label = self.instances[at as usize].write_label(&node.label, &mut self.label);
        node.region = into;
        self.rename_objects(&mut node.kind);
        node
    }

    /// Copies back to each parameter what passes left elsewhere.
    fn restore(&mut self) {
        let source = self.source;
        self.program.regions[0].nodes.retain(|node| !source.restores.contains(node));
        let single = |buffer: &Buffer| buffer.family == Family::Single && matches!(buffer.origin, Origin::Parameter(_));
        let parameters = source.parameters().filter(|id| single(source.buffer(*id)));
        for parameter in parameters {
            let written = source.restores.iter().map(|node| &source.node(*node).accesses);
            let named = written.filter(|pair| pair[1].buffer == parameter).map(|pair| pair[0].buffer).next();
            let left = self.stands_for(named.unwrap_or(parameter));
            let left = left.buffer;
            if left == parameter {
                continue;
            }
            let (declared, other) = (source.buffer(parameter), self.program.buffer(left));
            if matches!(other.origin, Origin::Parameter(_)) {
                self.findings.push(swap::parameters(&declared.name, &other.name, declared.place));
                return;
            }
            self.copy_back(left, parameter);
        }
    }

    fn copy_back(&mut self, from: BufferId, to: BufferId) {
        let id = NodeId(self.program.nodes.len() as u32);
        self.program.nodes.push(Node::copy_back(self.source.buffer(to), from, to));
        self.nodes.push((WRITTEN, id));
        self.program.regions[0].nodes.push(id);
    }

    /// An order that was written on a node is on what replaces it.
    fn inherit(&mut self, node: NodeId, at: InstanceId, nodes: &[NodeId]) {
        for after in &self.source.node(node).after {
            self.inherited.extend(nodes.iter().map(|inner| (*inner, at, *after)));
        }
    }

    /// One that names such a node waits for what replaced it.
    fn redirect_afters(&mut self) {
        let mut inherited = std::mem::take(&mut self.inherited);
        inherited.sort_by_key(|(node, ..)| *node);
        let mut inherited = inherited.into_iter().peekable();
        for index in 0..self.program.nodes.len() {
            let (at, _) = self.nodes[index];
            let written = std::mem::take(&mut self.program.nodes[index].after);
            let mut redirected = Vec::new();
            for after in written {
                self.redirect(after, at, &mut Vec::new(), &mut redirected);
            }
            while let Some((_, at, after)) = inherited.next_if(|(node, ..)| node.0 as usize == index) {
                self.redirect(after, at, &mut Vec::new(), &mut redirected);
            }
            self.program.nodes[index].after = redirected;
        }
    }

    /// What left nothing behind passes on what it waited for itself.
    fn redirect(&self, after: After, at: InstanceId, passed: &mut Vec<NodeId>, into: &mut Vec<After>) {
        let mut push = |target: NodeId| {
            if !into.iter().any(|known| known.target == target) {
                into.push(After { target, place: after.place });
            }
        };
        match self.replaced.get(&(at, after.target)) {
            None => push(after.target),
            Some(nodes) if !nodes.is_empty() => nodes.iter().for_each(|node| push(*node)),
            Some(_) if passed.contains(&after.target) => {}
            Some(_) => {
                passed.push(after.target);
                for inherited in &self.source.node(after.target).after {
                    self.redirect(After { target: inherited.target, place: after.place }, at, passed, into);
                }
            }
        }
    }
}

/// Whether a list's buffers have lengths of their own.
fn differs(program: &Program, size: Extent) -> bool {
    matches!(size, Extent::Symbol(symbol) if program.symbol(symbol).origin == SymbolOrigin::EachLength)
}

impl Node {
    /// Copies what lies in `from` to the parameter `to`.
    pub fn copy_back(parameter: &Buffer, from: BufferId, to: BufferId) -> Self {
        let access = |buffer, mode| Access {
            buffer,
            mode,
            footprint: Footprint::whole(parameter.shape),
            ranged: false,
            place: parameter.place,
            view: None,
        };
        Self {
            label: format!("copy {}", parameter.name).into(),
            labelled: false,
            region: RegionId::GRAPH,
            section: SectionId::MADE,
            kind: NodeKind::Copy,
            accesses: vec![access(from, Mode::Read), access(to, Mode::Overwrite)],
            after: Vec::new(),
            optional: false,
            effects: false,
            attributes: None,
            place: parameter.place,
        }
    }
}
