//! Views of the buffers that a graph is bound to, and the methods of a graph's own type for one buffer parameter.
//!
//! For these `cuda_graph!` writes a line for each parameter, and rustc copies the rest: tokens that a macro returns are dearer than those that it
//! names.

use super::Graph;
use crate::buffer::{Slice, SliceMut};
use crate::error::{Error, Result};
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// The buffer bound to a parameter, for reading.
    #[doc(hidden)]
    pub fn view<T>(&self, parameter: u32) -> Slice<'_, T> {
        Slice::new(self.memory.bound(parameter), self.memory.lent())
    }

    /// The buffer bound to a parameter, for reading and writing.
    #[doc(hidden)]
    pub fn view_mut<T>(&mut self, parameter: u32) -> Result<SliceMut<'_, T>> {
        let name = &self.layout.leaves()[parameter as usize].name;
        SliceMut::new(self.memory.bound(parameter), self.memory.lent(), name)
    }

    /// A bound buffer by its name, for reading: `x`, `src[3]`, `layers[0].qkv.w`.
    ///
    /// # Errors
    /// If no buffer is called so.
    pub fn view_of<T>(&self, name: &str) -> Result<Slice<'_, T>> {
        Ok(Slice::new(self.memory.bound(self.leaf_named(name)?), self.memory.lent()))
    }

    /// The same for reading and writing.
    ///
    /// # Errors
    /// If no buffer is called so, or if it was bound through `&` or an `Arc`.
    pub fn view_of_mut<T>(&mut self, name: &str) -> Result<SliceMut<'_, T>> {
        SliceMut::new(self.memory.bound(self.leaf_named(name)?), self.memory.lent(), name)
    }

    pub(super) fn leaf_named(&self, name: &str) -> Result<u32> {
        let leaves = self.layout.leaves();
        let found = leaves.iter().position(|leaf| leaf.name == name);
        found.map(|leaf| leaf as u32).ok_or_else(|| {
            let mut known: Vec<_> = leaves.iter().take(10).map(|leaf| format!("`{}`", leaf.name)).collect();
            if leaves.len() > known.len() {
                known.push(format!("and {} more", leaves.len() - known.len()));
            }
            let graph = &self.symbolic.name;
            Error::Buffer(format!("graph `{graph}` has no buffer `{name}`\nnote: it is bound to {}", known.join(", ")))
        })
    }

    /// The number of what is bound to a parameter that is no list, among all that are bound.
    #[doc(hidden)]
    pub fn bound_to(&self, parameter: u32) -> u32 {
        self.layout.leaves_of(parameter).start
    }

    /// The number of a buffer among all that are bound: of a parameter, or of one in a list by its indices.
    #[doc(hidden)]
    pub fn bound_at(&self, parameter: u32, indices: &[usize]) -> Result<u32> {
        self.layout.leaf(parameter, indices).map_err(Error::Buffer)
    }

    /// A `static` buffer, for reading.
    #[doc(hidden)]
    pub fn static_view<T>(&self, index: u32) -> Slice<'_, T> {
        Slice::new(self.memory.statics().get(index), self.memory.lent())
    }

    /// A `static` buffer, for reading and writing.
    #[doc(hidden)]
    pub fn static_view_mut<T>(&mut self, index: u32) -> Result<SliceMut<'_, T>> {
        SliceMut::new(self.memory.statics().get(index), self.memory.lent(), "static")
    }
}

/// `b`, `b_mut` and `rebind_b`, inside `impl<'g> OwnType<'g>`. Without the first two for a mailbox: who looks at it has it, and a view
/// would wait for the graph.
#[doc(hidden)]
#[macro_export]
macro_rules! __views {
    ($number:literal $name:ident $view_mut:ident $rebind:ident, $graph:lifetime, $element:ty, {$($bind:tt)*}) => {
        #[doc = "To read: every access waits for this graph's last launch."]
        #[allow(unreachable_pub, reason = "the graph\'s type may be private")]
        pub fn $name(&self) -> $crate::Slice<'_, $element> {
            self.0.view(self.0.bound_to($number))
        }

        #[doc = "To write between launches. An error if it was bound through `&` or `Arc`."]
        #[allow(unreachable_pub, reason = "the graph\'s type may be private")]
        pub fn $view_mut(&mut self) -> $crate::Result<$crate::SliceMut<'_, $element>> {
            let leaf = self.0.bound_to($number);
            self.0.view_mut(leaf)
        }

        $crate::__views!($number $rebind, $graph, $element, {$($bind)*});
    };
    ($number:literal $rebind:ident, $graph:lifetime, $element:ty, {$($bind:tt)*}) => {
        #[doc = "Binds another buffer and gives the old one back. On an error nothing has changed."]
        #[allow(unreachable_pub, reason = "the graph\'s type may be private")]
        pub fn $rebind(&mut self, buffer: impl $($bind)*) -> $crate::Result<$crate::Bound<$graph, $element>> {
            let leaf = self.0.bound_to($number);
            self.0.rebind(leaf, buffer.bind())
        }
    };
}
