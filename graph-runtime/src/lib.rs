//! CUDA graphs from one checked block: devices, buffers, plans and launches for [`cuda_graph!`].

#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod arithmetic;
mod buffer;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
pub mod element;
mod error;
pub mod errors;
mod graph;
pub mod kernel;
mod plan;
pub mod prelude;
mod program;
mod scalar;

pub use buffer::{BindHostMut, BindHostRead, BindMut, BindRead, Bound, Buffer, PinnedBuffer, Slice, SliceMut};
pub use device::{Device, DeviceKind, cuda_available};
pub use element::{DeviceValue, Element};
pub use error::{DriverError, Error, NodeName, Refusal, Result};
pub use graph::{Exit, Graph, Label, Obligation, Outline};
pub use graph_ir;
pub use graph_macros::{cuda_graph, cuda_module};
pub use plan::{PlanEdge, PlanNode, PlanView};
