//! The functions that the library exports, by subject.

mod capture;
mod context;
mod copy;
pub(crate) mod device;
mod event;
mod exec;
mod function;
mod graph;
mod launch;
mod memory;
mod message;
mod module;
pub(crate) mod params;
mod stream;

pub(crate) use capture::add as captured;
