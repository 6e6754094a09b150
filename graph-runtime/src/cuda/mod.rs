//! CUDA devices: plans as CUDA graphs, built node by node and launched with one driver call.

mod adopt;
mod build;
mod convert;
mod device;
mod driver;
mod eager;
mod fault;
mod fence;
mod memory;
mod module;
mod nvrtc;
mod update;

pub(crate) use device::device;
