//! The graph model: plain data, no behaviour beyond look-ups.
//!
//! # Meaning
//! A [`Region`] (the graph's body or a conditional's body) lists its nodes in text order. Running a region means what running its
//! nodes one after another would mean; anything that nobody can tell apart from that is allowed. A conditional is one node of its
//! region; its accesses are the union of those of its bodies and of its condition ([`crate::analysis::effects`]).
//!
//! Ids are indices into the vectors of [`Program`] and are never reused: a node that is no longer part of the graph (the arm of a
//! host `if` that was not taken) stays in [`Program::nodes`] but is listed by no live region.

mod access;
mod attributes;
mod buffer;
mod call;
mod codec;
mod compute;
mod extent;
mod footprint;
mod indices;
mod link;
mod method;
mod node;
mod program;
mod region;
mod renumber;
mod scalar;
mod section;
mod shape;
mod strided;

pub use access::{Access, Mode, View};
pub use attributes::{Cluster, LaunchAttributes, Priority};
pub use buffer::{Buffer, BufferId, Family, Memory, Origin};
pub use call::{Call, GraphCall, LinkedGraph, Object, ObjectId, ObjectKind};
pub use codec::CodecError;
pub use compute::{Axis, Combine, Compute, Index, Local, Reduction, Statement};
pub use extent::{Bound, Extent, Symbol, SymbolId, SymbolOrigin, Verdict};
pub use footprint::{Footprint, Range};
pub use link::Offsets;
pub use method::Method;
pub use node::{
    After, Argument, Arm, Dimensions, Each, HostValue, Launch, LoopHead, Node, NodeId, NodeKind, Pattern, Test,
};
pub use program::{Cast, Location, Place, Program, Spot};
pub use region::{Region, RegionId, RegionKind};
pub use renumber::Renumber;
pub use scalar::{BinaryOperator, Expression, ScalarType, UnaryOperator};
pub use section::{Section, SectionId, Sections};
pub use shape::Shape;
pub use strided::Strided;
