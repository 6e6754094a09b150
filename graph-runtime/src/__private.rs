//! What generated code names. Nothing here is stable.

pub use crate::arithmetic;
pub use crate::buffer::{BindHostMut, BindHostRead, BindMut, BindRead, Binding, Bound};
pub use crate::element::{DeviceValue, Element, ElementLayout, Scalar};
pub use crate::graph::{Graph, Label, Outline};
pub use crate::kernel::ghost::{Atomics, Ghost, Launched, Overwrites, Reads, Updates, hole};
pub use crate::kernel::{
    AnyParam, Atomic, CpuArgument, CpuLaunch, KernelDeclaration, ModuleCode, ModuleSource, Out, ParameterDeclaration,
    ParameterKind, SourceLocation, buffer_layout, length, value_layout,
};
pub use crate::program::{Elements, Geometry, IntoExtent, Program, ScalarFunction, Sink, TypedValue};
pub use graph_ir::model::Mode;
