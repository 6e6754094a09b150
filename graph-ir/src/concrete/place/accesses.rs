//! Which buffers a node's accesses mean: those of lists are known by what the evaluator made of their names.

use super::{InstanceId, Placer};
use crate::concrete::{FrameId, ListedBuffer, Missing, SymbolValue, missing};
use crate::model::{
    Access, Argument, BufferId, Family, Footprint, Node, NodeId, NodeKind, RegionId, SymbolId, Verdict,
};
use crate::rules::alias;

impl Placer<'_> {
    /// The buffers that are meant. A list that is passed whole is an access for each of its buffers.
    pub(super) fn accesses(&mut self, node: &mut Node, at: InstanceId) -> Result<(), Missing> {
        let lists = |access: &Access| self.is_list(access, at);
        if matches!(node.kind, NodeKind::Compute(_)) {
            return self.elements(node, at);
        }
        let NodeKind::Kernel(launch) = &mut node.kind else {
            return node.accesses.iter_mut().try_for_each(|access| self.access(access, (at, false)));
        };
        if !node.accesses.iter().any(lists) {
            return node.accesses.iter_mut().try_for_each(|access| self.access(access, (at, false)));
        }
        let written = std::mem::take(&mut node.accesses);
        let mut arguments = launch.arguments.to_vec();
        for argument in &mut arguments {
            let Argument::Buffer(index) = *argument else { continue };
            let (first, access) = (node.accesses.len() as u32, written[index as usize]);
            if let Some(list) = self.whole_list(&access, at) {
                let buffers = list.iter().filter_map(|buffer| self.listed.get(buffer).copied());
                node.accesses.extend(buffers.map(|buffer| {
                    let footprint = Footprint::whole(self.program.buffer(buffer).shape);
                    Access { buffer, footprint, ..access }
                }));
                *argument = Argument::List { first, count: node.accesses.len() as u32 - first };
            } else {
                let mut access = access;
                self.access(&mut access, (at, false))?;
                node.accesses.push(access);
                *argument = Argument::Buffer(first);
            }
        }
        launch.arguments = arguments.into();
        Ok(())
    }

    /// The elements of a kernel in the block. That its indices do not meet was seen for the buffers as they are written: two that are
    /// written differently must be two, unless both are read.
    fn elements(&mut self, node: &mut Node, at: InstanceId) -> Result<(), Missing> {
        let written: Vec<BufferId> = node.accesses.iter().map(|access| access.buffer).collect();
        node.accesses.iter_mut().try_for_each(|access| self.access(access, (at, true)))?;
        let accesses = node.accesses.iter().zip(&written).enumerate();
        for (index, (later, as_written)) in accesses {
            let twin = |(earlier, other): &(&Access, &BufferId)| {
                let same = earlier.buffer == later.buffer && *other != as_written;
                let apart = || earlier.footprint.disjoint(&later.footprint) == Verdict::Proved;
                same && earlier.mode.conflicts_with(later.mode) && !apart()
            };
            if let Some((earlier, other)) = node.accesses[..index].iter().zip(&written).find(twin) {
                let names = [*other, *as_written].map(|buffer| self.source.buffer(buffer).name.as_str());
                let meant = &self.program.buffer(later.buffer).name;
                self.findings.push(alias::in_a_body(names, meant, later.place, earlier.place));
                break;
            }
        }
        Ok(())
    }

    /// Whether an access names a list as a whole.
    fn is_list(&self, access: &Access, at: InstanceId) -> bool {
        matches!(self.member(access, at), Some((_, SymbolValue::List { .. } | SymbolValue::Scattered)))
    }

    /// The buffers of the list that an access names as a whole.
    fn whole_list(&self, access: &Access, at: InstanceId) -> Option<Vec<ListedBuffer>> {
        match self.member(access, at)? {
            (_, SymbolValue::List { first, count }) => Some((0..count).map(|number| first.behind(number)).collect()),
            (symbol, SymbolValue::Scattered) => Some(self.values.scattered(self.instances[at as usize].frame, symbol)),
            _ => None,
        }
    }

    /// What an access to a part of a list came to.
    pub(super) fn member(&self, access: &Access, at: InstanceId) -> Option<(SymbolId, SymbolValue)> {
        let Family::Member { symbol, .. } = self.source.buffer(access.buffer).family else { return None };
        Some((symbol, self.values.value(self.instances[at as usize].frame, symbol)?))
    }

    /// The buffer that is meant, and all of it where no part was written.
    pub(super) fn access(&mut self, access: &mut Access, (at, counts): (InstanceId, bool)) -> Result<(), Missing> {
        let Family::Member { symbol, .. } = self.source.buffer(access.buffer).family else {
            let stand = self.stands_for(access.buffer);
            return self.stand_in(stand, access, (at, counts));
        };
        let frame = self.instances[at as usize].frame;
        let found = match self.values.value(frame, symbol) {
            Some(SymbolValue::Buffer(listed)) => self.listed.get(&listed),
            _ => None,
        };
        let found = found.ok_or_else(|| missing(&self.source.symbols, frame, symbol, "a buffer of a list"))?;
        access.buffer = *found;
        if !access.ranged {
            access.footprint = Footprint::whole(self.program.buffer(*found).shape);
        }
        Ok(())
    }

    /// Copies to the buffers of lists what `swap` left elsewhere.
    pub(super) fn give_back(&mut self, frame: FrameId, into: RegionId, at: InstanceId) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for (from, to) in self.values.given_back(frame) {
            let (Some(from), Some(to)) = (self.listed.get(&from).copied(), self.listed.get(&to).copied()) else {
                continue;
            };
            let id = NodeId(self.program.nodes.len() as u32);
            let mut node = Node::copy_back(self.program.buffer(to), from, to);
            node.label = format!("{}{}", self.instances[at as usize].prefix, node.label).into();
            node.region = into;
            node.section = self.made_section(at);
            self.program.nodes.push(node);
            self.nodes.push((at, id));
            nodes.push(id);
        }
        nodes
    }
}
