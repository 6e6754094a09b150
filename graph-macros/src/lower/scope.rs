//! Names of buffers and host values, by block.

use graph_ir::model::{BufferId, NodeId, ObjectId, Place, RegionId};
use proc_macro2::Ident;
use rustc_hash::FxHashMap;

/// Tells bindings of one name apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BindingId(u32);

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) id: BindingId,
    pub(crate) place: Place,
    pub(crate) kind: BindingKind,
}

#[derive(Clone, Debug)]
pub(crate) enum BindingKind {
    /// A host value: a parameter, a length name or a `let`.
    Host,
    Buffer(BufferName),
    /// A parameter that is an object of the host's or an event.
    Object(ObjectId),
    /// The condition of a `while |c|`.
    Condition(NodeId),
}

/// A buffer's name; `swap` changes what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct BufferName {
    /// What the name stands for now.
    pub(crate) current: BufferId,
    /// What it stood for when it was declared.
    pub(crate) declared: BufferId,
    pub(crate) region: RegionId,
    pub(crate) dropped: Option<Place>,
    /// How many indices lead to a buffer: 0 for one buffer.
    pub(crate) lists: usize,
    /// Fields lead on from there.
    pub(crate) structure: bool,
}

/// A transient whose block has ended.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// The keyword of the block that it belonged to.
    pub(crate) word: &'static str,
}

/// All names that are visible, innermost block last.
#[derive(Default)]
pub(crate) struct Scopes {
    levels: Vec<FxHashMap<String, Binding>>,
    ended: Vec<Ended>,
    next: u32,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.levels.push(FxHashMap::default());
    }

    /// Ends the innermost block; its transients are remembered for messages.
    pub(crate) fn leave(&mut self, word: &'static str) {
        let Some(level) = self.levels.pop() else { return };
        let mut ended: Vec<Ended> = level
            .into_iter()
            .filter(|(_, binding)| matches!(binding.kind, BindingKind::Buffer(_)))
            .map(|(name, binding)| Ended { name, place: binding.place, word })
            .collect();
        ended.sort_by(|a, b| a.name.cmp(&b.name));
        self.ended.extend(ended);
    }

    /// Whether the innermost block is the graph's own body, in the block of its parameters.
    pub(crate) fn is_outermost(&self) -> bool {
        self.levels.len() <= 2
    }

    /// A fresh binding id.
    pub(crate) fn fresh(&mut self) -> BindingId {
        self.next += 1;
        BindingId(self.next)
    }

    /// Declares a name in the innermost block. Returns what it hides there.
    pub(crate) fn declare(&mut self, name: &Ident, binding: Binding) -> Option<Binding> {
        self.levels.last_mut().and_then(|level| level.insert(name.to_string(), binding))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.levels.iter().rev().find_map(|level| level.get(name))
    }

    pub(crate) fn buffer(&self, name: &str) -> Option<&BufferName> {
        match &self.find(name)?.kind {
            BindingKind::Buffer(buffer) => Some(buffer),
            BindingKind::Host | BindingKind::Object(_) | BindingKind::Condition(_) => None,
        }
    }

    /// The object of this name.
    pub(crate) fn object(&self, name: &str) -> Option<ObjectId> {
        match self.find(name)?.kind {
            BindingKind::Object(object) => Some(object),
            BindingKind::Host | BindingKind::Buffer(_) | BindingKind::Condition(_) => None,
        }
    }

    pub(crate) fn buffer_mut(&mut self, name: &str) -> Option<&mut BufferName> {
        let binding = self.levels.iter_mut().rev().find_map(|level| level.get_mut(name))?;
        match &mut binding.kind {
            BindingKind::Buffer(buffer) => Some(buffer),
            BindingKind::Host | BindingKind::Object(_) | BindingKind::Condition(_) => None,
        }
    }

    /// Makes the same text another expression from here on.
    pub(crate) fn rename(&mut self, name: &str) {
        let id = self.fresh();
        if let Some(binding) = self.levels.iter_mut().rev().find_map(|level| level.get_mut(name)) {
            binding.id = id;
        }
    }

    /// Calls `change` on every visible buffer name.
    pub(crate) fn for_each_buffer(&mut self, mut change: impl FnMut(&mut BufferName)) {
        for binding in self.levels.iter_mut().flat_map(FxHashMap::values_mut) {
            if let BindingKind::Buffer(buffer) = &mut binding.kind {
                change(buffer);
            }
        }
    }

    /// The transient of this name whose block ended last.
    pub(crate) fn ended(&self, name: &str) -> Option<&Ended> {
        self.ended.iter().rev().find(|ended| ended.name == name)
    }

    /// Every visible buffer name with its place, for "a buffer with a similar name exists".
    pub(crate) fn buffer_names(&self) -> Vec<(String, Place)> {
        let buffers = self.levels.iter().flatten().filter(|(_, b)| matches!(b.kind, BindingKind::Buffer(_)));
        let mut names: Vec<_> = buffers.map(|(name, binding)| (name.clone(), binding.place)).collect();
        names.sort();
        names
    }

    /// What each visible buffer name stands for, in a fixed order: to see whether a body leaves names exchanged.
    pub(crate) fn buffer_state(&self) -> Vec<(String, BufferId, BufferId)> {
        let mut state = Vec::new();
        for level in &self.levels {
            for (name, binding) in level {
                if let BindingKind::Buffer(buffer) = &binding.kind {
                    state.push((name.clone(), buffer.declared, buffer.current));
                }
            }
        }
        state.sort();
        state
    }
}
