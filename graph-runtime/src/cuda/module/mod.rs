//! Kernel files: compiled if they are source, kept on disk, loaded once per device, checked against their declarations.

mod attributes;
mod cache;
mod compile;
mod generated;
mod geometry;
mod include;
mod kernel;
mod load;
mod parameters;

pub(super) use generated::GeneratedModules;
pub(super) use geometry::{Limits, Unfit};
#[cfg(any(feature = "cublas", feature = "cufft"))]
pub(super) use include::PLACES;
pub(super) use include::libraries;
pub(super) use kernel::Kernel;
pub(super) use load::Modules;
