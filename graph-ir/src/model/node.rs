//! Nodes: launches, copies, fills, device scalars and conditionals.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Access, BufferId, Call, Compute, Expression, Extent, GraphCall, LaunchAttributes, ObjectId, Place, RegionId,
    SectionId, SymbolId,
};

/// Index into [`Program::nodes`](super::Program::nodes), in text order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// One node of a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What messages and plans call it: the user's label without `'`, or a name made from the statement (`sweep`, `fill error`).
    pub label: Arc<str>,
    /// Whether the user wrote the label.
    pub labelled: bool,
    /// The region that lists it.
    pub region: RegionId,
    /// Whether `after` alone orders it among others.
    pub section: SectionId,
    /// What it does.
    pub kind: NodeKind,
    /// The buffers that it names itself: arguments, or those that a conditional's test reads.
    pub accesses: Vec<Access>,
    /// `after 'a, 'b`.
    pub after: Vec<After>,
    /// `#[optional]`: may be switched off between launches.
    pub optional: bool,
    /// Keeps its order among the other nodes with effects: a kernel without buffers, or one declared `#[effects]`.
    pub effects: bool,
    /// What is asked of its launch, if anything.
    pub attributes: Option<Box<LaunchAttributes>>,
    /// The place to point at: a kernel's path, a keyword, an assignment's target.
    pub place: Place,
}

/// An order that the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct After {
    /// Runs first.
    pub target: NodeId,
    /// The label behind `after`.
    pub place: Place,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum NodeKind {
    /// A kernel launch.
    Kernel(Launch),
    /// `copy(&a, &out b)`: from access 0 to access 1.
    Copy,
    /// `fill(&out x, value)` or `let t: [T; n] = value`: access 0.
    Fill {
        /// One element.
        value: HostValue,
    },
    /// `s[0] = …;`: writes the element of access 0. A compound assignment has been spelled out (`s[0] += 1` reads access 0 too).
    Scalar {
        /// The new value.
        value: Expression,
    },
    /// `kernel for`, or a reduction.
    Compute(Arc<Compute>),
    /// `host(&a, &mut b, |a, b| …)`: a closure on the host, over pinned memory.
    Host(Call),
    /// `capture(&a, &out c, |stream, a, c| …)`: what a closure puts into a stream when the graph is built.
    Capture(Call),
    /// `record(&e)`, against the uses of its accesses' buffers, or of everything if there are none.
    Record(ObjectId),
    /// `wait(&e)`, likewise.
    Wait(ObjectId),
    /// `Other { … }`: another graph's nodes ([`crate::concrete`] puts them in its place).
    Graph(GraphCall),
    /// `assert!(…)`: reported to who waits for the launch.
    Assert {
        /// A boolean.
        test: Test,
        /// What is said if it does not hold, evaluated when the graph is built.
        message: Option<SymbolId>,
    },
    /// `if` on a buffer's contents.
    If {
        /// Non-zero: then.
        test: Test,
        /// Taken when the test holds.
        then: RegionId,
        /// Taken when it does not.
        otherwise: Option<RegionId>,
    },
    /// `match` on a buffer's contents.
    Match {
        /// The value matched.
        test: Test,
        /// Arms in text order; the first that fits runs.
        arms: Vec<Arm>,
        /// The arm `_`.
        otherwise: Option<RegionId>,
    },
    /// `while` and `loop`.
    Loop(LoopHead),
    /// `if` on host values: decided when the graph is built ([`crate::concrete`] puts the taken arm in its place).
    HostIf {
        /// The condition.
        condition: SymbolId,
        /// Taken when it holds.
        then: RegionId,
        /// Taken when it does not.
        otherwise: Option<RegionId>,
    },
    /// `match` and `if let` on host values: decided when the graph is built, as [`NodeKind::HostIf`].
    HostMatch {
        /// The number of the arm that is taken.
        choice: SymbolId,
        /// In text order; an `if let` without `else` has an empty second one.
        arms: Vec<RegionId>,
    },
    /// `for` over host values ([`crate::concrete`] puts its passes in its place).
    For {
        /// One pass.
        body: RegionId,
        /// What `swap` in one pass makes of buffers that live longer: who stood for the first stands for the second behind it.
        swapped: Vec<(BufferId, BufferId)>,
    },
}

/// A kernel launch's own data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Index into the program's table of kernel declarations.
    pub kernel: u32,
    /// Blocks.
    pub grid: Dimensions,
    /// Threads per block.
    pub block: Dimensions,
    /// Dynamic shared memory in bytes.
    pub shared: Option<Extent>,
    /// In the kernel's order.
    pub arguments: Arc<[Argument]>,
}

/// The size of a grid or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimensions {
    /// x, y, z; what was not written is 1. Filled from [`Dimensions::symbol`] once that is evaluated.
    pub sizes: [Extent; 3],
    /// The host expression that yields all three at once, unless it was written as literals.
    pub symbol: Option<SymbolId>,
    /// The expression, as written.
    pub place: Place,
}

/// One argument of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// The access with this index; in a symbolic program it may be a list.
    Buffer(u32),
    /// A list of buffers, in a concrete program: `count` accesses from `first` on.
    List {
        /// Index of the first.
        first: u32,
        /// How many.
        count: u32,
    },
    /// A value.
    Value(HostValue),
    /// The condition of the loop whose body lists the node.
    Condition,
}

/// A value of the host's, converted to the type that its receiver declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HostValue {
    /// A literal as written, with its sign, without its suffix: `-0.5`, `0xff`, `true`.
    Literal(String),
    /// An expression that is evaluated when the graph is built.
    Symbol(SymbolId),
}

/// What a conditional decides by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Reads the node's accesses.
    pub value: Expression,
    /// The keyword or the expression's first token.
    pub place: Place,
}

/// One arm of a `match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// `1 | 2..5`.
    pub patterns: Vec<Pattern>,
    /// Its body.
    pub body: RegionId,
    /// The host decides when the graph is built which values it is for.
    pub each: Option<Each>,
}

/// An arm that the host makes: one for each value of `e @ 0..count`, or one if a guard holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Each {
    /// The only node of the arm's body, a [`NodeKind::For`]: each of its passes is an arm.
    pub passes: NodeId,
    /// The value of a pass; without one a pass is for the arm's own patterns.
    pub value: Option<SymbolId>,
}

/// One alternative of an arm: the values `first..=last`, sign-extended to 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// Smallest value.
    pub first: i128,
    /// Largest value.
    pub last: i128,
}

/// A loop's own data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopHead {
    /// Continues while this holds; `None` for a `loop` without `break`. For `loop { … if c { break; } }` it is `!c`.
    pub test: Option<Test>,
    /// `while`: the test also runs before the first pass. `loop`: only behind a pass.
    pub tests_first: bool,
    /// The passes; holds the user's body [`LoopHead::every`] times.
    pub body: RegionId,
    /// `limit n`: at most this many passes of the user's body.
    pub limit: Option<Extent>,
    /// `every k`: the test runs behind every k-th pass.
    pub every: u32,
    /// `every` with a host expression: the only node of the body, a [`NodeKind::For`] that makes the passes. [`LoopHead::every`] is 1 until
    /// the graph is built.
    pub every_by: Option<NodeId>,
    /// `while |c|`: a kernel of the body decides whether there is another pass; there is no test.
    pub by_kernel: bool,
    /// The expression behind `limit` or `every`, else the keyword.
    pub place: Place,
}

impl NodeKind {
    /// Whether it has bodies: the same as [`NodeKind::bodies`], without a list of them.
    pub fn has_bodies(&self) -> bool {
        let conditional =
            matches!(self, Self::If { .. } | Self::HostIf { .. } | Self::Match { .. } | Self::HostMatch { .. });
        conditional || matches!(self, Self::Loop(_) | Self::For { .. })
    }

    /// The bodies, in text order.
    pub fn bodies(&self) -> Vec<RegionId> {
        match self {
            Self::Kernel(_)
            | Self::Copy
            | Self::Fill { .. }
            | Self::Scalar { .. }
            | Self::Compute(_)
            | Self::Host(_)
            | Self::Capture(_)
            | Self::Record(_)
            | Self::Wait(_)
            | Self::Graph(_)
            | Self::Assert { .. } => Vec::new(),
            Self::If { then, otherwise, .. } | Self::HostIf { then, otherwise, .. } => {
                std::iter::once(*then).chain(*otherwise).collect()
            }
            Self::Match { arms, otherwise, .. } => arms.iter().map(|arm| arm.body).chain(*otherwise).collect(),
            Self::HostMatch { arms, .. } => arms.clone(),
            Self::Loop(head) => vec![head.body],
            Self::For { body, .. } => vec![*body],
        }
    }

    /// The bodies, to change their ids.
    pub fn bodies_mut(&mut self) -> Vec<&mut RegionId> {
        match self {
            Self::Kernel(_)
            | Self::Copy
            | Self::Fill { .. }
            | Self::Scalar { .. }
            | Self::Compute(_)
            | Self::Host(_)
            | Self::Capture(_)
            | Self::Record(_)
            | Self::Wait(_)
            | Self::Graph(_)
            | Self::Assert { .. } => Vec::new(),
            Self::If { then, otherwise, .. } | Self::HostIf { then, otherwise, .. } => {
                std::iter::once(then).chain(otherwise).collect()
            }
            Self::Match { arms, otherwise, .. } => arms.iter_mut().map(|arm| &mut arm.body).chain(otherwise).collect(),
            Self::HostMatch { arms, .. } => arms.iter_mut().collect(),
            Self::Loop(head) => vec![&mut head.body],
            Self::For { body, .. } => vec![body],
        }
    }

    /// What a conditional's node decides by, or an assertion.
    pub fn test(&self) -> Option<&Test> {
        match self {
            Self::If { test, .. } | Self::Match { test, .. } | Self::Assert { test, .. } => Some(test),
            Self::Loop(head) => head.test.as_ref(),
            _ => None,
        }
    }

    /// The event of a `record` or a `wait`.
    pub fn event(&self) -> Option<ObjectId> {
        match self {
            Self::Record(event) | Self::Wait(event) => Some(*event),
            _ => None,
        }
    }

    /// What messages call it: `kernel`, `copy`, `fill`, `scalar`, `kernel for`, `reduction`, `host`, `capture`, `record`, `wait`, `graph`,
    /// `if`, `match`, `while`, `loop`, `for`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Kernel(_) => "kernel",
            Self::Copy => "copy",
            Self::Fill { .. } => "fill",
            Self::Scalar { .. } => "scalar",
            Self::Compute(compute) if compute.reduction.is_some() => "reduction",
            Self::Compute(_) => "kernel for",
            Self::Host(_) => "host",
            Self::Capture(_) => "capture",
            Self::Record(_) => "record",
            Self::Wait(_) => "wait",
            Self::Graph(_) => "graph",
            Self::Assert { .. } => "assert",
            Self::If { .. } | Self::HostIf { .. } => "if",
            Self::Match { .. } | Self::HostMatch { .. } => "match",
            Self::For { .. } => "for",
            Self::Loop(head) if head.tests_first => "while",
            Self::Loop(_) => "loop",
        }
    }
}
