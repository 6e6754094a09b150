//! The only place that calls the CUDA driver: thin, typed, and every call returns a `Result`.
//!
//! What is called is listed in [`functions`] and, before the driver's version is known, in [`start`]. [`library::version`] is asked before
//! anything else and looks for all of them, so no symbol that the driver lacks is ever called.

mod apart;
mod attributes;
mod capture;
mod context;
mod error;
mod event;
mod exec;
mod function;
mod functions;
mod graph;
mod help;
mod library;
mod memory;
mod module;
mod node;
mod start;
mod stream;
mod symbols;

#[cfg(any(feature = "cublas", feature = "cufft"))]
pub(super) use apart::apart_from_captures;
pub(super) use attributes::Attributes;
pub(super) use capture::capture;
pub(super) use context::{Attribute, Context, Retained};
pub(super) use error::{Doing, Failure};
pub(super) use event::{Event, EventRef};
pub(super) use exec::{Exec, InstantiateFailure};
pub(super) use function::{Function, LoadedParameter};
pub(super) use graph::{Edge, Graph, GraphRef, Handle, Node};
pub(super) use library::{Version, device_count, version};
pub(super) use memory::{
    PointerFacts, allocate, allocate_in_order, allocate_pinned, copy, copy_from_host, copy_to_host, free,
    free_and_total, free_in_order, free_pinned, pointer_facts, set_bytes,
};
pub(super) use module::Module;
pub(super) use node::{Conditional, CopyEnd, NodeParams, copy_rows};
pub(super) use stream::Stream;

const _: () = assert!(
    cudarc::driver::sys::CUDA_VERSION >= 12030,
    "cuda_graph needs cudarc's bindings of CUDA 12.3 or newer: set CUDARC_CUDA_VERSION=12030 or a newer version"
);
