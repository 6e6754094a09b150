//! CUDA graphs from one checked block: devices, buffers, plans and launches for [`cuda_graph!`].

#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod arithmetic;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod buffer;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod device;
pub mod element;
mod error;
pub mod errors;
mod graph;
pub mod kernel;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod plan;
pub mod prelude;
mod program;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod scalar;

pub use buffer::{BindHostMut, BindHostRead, BindMut, BindRead, Bound, Buffer, PinnedBuffer, Slice, SliceMut};
pub use device::{Device, DeviceKind, cuda_available};
pub use element::{DeviceValue, Element};
pub use error::{DriverError, Error, NodeName, Refusal, Result};
pub use graph::{BuildTimings, Exit, Graph, Label, Obligation, Outline};
pub use graph_ir;
pub use graph_macros::{cuda_graph, cuda_module};
pub use plan::{PlanEdge, PlanNode, PlanView};
