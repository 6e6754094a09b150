//! Kernels that are written in the block: what generated code calls, and their form as Rust.

mod axes;
mod elements;
mod function;
mod index;
mod number;
pub(crate) mod reduce;

pub use axes::{Axes, AxisRange, Bounds, Counter};
pub use elements::Elements;
pub(crate) use elements::{Touched, out_of_bounds};
pub(crate) use function::{ComputeFunction, ComputeKind};
pub use index::{Coordinate, ElementIndex};
pub use number::Number;
pub use reduce::Reducible;
