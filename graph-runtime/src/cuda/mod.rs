//! CUDA devices: plans as CUDA graphs, built node by node and launched with one driver call.

mod adopt;
mod build;
mod capture_streams;
mod convert;
mod device;
mod driver;
mod eager;
mod event;
mod fault;
mod fence;
mod launch_on;
#[cfg(any(feature = "cublas", feature = "cufft"))]
mod libraries;
mod loaded;
mod memory;
mod module;
mod names;
mod nvrtc;
mod old_stream;
mod table;
mod update;
mod views;

pub(crate) use device::device;
#[cfg(feature = "cufft")]
pub use libraries::Fft;
#[cfg(feature = "cusolver")]
pub use libraries::Solver;
#[cfg(feature = "cublas")]
pub use libraries::{Blas, BlasCall, BlasFloat, BlasNumber, BlasOnStream, CaptureBlas, Op, Side, Triangle};
pub use loaded::{LoadedArgument, LoadedFunction, launch_loaded};
pub(crate) use old_stream::old_stream;
