//! What the host has a part in: its objects, callbacks, captured library calls, events.

use serde::{Deserialize, Serialize};

use super::Place;

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
