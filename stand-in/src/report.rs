//! What the stand-in is told, and what it tells: as JSON between the library and a test.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// When launched work counts as over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// When somebody waits for it: as late as the driver may.
    #[default]
    WhenWaitedFor,
    /// Before the call returns.
    AtOnce,
}

/// The driver and the device that it stands in for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// The driver's version: 13000 is 13.0.
    pub version: i32,
    /// Devices.
    pub devices: i32,
    /// Bytes of device memory.
    pub memory: u64,
    /// Device attributes that differ from an H200's, by `CUdevice_attribute`.
    pub attributes: BTreeMap<u32, i32>,
    /// When launched work is over.
    pub finish: Finish,
    /// What kernels that are launched into a stream and are given eight bytes of pinned memory are taken to have stored there, one after
    /// another, and 0 once they are used up; nothing if there are none.
    pub stores: Vec<u64>,
    /// Refuses to instantiate any graph, with this `CUgraphInstantiateResult`.
    pub instantiate_result: Option<u32>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            version: 13000,
            devices: 1,
            memory: 1 << 32,
            attributes: BTreeMap::new(),
            finish: Finish::default(),
            stores: Vec::new(),
            instantiate_result: None,
        }
    }
}

/// A call that is to fail without doing anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Only calls of this function are counted; `None` counts all.
    pub function: Option<String>,
    /// Which of them, counted from 0 where the fault is set.
    pub index: u64,
    /// `CUresult`.
    pub code: u32,
    /// Whether all calls behind it fail too, as in a context that a kernel has broken.
    #[serde(default)]
    pub lasting: bool,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// `cuGraphCreate`
    pub function: String,
    /// The handle that it is about, if it is about one: what it made, or what it was given.
    pub about: Option<u64>,
    /// `CUresult`.
    pub answer: u32,
    /// Whether a [`Fault`] answered it.
    pub injected: bool,
}

/// A call that broke one of CUDA's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// `R022`
    pub rule: String,
    /// The function.
    pub function: String,
    /// What is wrong.
    pub text: String,
}

/// Something that was made and not given back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Live {
    /// `graph`, `exec`, `stream`, `event`, `module`, `context`, `device memory`, `pinned memory`.
    pub kind: String,
    /// The handle or the address.
    pub handle: u64,
}

/// An edge that ends at the node that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// The node that is waited for.
    pub from: u64,
    /// Of a kernel: 0 its end, 1 programmatic.
    pub port: u8,
    /// 0 default, 1 programmatic.
    pub kind: u8,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// A launch.
    Kernel {
        /// The kernel's name in its module.
        name: String,
        /// Its handle.
        function: u64,
        /// Blocks.
        grid: [u32; 3],
        /// Threads of a block.
        block: [u32; 3],
        /// Dynamic shared memory, in bytes.
        shared: u32,
        /// The bytes of each parameter.
        arguments: Vec<Vec<u8>>,
    },
    /// A copy.
    Copy {
        /// First byte that is written.
        to: u64,
        /// First byte that is read.
        from: u64,
        /// `CUmemorytype` of both, the one that is written first.
        memory: [u32; 2],
        /// Bytes, rows, slices.
        sizes: [u64; 3],
    },
    /// Bytes, or words of 2 or 4, of one value.
    Fill {
        /// First byte.
        to: u64,
        /// How many bytes.
        bytes: u64,
    },
    /// A callback.
    Host {
        /// What it is given.
        data: u64,
    },
    /// A copy of a graph.
    Child {
        /// The copy.
        graph: u64,
    },
    /// Nothing but order.
    Empty,
    /// A record of an event.
    Record {
        /// The event.
        event: u64,
    },
    /// A wait for an event.
    Wait {
        /// The event.
        event: u64,
    },
    /// A conditional.
    Conditional {
        /// What it decides by.
        handle: u64,
        /// `CUgraphConditionalNodeType`: 0 if, 1 while, 2 switch.
        kind: u32,
        /// Its bodies' graphs.
        bodies: Vec<u64>,
    },
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its handle.
    pub handle: u64,
    /// What it does.
    pub work: Work,
    /// What it waits for, as given.
    pub edges: Vec<Edge>,
    /// Launch attributes, by `CUlaunchAttributeID`.
    pub attributes: BTreeMap<u32, Vec<i32>>,
}

/// A graph, a conditional's body, or a child graph; also one that is destroyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// Its handle.
    pub handle: u64,
    /// Whether it is there.
    pub alive: bool,
    /// The node that owns it, if it is a body or a child.
    pub owner: Option<u64>,
    /// In the order in which they were added.
    pub nodes: Vec<Node>,
}

/// An instantiated graph; also one that is destroyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exec {
    /// Its handle.
    pub handle: u64,
    /// Whether it is there.
    pub alive: bool,
    /// What it was made from.
    pub graph: u64,
    /// How often it was launched.
    pub launches: u64,
    /// What its nodes do by now, those of bodies too.
    pub works: BTreeMap<u64, Work>,
    /// Nodes that are switched off.
    pub disabled: Vec<u64>,
}

/// A launch of a graph, or a copy, a fill or a free that the host asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ordered {
    /// The function.
    pub function: String,
    /// The instantiated graph, or the first byte on the device.
    pub about: u64,
    /// Those in front of it in [`Report::order`] that are over when it begins, by number.
    pub behind: Vec<usize>,
}

/// Everything since the last reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// In order.
    pub calls: Vec<Call>,
    /// In order.
    pub violations: Vec<Violation>,
    /// In the order in which they were asked for.
    pub order: Vec<Ordered>,
    /// What is there.
    pub live: Vec<Live>,
    /// In the order in which they were made.
    pub graphs: Vec<Graph>,
    /// In the order in which they were made.
    pub execs: Vec<Exec>,
    /// What a profiler was told by NVTX: ranges in the order in which they began, each two spaces further in than the one it is in.
    pub ranges: Vec<String>,
    /// What a profiler was told streams are called.
    pub stream_names: Vec<String>,
}
