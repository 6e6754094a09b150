//! What there is: each thing that a call makes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::clock::{Clock, Moment};
use crate::ptx::Entry;
use crate::report::{Edge, Work};

/// A handle as the caller has it, or an address. Never followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[repr(transparent)]
pub(crate) struct Id(pub(crate) u64);

impl Id {
    pub(crate) const NULL: Self = Self(0);
}

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Device,
    /// In stream order: it is there from this moment on.
    Pool(Moment),
    Pinned,
}

/// Memory.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) bytes: u64,
    pub(crate) kind: Kind,
    /// Work that names it.
    pub(crate) uses: Clock,
}

/// A loaded module.
#[derive(Debug)]
pub(crate) struct Module {
    /// Where it was loaded.
    pub(crate) context: Id,
    pub(crate) entries: Vec<Entry>,
    pub(crate) functions: Vec<Id>,
}

/// A kernel of a loaded module.
#[derive(Debug)]
pub(crate) struct Function {
    /// Where its module was loaded.
    pub(crate) context: Id,
    pub(crate) entry: Entry,
    /// Most dynamic shared memory, in bytes.
    pub(crate) dynamic: u32,
    /// Whether clusters may have more than eight blocks.
    pub(crate) large_clusters: bool,
}

/// A stream.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// Where it was made; none for the default stream.
    pub(crate) context: Option<Id>,
    /// Pieces of work so far.
    pub(crate) count: u64,
    /// What comes before the next piece.
    pub(crate) before: Clock,
    pub(crate) capture: Option<Capture>,
}

/// A capture that goes on.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) graph: Id,
    pub(crate) last: Vec<Id>,
}

/// An event.
#[derive(Debug, Default)]
pub(crate) struct Event {
    /// Where it was made.
    pub(crate) context: Id,
    /// What it stands behind, once it was recorded.
    pub(crate) recorded: Option<Clock>,
    pub(crate) timed: bool,
}

/// A graph, a body or a child.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) alive: bool,
    /// The node whose body or child it is.
    pub(crate) owner: Option<Id>,
    pub(crate) nodes: Vec<Id>,
    /// Handles that were made for it.
    pub(crate) handles: Vec<Id>,
    /// The one exec of a graph with conditionals.
    pub(crate) instances: BTreeSet<Id>,
}

/// A node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) graph: Id,
    pub(crate) work: Work,
    pub(crate) edges: Vec<Edge>,
    pub(crate) attributes: BTreeMap<u32, Vec<i32>>,
    /// What the caller is given of its bodies.
    pub(crate) bodies: Box<[Id]>,
}

/// A conditional's handle.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) graph: Id,
    pub(crate) node: Option<Id>,
}

/// An instantiated graph.
#[derive(Debug)]
pub(crate) struct Exec {
    pub(crate) alive: bool,
    pub(crate) graph: Id,
    pub(crate) works: BTreeMap<Id, Work>,
    pub(crate) disabled: BTreeSet<Id>,
    pub(crate) launches: u64,
    /// Its launches.
    pub(crate) ran: Clock,
}

/// A text for NVRTC.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) text: String,
    /// C++ names that are asked for.
    pub(crate) names: Vec<String>,
    pub(crate) ptx: Option<String>,
    pub(crate) log: String,
}
