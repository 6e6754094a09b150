//! Kernels: what `#[cuda_module]` declares, what launches are checked against, and what CPU bodies receive.

mod any_param;
mod atomic;
mod cpu;
mod declaration;
pub mod ghost;
pub mod length;
mod out;
mod tile;
mod touched;

pub use any_param::AnyParam;
pub use atomic::{Atomic, AtomicElement, AtomicInteger};
pub use cpu::{CpuArgument, CpuLaunch};
pub use declaration::{
    KernelDeclaration, ModuleCode, ModuleSource, ParameterDeclaration, ParameterKind, SourceLocation, buffer_layout,
    value_layout,
};
pub use out::Out;
pub use tile::{Tile, TileMut};
pub(crate) use touched::Touched;
