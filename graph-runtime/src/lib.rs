//! CUDA graphs from one checked block: devices, buffers, plans and launches for [`cuda_graph!`].
//!
//! A block reads like Rust and means what it would mean executed from top to bottom. Its statements run in any order, or at once, as long
//! as nobody can tell: `&`, `&mut`, `&out` and `&atomic` say what each touches. What is wrong for all values is refused by the compiler;
//! what needs numbers, when the graph is built; both with a code that has a [page](errors).
//!
//! ```
//! use graph_runtime::prelude::*;
//!
//! #[cuda_module("src/errors/kernels.cu")]
//! unsafe mod kernels {
//!     pub fn scale(x: &mut [f32; n], by: f32, n: u32) {
//!         x.iter_mut().for_each(|x| *x *= by);
//!     }
//! }
//!
//! cuda_graph! {
//!     /// Halves `x` until its first element is at most `bound`.
//!     pub graph Shrink(x: &mut [f32; n], bound: f32) {
//!         'halve: while x[0] > bound limit 100 {
//!             kernels::scale<<<n.div_ceil(256), 256>>>(&mut x, 0.5, n as u32);
//!         }
//!     }
//! }
//!
//! fn main() -> Result<()> {
//!     let device = Device::best()?;
//!     let mut x = device.buffer_from(&[48.0_f32, 16.0])?;
//!     let mut graph = ShrinkArgs { x: &mut x, bound: 10.0 }.build(&device)?;
//!     graph.launch()?;
//!     assert_eq!(graph.iterations(Shrink::HALVE)?, 3);
//!     graph.set_bound(5.0)?;
//!     graph.launch()?;
//!     assert_eq!(graph.x().to_vec()?, [3.0, 1.0]);
//!     Ok(())
//! }
//! ```
//!
//! # What a graph item generates
//!
//! For `graph Shrink`: the struct `ShrinkArgs` of its arguments, whose `build` gives a `Shrink`. A `Shrink` derefs to [`Graph`] and has a
//! view per buffer (`x()`, `x_mut()`), `rebind_x`, a setter per host value (`set_bound`), a constant per label (`Shrink::HALVE`),
//! `into_parts()`, which gives owned buffers back, and `Shrink::outline()`, the graph without a device. A buffer is bound as `&x`, `&mut x`,
//! by value, or as an `Arc` for reading.
//!
//! # Parameters
//!
//! | written | is |
//! |---|---|
//! | `bound: f32` | a host value; what reaches a kernel is a [`DeviceValue`] |
//! | `n: u32 <= capacity` | a host value that may change at each launch up to a bound: memory and order are those of the bound, `n.bound()` |
//! | `x: &[T; n]`, `&mut [T; n]`, `&out [T; n]` | a [`Buffer`]: read; read and written; fully written, whatever it held. A length name that is no parameter is bound by the first buffer that has it, and checked against the others |
//! | `x: &host [T; n]`, `&mut host`, `&out host` | a [`PinnedBuffer`] |
//! | `x: &mailbox [T; n]`, `&mut mailbox` | a [`Mailbox`]: numbers that the host reads and writes while the graph runs |
//!
//! # Statements
//!
//! `#[optional]` in front of a labelled launch, copy, fill or assignment lets [`Graph::disable`] switch it off between launches.
//!
//! A statement may have a label in front, `'name:`, and behind it `after 'a, 'b`, which adds to the order and never removes from it.
//!
//! | written | is |
//! |---|---|
//! | `let t: [T; len];` `let t: [T; len] = value;` `let t: host [T; len];` | memory of the graph's own, undefined at each launch, or filled |
//! | `static s: [T; len] = value;` | memory of the graph's own that keeps its contents from launch to launch |
//! | `drop(t);` | the end of `t` |
//! | `module::kernel<<<grid, block>>>(&x, &out y, n as u32);` `<<<grid, block, shared_bytes>>>` | a launch; sizes are numbers, or tuples of two or three |
//! | `kernel for i in a..b { y[i] += x[i]; }` `kernel for (i, j) in (a..b, c..d) { … }` | a kernel that is written here: the body runs for each index, in parallel |
//! | `s[0] = (a..b).map(\|i\| x[i]).sum();` `product`, `min`, `max` | a reduction |
//! | `copy(&a, &out b);` `copy(&a[..k], &out b[k..]);` | a copy, in any direction |
//! | `fill(&out x, value);` | every element is `value` |
//! | `s[0] = a[0] / b[0];` `s[0] += 1;` | arithmetic on the device |
//! | `swap(&mut a, &mut b);` | the names change places; no node |
//! | `if c { … } else { … }`, `match s[0] { 0 => { … } 1 \| 4..8 => { … } _ => { … } }` | decided on the device if `c` reads a buffer, else when the graph is built |
//! | `while c limit N every K { … }` | a loop on the device, tested before the first pass and after every `K`-th; `limit` and `every` may be left out |
//! | `loop limit N every K { … if c { break; } }` | the same without the test before the first pass |
//! | `assert!(info[0] == 0, "tile {k}");` | looked at on the device; who waits for the launch gets the error |
//! | `let k = n.div_ceil(2);` | a host value, evaluated when the graph is built and when a value that it names is set |
//!
//! # Arguments
//!
//! `&x` reads, `&mut x` reads and writes, `&out x` writes every element and needs no old ones, `&atomic x` updates in a way that commutes;
//! each with a range, `&x[a..b]`, a box of a buffer with a shape, `&x[(a..b, c..d)]`, or without. The mode is the one that the kernel declares: `&[T; n]`, `&mut [T; n]`,
//! [`Out<[T; n]>`](kernel::Out), [`Atomic<[T; n]>`](kernel::Atomic). The declared length, in the kernel's own values, says how many elements
//! the kernel touches: it is checked at each build and setter.
//!
//! # Devices
//!
//! [`Device::cuda`], [`Device::cpu`], [`Device::best`]. The CPU runs the bodies written beside the declarations, by the same plan;
//! [`Device::shuffled`] runs independent nodes in random orders, so that a missing edge becomes a wrong result in a test.
//!
//! # Memory of several graphs
//!
//! A [`Shared`] buffer may be bound to several graphs that write it; an [`Arena`] holds the transients of several graphs, which are built with
//! `build_in(&arena, &device)`. Launches that meet there take turns, ordered on the device.
//!
//! # Features
//!
//! `cuda`, on by default: CUDA devices. It needs no CUDA to build. `cublas`, `cusolver`, `cufft`: these libraries in captures.

#[cfg(test)]
extern crate self as graph_runtime;

#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod arithmetic;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod buffer;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod call;
mod compute;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod debug;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod device;
pub mod element;
mod error;
pub mod errors;
mod fault;
mod graph;
pub mod kernel;
#[cfg(feature = "cuda")]
mod nvtx;
mod page;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA devices need all of it"))]
mod plan;
pub mod prelude;
mod program;
mod progress;
#[cfg_attr(not(feature = "cuda"), expect(dead_code, unused_imports, reason = "only CUDA devices need all of it"))]
mod scalar;

pub use buffer::{
    BindHostMut, BindHostRead, BindList, BindMailbox, BindMut, BindRead, BindStruct, BindStructMut, Bound, BoundStruct,
    Buffer, Buffers, Mailbox, MailboxElement, PinnedBuffer, Shared, Slice, SliceMut,
};
pub use call::{
    BindEvent, BindHeld, BindHeldMut, BindObject, BindObjectMut, BoundObject, CaptureStream, DeviceView, DeviceViewMut,
    Event, IntoOutcome,
};
#[cfg(feature = "cufft")]
pub use cuda::Fft;
#[cfg(feature = "cuda")]
pub use cuda::LoadedFunction;
#[cfg(feature = "cusolver")]
pub use cuda::Solver;
#[cfg(feature = "cublas")]
pub use cuda::{Blas, BlasCall, BlasFloat, BlasNumber, BlasOnStream, CaptureBlas, Op, Side, Triangle};
/// The bindings that captured calls and conversions speak in: what is used with this crate must be of the same version.
#[cfg(feature = "cuda")]
pub use cudarc;
pub use debug::{Checked, Compared, Differs, LoopProfile, NodeProfile, OldCode, Profile, Tolerance, Unlike};
pub use device::{Device, DeviceKind, HeldMemory, cuda_available};
pub use element::{DeviceValue, Element};
pub use error::{DriverError, Error, NodeName, Refusal, Result};
pub use graph::{
    Arena, BuildTimings, Cache, CacheFigures, Candidate, Durations, Exit, Graph, Label, MemoryFigures, Obligation,
    Outline, Replicas, Ticket, Touched, Tuning, Update,
};
pub use graph_ir;
pub use graph_macros::{Buffers, DeviceValue, cuda_graph, cuda_module};
pub use plan::{Explanation, Pass, PlanEdge, PlanNode, PlanView, Planning};
