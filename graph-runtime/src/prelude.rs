//! What a file with a `cuda_graph!` block needs.

pub use crate::buffer::{Bound, Buffer, PinnedBuffer, Slice, SliceMut};
pub use crate::device::{Device, DeviceKind};
pub use crate::error::Error;
pub use crate::graph::{Exit, Graph, Label, Outline};
pub use crate::kernel::{Atomic, Out};
pub use graph_macros::{cuda_graph, cuda_module};
