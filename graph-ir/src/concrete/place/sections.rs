//! Sections of passes and of graphs inside the graph: each time anew.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{Instance, InstanceId, Placer, Target, WRITTEN};
use crate::concrete::{FrameId, Missing};
use crate::model::{LinkedGraph, NodeId, RegionId, SectionId};

/// What sections as written are in each instance.
#[derive(Default)]
pub(super) struct Placed {
    known: FxHashMap<(InstanceId, SectionId), SectionId>,
    /// Where each instance puts what it makes itself.
    made: FxHashMap<InstanceId, SectionId>,
}

impl Placer<'_> {
    /// The section around the passes of a node: what is in no one pass alone is ordered by what it accesses.
    pub(super) fn passes_section(&mut self, node: NodeId, at: InstanceId) -> SectionId {
        let around = self.section(self.source.node(node).section, at);
        if self.is_explicit { self.program.add_section(around, false, Some(node)) } else { around }
    }

    /// One pass of what a node makes, in the section that [`Self::passes_section`] made.
    pub(super) fn enter_pass(
        &mut self,
        node: NodeId,
        outer: &Instance,
        (frame, number): (FrameId, usize),
        passes: SectionId,
    ) -> InstanceId {
        let numbers = outer.passes.iter().copied().chain([number as u32]).collect();
        let (calls, prefix) = (outer.calls.clone(), outer.prefix.clone());
        self.instances.push(Instance { frame, passes: numbers, calls, prefix });
        let pass = self.instances.len() as InstanceId - 1;
        let written = self.source.node(node).section;
        self.begin((pass, written), passes, None);
        pass
    }

    /// The sections of a graph that a node names.
    pub(super) fn enter_graph(&mut self, node: NodeId, graph: &LinkedGraph, (at, inner): (InstanceId, InstanceId)) {
        let around = self.section(self.source.node(node).section, at);
        self.begin((inner, graph.statements), around, Some(node));
    }

    /// Gives an instance sections of its own, in the place of `statements` as written and of the one around that.
    fn begin(&mut self, (at, statements): (InstanceId, SectionId), around: SectionId, owner: Option<NodeId>) {
        if !self.is_explicit {
            return;
        }
        let own = self.program.add_sections(around, self.source.is_explicit(statements), owner);
        self.sections.made.insert(at, own.made);
        self.sections.known.insert((at, statements), own.statements);
        if let Some(made) = self.source.around_section(statements) {
            self.sections.known.insert((at, made), own.made);
        }
    }

    /// Appends the nodes of the arm that the host takes, in sections of their own.
    pub(super) fn arm(&mut self, id: NodeId, arm: RegionId, into: Target<'_>, at: InstanceId) -> Result<(), Missing> {
        if !self.is_explicit {
            return self.region(arm, into, at);
        }
        let written = self.source.node(id).section;
        let around = self.section(written, at);
        let keys: Vec<_> = std::iter::once(written).chain(self.source.around_section(written)).collect();
        let outer: Vec<_> = keys.iter().map(|key| self.sections.known.get(&(at, *key)).copied()).collect();
        let made = self.sections.made.get(&at).copied();
        self.begin((at, written), around, Some(id));
        self.region(arm, into, at)?;
        for (key, outer) in keys.into_iter().zip(outer) {
            set(&mut self.sections.known, (at, key), outer);
        }
        set(&mut self.sections.made, at, made);
        Ok(())
    }

    /// The section of what an instance makes itself: copies of what `swap` left elsewhere.
    pub(super) fn made_section(&self, at: InstanceId) -> SectionId {
        self.sections.made.get(&at).copied().unwrap_or(SectionId::MADE)
    }

    /// What a section as written is in an instance.
    pub(super) fn section(&mut self, written: SectionId, at: InstanceId) -> SectionId {
        if !self.is_explicit {
            return written;
        }
        if let Some(known) = self.sections.known.get(&(at, written)) {
            return *known;
        }
        if at == WRITTEN {
            return written;
        }
        let Some(around) = self.source.around_section(written) else { return written };
        let around = self.section(around, at);
        let own = self.program.add_section(around, self.source.is_explicit(written), None);
        self.sections.known.insert((at, written), own);
        own
    }
}

/// Gives a key this value, or none.
fn set<K: Eq + Hash, V>(map: &mut FxHashMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => _ = map.insert(key, value),
        None => _ = map.remove(&key),
    }
}
