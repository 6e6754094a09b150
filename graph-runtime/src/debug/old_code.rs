//! Old code that runs beside a graph, over the graph's buffers.

use std::cell::RefCell;
use std::fmt;

use crate::buffer::Leaf;
#[cfg(feature = "cuda")]
use crate::call::{CaptureStream, DeviceView, DeviceViewMut};
use crate::element::{Element, ElementLayout};
use crate::error::{Error, Result};

/// What the closure of [`Graph::compare_with`](crate::Graph::compare_with) is given: the graph's buffers by name, with the contents that the
/// graph is about to start from, and on a CUDA device a stream.
pub struct OldCode<'a> {
    graph: &'a str,
    sides: &'a [Side<'a>],
    /// By buffer: how it was given out.
    given: RefCell<Vec<Given>>,
    #[cfg(feature = "cuda")]
    stream: Option<CaptureStream>,
}

/// A buffer that both sides use.
#[derive(Clone, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) leaf: &'a Leaf,
    /// Of the first element.
    pub(crate) address: u64,
    /// Whether the graph writes it.
    pub(crate) writes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Not,
    Read,
    Write,
}

impl<'a> OldCode<'a> {
    pub(crate) fn new(graph: &'a str, sides: &'a [Side<'a>]) -> Self {
        Self {
            graph,
            sides,
            given: RefCell::new(vec![Given::Not; sides.len()]),
            #[cfg(feature = "cuda")]
            stream: None,
        }
    }

    /// The same with a stream of the graph's device.
    #[cfg(feature = "cuda")]
    pub(crate) fn in_stream(self, stream: Option<CaptureStream>) -> Self {
        Self { stream, ..self }
    }

    /// The stream into which the old code puts its work, on a CUDA device. What it puts into others must be over when the closure returns.
    ///
    /// # Errors
    /// On the CPU, which has no streams.
    #[cfg(feature = "cuda")]
    pub fn stream(&self) -> Result<&CaptureStream> {
        self.stream.as_ref().ok_or_else(|| self.elsewhere("on the CPU, which has no streams", "slice"))
    }

    /// A buffer that the old code reads, on a CUDA device: its address is where the graph has it. By the name that it is bound to: `x`, `src[3]`.
    ///
    /// # Errors
    /// If nothing is called so, if its elements are others, if it is given out for writing, and on the CPU.
    #[cfg(feature = "cuda")]
    pub fn view<T: Element>(&self, name: &str) -> Result<DeviceView<'_, T>> {
        let stream = self.stream()?;
        let (address, length) = self.give::<T>(name, Given::Read)?;
        Ok(DeviceView::new(address, length, stream))
    }

    /// A buffer that the old code writes, on a CUDA device.
    ///
    /// # Errors
    /// As [`OldCode::view`], if it is given out at all, and if the graph does not write it.
    #[cfg(feature = "cuda")]
    pub fn view_mut<T: Element>(&self, name: &str) -> Result<DeviceViewMut<'_, T>> {
        let stream = self.stream()?;
        let (address, length) = self.give::<T>(name, Given::Write)?;
        Ok(DeviceViewMut::new(address, length, stream))
    }

    /// A buffer that the old code reads, on the CPU.
    ///
    /// # Errors
    /// As [`OldCode::view`], and on a CUDA device.
    pub fn slice<T: Element>(&self, name: &str) -> Result<&[T]> {
        let (address, length) = self.on_cpu::<T>(name, Given::Read)?;
        // SAFETY: `on_cpu` has found a buffer of the host's memory with so many elements of this type, which the graph holds and nobody else
        // writes: its launches are over, other graphs wait for their turn, and it is not given out for writing.
        Ok(unsafe { std::slice::from_raw_parts(address as *const T, length) })
    }

    /// A buffer that the old code writes, on the CPU.
    ///
    /// # Errors
    /// As [`OldCode::view_mut`], and on a CUDA device.
    #[allow(clippy::mut_from_ref, reason = "each buffer is given out once for writing")]
    pub fn slice_mut<T: Element>(&self, name: &str) -> Result<&mut [T]> {
        let (address, length) = self.on_cpu::<T>(name, Given::Write)?;
        // SAFETY: as in `slice`; the graph writes it, so it is bound alone, and it is given out this once.
        Ok(unsafe { std::slice::from_raw_parts_mut(address as *mut T, length) })
    }

    fn on_cpu<T: Element>(&self, name: &str, how: Given) -> Result<(u64, usize)> {
        #[cfg(feature = "cuda")]
        if self.stream.is_some() {
            return Err(self.elsewhere("on a CUDA device, whose memory has no slices", "view"));
        }
        let (address, length) = self.give::<T>(name, how)?;
        // Where there are no bytes there may be no address.
        Ok(if length == 0 || size_of::<T>() == 0 { (align_of::<T>() as u64, length) } else { (address, length) })
    }

    /// Without CUDA nothing lies elsewhere.
    #[cfg(feature = "cuda")]
    fn elsewhere(&self, why: &str, instead: &str) -> Error {
        let graph = self.graph;
        Error::Buffer(format!("graph `{graph}` is {why}\nhelp: ask the old code for `{instead}` and `{instead}_mut`"))
    }

    /// Where the buffer is and how many elements it has.
    fn give<T: Element>(&self, name: &str, how: Given) -> Result<(u64, usize)> {
        let graph = self.graph;
        let Some(index) = self.sides.iter().position(|side| side.leaf.name == name) else {
            let known: Vec<_> = self.sides.iter().take(10).map(|side| format!("`{}`", side.leaf.name)).collect();
            let known = known.join(", ");
            return Err(Error::Buffer(format!(
                "graph `{graph}` has no buffer `{name}` to compare\nnote: it has {known}"
            )));
        };
        let Side { leaf, address, writes } = &self.sides[index];
        if leaf.element != ElementLayout::of::<T>() {
            let (is, asked) = (leaf.element.name, std::any::type_name::<T>());
            return Err(Error::Buffer(format!(
                "buffer `{name}` of graph `{graph}` holds `{is}`, and is asked for as `{asked}`"
            )));
        }
        if how == Given::Write && !writes {
            let help = "let the old code write what the graph writes, and read the rest";
            return Err(Error::Buffer(format!("buffer `{name}` is only read by graph `{graph}`\nhelp: {help}")));
        }
        let given = &mut self.given.borrow_mut()[index];
        if *given == Given::Write || (*given == Given::Read && how == Given::Write) {
            return Err(Error::Buffer(format!("buffer `{name}` of graph `{graph}` is given out already")));
        }
        *given = how;
        Ok((*address, leaf.length))
    }
}

impl fmt::Debug for OldCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.sides.iter().map(|side| &side.leaf.name).collect();
        write!(f, "OldCode(beside {}, over {names:?})", self.graph)
    }
}
