//! What most programs need: `use graph_runtime::prelude::*;`.

pub use crate::kernel::{Atomic, Out};
pub use crate::{
    Bound, Buffer, Buffers, Device, DeviceKind, DeviceValue, Element, Error, Exit, Label, Outline, PinnedBuffer,
    Result, Slice, SliceMut, cuda_graph, cuda_module,
};
