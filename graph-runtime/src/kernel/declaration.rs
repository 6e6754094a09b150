//! What `#[cuda_module]` knows about a kernel and its file.

use graph_ir::model::Mode;

use super::{CpuLaunch, LaunchFacts, Unmet};
use crate::element::{DeviceValue, Element, ElementLayout};

/// The lengths of the buffers, from the bytes of the values.
pub(super) type Lengths = fn(&[&[u8]]) -> Result<Vec<u64>, String>;

/// A kernel, as declared in a `#[cuda_module]`.
#[derive(Debug)]
pub struct KernelDeclaration {
    /// As declared: `sweep`.
    pub name: &'static str,
    /// How its module knows it.
    pub symbol: KernelSymbol,
    /// Where it is loaded from.
    pub module: &'static ModuleSource,
    /// In order.
    pub parameters: &'static [ParameterDeclaration],
    /// How many elements the kernel touches, for each *buffer* parameter in order: one number for each dimension, then one for each
    /// declared distance; from the bytes of the *value* parameters in order. An error names the value that cannot be a length.
    pub lengths: Lengths,
    /// `#[block(…)]`: the only block that it may be launched with.
    pub block: Option<[u32; 3]>,
    /// `#[requires(…)]`: the first requirement that a launch does not meet.
    pub requires: Option<fn(&LaunchFacts<'_>) -> Option<Unmet>>,
    /// `#[waits]`: a thread executes `griddepcontrol.wait` before it touches memory, and in each block some thread does in any case.
    pub waits: bool,
    /// `#[waits(first)]`: no block executes `griddepcontrol.launch_dependents`, or is over, before it has waited.
    pub waits_first: bool,
    /// `#[early(…)]`: which parameters it may read before that, from 0.
    pub early: &'static [usize],
    /// `#[effects]`: it keeps its order among all that have effects.
    pub effects: bool,
    /// The body that runs on the CPU, over the whole grid at once.
    pub cpu: Option<fn(&CpuLaunch<'_>)>,
    /// `src/main.rs:14:9`.
    pub location: SourceLocation,
}

/// How a module knows a kernel.
#[derive(Clone, Copy, Debug)]
pub enum KernelSymbol {
    /// By the name in the compiled module.
    Name(&'static str),
    /// By a C++ name, which NVRTC instantiates and turns into the name in the compiled module: `axpy<float, 4>`. An error says which type
    /// has no name in CUDA C++.
    Expression(fn() -> Result<String, String>),
}

/// A place in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// Path as the compiler was given it.
    pub file: &'static str,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// One parameter of a kernel.
#[derive(Debug)]
pub struct ParameterDeclaration {
    /// As written.
    pub name: &'static str,
    /// Buffer or value.
    pub kind: ParameterKind,
}

/// What a kernel's parameter is.
#[derive(Debug)]
pub enum ParameterKind {
    /// A pointer to elements.
    Buffer {
        /// As declared: `&[T]`, `&mut [T]`, `Out<[T]>`, `Atomic<[T]>`.
        mode: Mode,
        /// The element.
        element: fn() -> ElementLayout,
        /// The declared length, as written: `w * h`, `(h, w)`.
        length: &'static str,
        /// One for a length, two or three for a shape.
        dimensions: u8,
        /// Whether the distances of rows (and slices) are declared: `(h, w).pitch(p)`.
        pitched: bool,
    },
    /// A list of buffers: a table of their addresses and lengths.
    List {
        /// As declared: `&List<[T]>`, `&mut List<[T]>`, `Out<List<[T]>>`, `Atomic<List<[T]>>`.
        mode: Mode,
        /// The element.
        element: fn() -> ElementLayout,
    },
    /// A value.
    Value {
        /// Its type.
        layout: fn() -> ElementLayout,
    },
    /// The condition of the loop that it is launched in.
    Condition,
}

/// A kernel file.
#[derive(Debug)]
pub struct ModuleSource {
    /// The Rust module's name, for messages: `jacobi`.
    pub name: &'static str,
    /// The path in `#[cuda_module("…")]`.
    pub path: &'static str,
    /// Its contents.
    pub code: ModuleCode,
    /// `#[cuda_module]`'s place.
    pub location: SourceLocation,
}

/// The contents of a kernel file, embedded in the program.
#[derive(Debug)]
pub enum ModuleCode {
    /// CUDA C++, compiled by NVRTC when a graph that uses it is built.
    Source {
        /// The file.
        text: &'static str,
        /// Every header that a quoted `#include` finds beside the file that includes it, by the name written there: NVRTC looks names up
        /// as they are written, wherever the including file lies.
        headers: &'static [(&'static str, &'static str)],
        /// `options("…")`, in order.
        options: &'static [&'static str],
    },
    /// PTX text.
    Ptx(&'static str),
    /// A compiled image.
    Cubin(&'static [u8]),
}

/// The layout of a buffer's element.
pub fn buffer_layout<T: Element>() -> ElementLayout {
    ElementLayout::of::<T>()
}

/// The layout of a value parameter.
pub fn value_layout<T: DeviceValue>() -> ElementLayout {
    ElementLayout::of::<T>()
}
