//! Kernels: what `#[cuda_module]` declares, what launches are checked against, and what CPU bodies receive.

mod any_param;
mod atomic;
mod condition;
mod cpu;
mod declaration;
mod facts;
pub mod ghost;
pub mod length;
mod out;
pub mod template;
mod tile;
mod touched;
mod traits;

pub use any_param::AnyParam;
pub use atomic::{Atomic, AtomicElement, AtomicInteger};
pub use condition::{Condition, ConditionName};
pub use cpu::{CpuArgument, CpuLaunch};
pub use declaration::{
    KernelDeclaration, KernelSymbol, ModuleCode, ModuleSource, ParameterDeclaration, ParameterKind, SourceLocation,
    buffer_layout, value_layout,
};
pub use facts::{LaunchFacts, Sizes, Unmet};
pub use ghost::List;
pub use out::Out;
pub use tile::{Tile, TileMut};
pub(crate) use touched::Touched;
pub use traits::{FixedBlock, Waits, agrees, fixed_block, overlaps, within};
