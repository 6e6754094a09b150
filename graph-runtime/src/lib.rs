//! CUDA graphs from one checked block: devices, buffers, plans and launches for [`cuda_graph!`].

mod buffer;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
pub mod element;
mod error;
mod graph;
mod kernel;
mod plan;
mod program;
mod scalar;

pub use element::{DeviceValue, Element};
pub use error::{DriverError, Error, NodeName, Refusal, Result};
