//! A stand-in for `libcuda.so`, `libnvrtc.so` and what is called of cuBLAS, cuFFT and cuSOLVER that **executes nothing**.
//!
//! It answers the calls that `graph-runtime` makes, keeps the graphs that are built, and enforces CUDA's structural rules: a call that
//! breaks one is answered as the driver answers it, and stands in the report as a violation with the rule's number. Memory is host memory,
//! so copies from and to the host move bytes; kernels, graphs and callbacks never run, and what a test reads back says nothing. Work that
//! was launched counts as running until somebody waits for it, so that memory that is freed too early is seen.
//!
//! The shared library is what a process loads in the driver's place ([`Folder`]); [`StandIn`] is how a test talks to it.
//!
//! What is not there is missing from the library, or answered with `CUDA_ERROR_NOT_SUPPORTED`: memory nodes, batched memory operations,
//! semaphores, cloning, whole-graph update, device-side launch, machine code (`cubin`) and templates.

mod call;
mod calls;
mod client;
mod clock;
mod control;
mod driver;
mod ffi;
mod libraries;
mod nvrtc;
mod nvtx;
mod objects;
mod ptx;
mod report;
mod rules;

pub use client::{Folder, StandIn};
pub use report::{Call, Config, Edge, Exec, Fault, Finish, Graph, Live, Node, Report, Violation, Work};

/// What the device calls itself.
pub const DEVICE_NAME: &str = "stand-in (records graphs, executes nothing)";
