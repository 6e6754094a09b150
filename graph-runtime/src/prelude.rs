//! What most programs need: `use graph_runtime::prelude::*;`.

pub use crate::kernel::{Atomic, Condition, Out, Tile, TileMut};
pub use crate::{
    Arena, Bound, Buffer, Buffers, Cache, CaptureStream, Device, DeviceKind, DeviceValue, DeviceView, DeviceViewMut,
    Element, Error, Event, Exit, Label, Mailbox, Outline, PinnedBuffer, Replicas, Result, Shared, Slice, SliceMut,
    Ticket, cuda_graph, cuda_module,
};
