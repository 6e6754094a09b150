//! A graph as plain data: what JSON holds and what a page draws.
//!
//! Nodes, bodies, edges and buffers refer to each other by their index in the lists of [`GraphData`]. The lists are in the plan's order, so
//! the same program and edges give the same data. Fields are added, never renamed or given another meaning, as long as
//! [`GraphData::schema`] stays.

mod buffers;
mod describe;
mod path;
#[cfg(test)]
mod tests;
mod times;

pub use describe::describe;
pub use times::measure;

use serde::{Deserialize, Serialize};

use crate::model::{BufferId, NodeId};

/// The version of the fields here.
pub const SCHEMA: u32 = 1;

/// A whole graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphData {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The graph's name.
    pub name: String,
    /// In the plan's order, those of bodies behind their conditional.
    pub nodes: Vec<NodeData>,
    /// The graph's own body first.
    pub bodies: Vec<BodyData>,
    /// By body, sorted by `to` and then by `from`.
    pub edges: Vec<EdgeData>,
    /// Those of the graph's parts that run, as declared.
    pub buffers: Vec<BufferData>,
    /// The nodes of a longest chain of waits, counted in nodes; of a conditional, with the longest chain of one pass of one body behind it.
    pub longest_path: Vec<u32>,
    /// How many nodes of one body can run side by side, at most.
    pub width: u32,
    /// What takes the place of one CUDA graph, and why: `single launches, …`; only of a plan that a driver cannot take as one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub launched: Option<String>,
    /// Memory of the graph's own; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arena: Option<ArenaData>,
    /// What was made of the block, in order; only of a plan.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub passes: Vec<PassData>,
    /// How long a run took, node by node; only of a profile's plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured: Option<MeasuredData>,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeData {
    /// Its label, or the name made from its statement.
    pub label: String,
    /// `kernel`, `copy`, `while`, …
    pub kind: String,
    /// The body that lists it.
    pub body: u32,
    /// Its own bodies, in text order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bodies: Vec<u32>,
    /// `src/main.rs:14:9`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<String>,
    /// The kernel that it launches, as declared; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kernel: Option<String>,
    /// Blocks of a launch along x, y and z; one expression if the host yields all three at once.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub grid: Vec<Amount>,
    /// Threads per block, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub block: Vec<Amount>,
    /// Dynamic shared memory of a launch in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shared_bytes: Option<Amount>,
    /// For how many indices the body of a kernel in the block runs; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub indices: Option<u64>,
    /// Bytes that a copy or a fill writes; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<u64>,
    /// A loop's `limit`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<Amount>,
    /// A loop's `every`, if it is above 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub every: Option<u32>,
    /// `#[optional]`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub optional: bool,
    /// The buffers that it names: arguments, or what a conditional's test reads.
    pub accesses: Vec<AccessData>,
    /// The lane that it runs on, if its body is dealt onto lanes; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lane: Option<u32>,
    /// What a CUDA graph makes of it where that is not a node of its own: `one launch with …`; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub launch: Option<String>,
    /// How long it took; only of a profile's plan, and only if it ran.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<TimeData>,
}

/// A number, or the host expression that yields it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    /// Known.
    Known(u64),
    /// As written.
    Expression(String),
}

/// The use of a buffer by a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessData {
    /// The buffer.
    pub buffer: u32,
    /// `&`, `&mut`, `&out`, `&atomic`.
    pub mode: String,
    /// The elements: `0..4`, `(0..4, 2..8)`; all of them if it is missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elements: Option<String>,
}

/// A list of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyData {
    /// `then`, `0 | 2..=5`, `body, 2 passes`; the graph's name.
    pub title: String,
    /// The conditional that it belongs to; none for the graph's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owner: Option<u32>,
    /// In the plan's order.
    pub nodes: Vec<u32>,
}

/// A node that waits for another of the same body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeData {
    /// Runs first.
    pub from: u32,
    /// Waits.
    pub to: u32,
    /// The strongest first.
    pub reasons: Vec<ReasonData>,
    /// The one that waits begins before the other is over, where the device can, and waits by itself. Of plans.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub overlap: bool,
}

/// Why a node waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonData {
    /// `RAW`, `WAW`, `WAR`, `after`, `effects`, `object`, `fence`; `lane` if nothing in the block asks for it.
    pub kind: String,
    /// The buffer of a hazard.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub buffer: Option<u32>,
    /// As a sentence about the node that waits: ``it reads `x`, which `sweep` writes``.
    pub text: String,
}

/// A buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferData {
    /// Its name.
    pub name: String,
    /// `[f32; n]`, `[f32; (3, 4)]`.
    pub ty: String,
    /// `parameter`, `transient`, `static`.
    pub origin: String,
    /// How a parameter is declared: `&`, `&mut`, `&out`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<String>,
    /// `device`, `host` or `mailbox`.
    pub memory: String,
    /// `src/main.rs:12:13`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<String>,
    /// Nodes that need its contents.
    pub readers: Vec<u32>,
    /// Nodes that change its contents.
    pub writers: Vec<u32>,
    /// The first and the last node that use it, in the plan's order. A loop that it outlives counts whole: the next pass may need it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub live: Option<[u32; 2]>,
    /// Its size; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<u64>,
    /// Where a transient lies in the arena of its memory, in bytes; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offset: Option<u64>,
    /// Of which launch a transient stays in the registers, so that it needs no memory: `of the launch of sweep`; only of a plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub registers: Option<String>,
}

/// The memory of a graph's own, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArenaData {
    /// Device memory for transients.
    pub device: u64,
    /// Pinned memory of the host for transients.
    pub host: u64,
    /// Device memory for the loops' counters.
    pub counters: u64,
    /// What the transients would need, each with memory of its own.
    pub apart: u64,
    /// What the transients need at once, at least.
    pub bound: u64,
}

/// Something that was made of the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassData {
    /// `unread`, `reduction`, `merging`, `fusion`, `registers`, `resident loops`, `lanes`, `gates`, `overlap`, `arena`.
    pub name: String,
    /// How often it applied.
    pub count: u64,
    /// The same in words: `3 edges follow from others`.
    pub result: String,
    /// Whether it was left out.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub off: bool,
}

/// How long a node took in a run in which each node ran alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeData {
    /// How often it ran; of a conditional, how often it was tested.
    pub runs: u64,
    /// All runs in nanoseconds; of a conditional its tests and everything in its bodies.
    pub total_ns: u64,
    /// The longest run in nanoseconds; of a conditional the longest test.
    pub longest_ns: u64,
    /// The tests of a conditional alone, in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tests_ns: Option<u64>,
    /// The passes of a loop between two tests, if it made one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub passes: Option<PassTimes>,
}

/// How long the passes of a loop took, each with the test behind it, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassTimes {
    /// How many there were, over all times that the loop ran.
    pub count: u64,
    /// All together.
    pub total_ns: u64,
    /// The shortest.
    pub shortest_ns: u64,
    /// The longest.
    pub longest_ns: u64,
}

/// How long a whole run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredData {
    /// The device that it was measured on.
    pub device: String,
    /// All nodes together, in nanoseconds.
    pub total_ns: u64,
    /// The nodes of the chain of waits that took longest; of a conditional, with the longest chain of each of its bodies behind it. What
    /// did not run is left out.
    pub critical_path: Vec<u32>,
    /// The nodes of that chain together, in nanoseconds: a launch cannot be much shorter.
    pub critical_ns: u64,
}

/// Where the parts of a program stand in a [`GraphData`].
#[derive(Clone, Debug)]
pub struct Described {
    /// The data.
    pub data: GraphData,
    /// By index: the node of the program.
    pub nodes: Vec<NodeId>,
    /// By index: the buffer of the program.
    pub buffers: Vec<BufferId>,
}
