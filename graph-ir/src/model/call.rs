//! What the host has a part in: its objects, callbacks, captured library calls, events; and graphs inside a graph.

use serde::{Deserialize, Serialize};

use super::{BufferId, NodeId, Place, RegionId, SectionId};

/// Index into [`Program::objects`](super::Program::objects).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectId(pub u32);

/// A parameter that is no buffer and no value: `log: &Logger`, `comm: &mut Comm`, `e: &Event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// As written.
    pub name: String,
    /// What it may be used for.
    pub kind: ObjectKind,
    /// Its name in the declaration.
    pub place: Place,
}

/// What an object may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ObjectKind {
    /// `&T`: in closures and host expressions, by any number of nodes at once.
    Shared,
    /// `&mut T`: in closures, by one node after another.
    Exclusive,
    /// `&Event`: by `record` and `wait`, one after another.
    Event,
}

/// The objects that a callback or a captured call uses, with the closures themselves held by the evaluator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Those that it uses alone: `&mut comm`.
    pub exclusive: Vec<ObjectId>,
    /// Whether the CPU has a form of it; a host callback always has.
    pub cpu: bool,
}

/// `Other { a: &a, b: &mut b, n };`: another graph's nodes in the place of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphCall {
    /// Index into the program's table of graphs: that of the generated code as the macro makes it, [`Program::graphs`] once linked.
    ///
    /// [`Program::graphs`]: super::Program::graphs
    pub graph: u32,
    /// By access: the parameter that it is passed to.
    pub parameters: Vec<String>,
    /// Objects that are passed: each with the parameter that it is passed to.
    pub objects: Vec<(String, ObjectId)>,
    /// Those among them that are used alone: `&mut comm`, events.
    pub exclusive: Vec<ObjectId>,
}

/// A graph that the nodes of others name, among the parts of a program ([`Program::link`](super::Program::link)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedGraph {
    /// As declared.
    pub name: String,
    /// Its nodes.
    pub body: RegionId,
    /// The first of them.
    pub first: NodeId,
    /// The section of its statements; that of what its declarations and `swap`s make comes behind it.
    pub statements: SectionId,
    /// Its buffers: the first, and how many.
    pub buffers: (BufferId, u32),
    /// How many of them are its parameters, which come first.
    pub parameters: u32,
    /// Its objects: the first, and how many.
    pub objects: (ObjectId, u32),
    /// Nodes that copy back to a parameter what `swap` left elsewhere.
    pub restores: Vec<NodeId>,
}

impl LinkedGraph {
    /// Its parameters.
    pub fn parameter_ids(&self) -> impl Iterator<Item = BufferId> + use<> {
        (self.buffers.0.0..self.buffers.0.0 + self.parameters).map(BufferId)
    }

    /// Its buffers.
    pub fn buffer_ids(&self) -> impl Iterator<Item = BufferId> + use<> {
        (self.buffers.0.0..self.buffers.0.0 + self.buffers.1).map(BufferId)
    }

    /// Its objects.
    pub fn object_ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (self.objects.0.0..self.objects.0.0 + self.objects.1).map(ObjectId)
    }
}
