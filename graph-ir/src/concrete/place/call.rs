//! Graphs inside the graph: their nodes in the place of the one that names them, over the buffers that it passes.

use super::{InstanceId, Placer, Stand};
use crate::concrete::{FrameId, Instance, Missing, SymbolValue};
use crate::model::{
    Access, BufferId, Family, GraphCall, LinkedGraph, Node, NodeId, NodeKind, ObjectId, Origin, RegionId,
};
use crate::rules;

impl Placer<'_> {
    /// What the nodes of the graph that a node names become.
    pub(super) fn call(
        &mut self,
        id: NodeId,
        call: &GraphCall,
        into: RegionId,
        at: InstanceId,
    ) -> Result<Vec<NodeId>, Missing> {
        let source = self.source;
        let outer = self.instances[at as usize].clone();
        let graph = source.graphs.get(call.graph as usize);
        let frame = self.values.passes(outer.frame, id).first().copied();
        let (Some(graph), Some(frame)) = (graph, frame) else { return Ok(Vec::new()) };
        let mut node = source.node(id).clone();
        let whole: Vec<bool> = node.accesses.iter().map(|access| self.is_whole(access.buffer, at)).collect();
        let mut all = whole.iter();
        node.accesses.retain(|_| all.next() == Some(&false));
        for access in &mut node.accesses {
            self.access(access, (at, false))?;
            let mut footprint = access.footprint;
            self.know(&mut footprint, at)?;
            access.footprint = footprint;
        }
        self.findings.extend(rules::twins(&self.program, &node));
        let parameters = call.parameters.iter().zip(&whole).filter(|(_, whole)| !**whole).map(|(name, _)| name);
        let inner = self.enter(&node, outer, frame, id);
        self.enter_graph(id, graph, (at, inner));
        for (access, parameter) in node.accesses.iter().zip(parameters) {
            let named = |one: &BufferId| source.buffer(*one).name == *parameter;
            let Some(one) = graph.parameter_ids().find(named) else { continue };
            if source.buffer(one).family == Family::Single {
                let stand = self.stand(one, access, (at, inner))?;
                self.stands.insert(one, stand);
            }
        }
        self.pass_objects(graph, call);
        self.own_statics(graph, frame, inner);
        let before = self.exchanged.len();
        let mut nodes = Vec::new();
        self.region(graph.body, (into, &mut nodes), inner)?;
        let exchanged = self.exchanged.split_off(before);
        let mut nodes = match &exchanged[..] {
            [] => nodes,
            exchanged => self.restore_inside(graph, nodes, exchanged, (into, inner))?,
        };
        nodes.extend(self.give_back(frame, into, inner));
        Ok(nodes)
    }

    /// Whether what is passed is a list or a struct, whose buffers the graph's own evaluator names.
    fn is_whole(&self, buffer: BufferId, at: InstanceId) -> bool {
        let Family::Member { symbol, .. } = self.source.buffer(buffer).family else { return false };
        let frame = self.instances[at as usize].frame;
        self.values.value(frame, symbol) == Some(SymbolValue::Other)
    }

    fn enter(&mut self, node: &Node, outer: Instance, frame: FrameId, id: NodeId) -> InstanceId {
        let prefix = format!("{}/", outer.label(&node.label));
        let mut calls = outer.calls;
        calls.push((id, outer.passes));
        self.instances.push(Instance { frame, passes: Vec::new(), calls, prefix });
        self.instances.len() as InstanceId - 1
    }

    fn pass_objects(&mut self, graph: &LinkedGraph, call: &GraphCall) {
        for object in graph.object_ids() {
            let name = &self.source.object(object).name;
            let passed = call.objects.iter().find(|(parameter, _)| parameter == name);
            if let Some((_, passed)) = passed {
                let passed = self.object(*passed);
                self.objects.insert(object, passed);
            }
        }
    }

    fn object(&self, object: ObjectId) -> ObjectId {
        self.objects.get(&object).copied().unwrap_or(object)
    }

    /// Makes a node of a graph inside use the objects that it was passed.
    pub(super) fn rename_objects(&self, kind: &mut NodeKind) {
        let rename = |object: &mut ObjectId| *object = self.object(*object);
        match kind {
            NodeKind::Host(call) | NodeKind::Capture(call) => call.exclusive.iter_mut().for_each(rename),
            NodeKind::Record(event) | NodeKind::Wait(event) => rename(event),
            _ => {}
        }
    }

    /// The graph's `static` buffers: those of this run of its evaluator, which a loop's passes share.
    fn own_statics(&mut self, graph: &LinkedGraph, frame: FrameId, at: InstanceId) {
        for id in graph.buffer_ids().filter(|id| matches!(self.source.buffer(*id).origin, Origin::Static(_))) {
            let next = BufferId(self.program.buffers.len() as u32);
            let own = *self.statics.entry((frame, id)).or_insert(next);
            if own == next {
                let mut buffer = self.source.buffer(id).clone();
                buffer.name = format!("{}{}", self.instances[at as usize].prefix, buffer.name);
                buffer.region = RegionId::GRAPH;
                self.program.buffers.push(buffer);
                self.buffers.push((at, id));
                self.bound.push(None);
            }
            self.stands.insert(id, Stand::whole(own));
        }
    }

    /// Copies back to each parameter of the graph what passes left elsewhere, in place of the copies that were written.
    fn restore_inside(
        &mut self,
        graph: &LinkedGraph,
        mut nodes: Vec<NodeId>,
        exchanged: &[(BufferId, Stand)],
        (into, at): (RegionId, InstanceId),
    ) -> Result<Vec<NodeId>, Missing> {
        let source = self.source;
        nodes.retain(|node| !graph.restores.contains(&self.nodes[node.0 as usize].1));
        let single = |id: &BufferId| source.buffer(*id).family == Family::Single;
        let home = |this: &Self, parameter: BufferId| {
            let first = exchanged.iter().find(|(buffer, _)| *buffer == parameter);
            first.map_or_else(|| this.stands_for(parameter), |(_, stood)| *stood)
        };
        let homes: Vec<_> = graph.parameter_ids().filter(single).map(|id| (id, home(self, id))).collect();
        for (parameter, home) in &homes {
            let written = graph.restores.iter().map(|node| &source.node(*node).accesses);
            let named = written.filter(|pair| pair[1].buffer == *parameter).map(|pair| pair[0].buffer).next();
            let left = self.stands_for(named.unwrap_or(*parameter));
            if left == *home {
                continue;
            }
            if let Some((other, _)) = homes.iter().find(|(_, home)| *home == left) {
                let (declared, other) = (source.buffer(*parameter), source.buffer(*other));
                self.findings.push(rules::swap::parameters(&declared.name, &other.name, declared.place));
                break;
            }
            nodes.push(self.copy_home(*parameter, (left, *home), (into, at))?);
        }
        Ok(nodes)
    }

    fn copy_home(
        &mut self,
        parameter: BufferId,
        (left, home): (Stand, Stand),
        (into, at): (RegionId, InstanceId),
    ) -> Result<NodeId, Missing> {
        let id = NodeId(self.program.nodes.len() as u32);
        let mut node = Node::copy_back(self.source.buffer(parameter), parameter, parameter);
        node.label = self.instances[at as usize].label(&node.label);
        node.region = into;
        node.section = self.made_section(at);
        let [from, to] = &mut node.accesses[..] else { return Ok(id) };
        let stand = |this: &mut Self, stand: Stand, access: &mut Access| this.stand_in(stand, access, (at, false));
        stand(self, left, from)?;
        stand(self, home, to)?;
        self.program.nodes.push(node);
        self.nodes.push((at, id));
        Ok(id)
    }
}
