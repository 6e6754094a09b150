//! The methods of a graph's own type for one buffer parameter.
//!
//! `cuda_graph!` writes a line for each parameter, and rustc copies the rest: tokens that a macro returns are dearer than those that it names.

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
