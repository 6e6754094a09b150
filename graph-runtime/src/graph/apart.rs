//! The end of a graph: what it was bound to comes back.

use std::sync::Arc;

use super::Graph;
use crate::buffer::{Binding, Parts};
use crate::call::BoundObjects;
use crate::program::Program;

impl<'g, P: Program> Graph<'g, P> {
    /// Gives the buffers back, in the order of the parameters, of which there are `N`: only generated code calls this.
    #[doc(hidden)]
    pub fn into_bindings<const N: usize>(self) -> [Binding<'g>; N] {
        let Ok(bindings) = self.memory.into_parameters().try_into() else {
            unreachable!("generated code asks for as many bindings as it made");
        };
        bindings
    }

    /// Ends the graph and gives everything back: only generated code, which knows what was bound, calls this.
    #[doc(hidden)]
    pub fn take_apart(self) -> (Parts<'g>, BoundObjects<'g>) {
        // A callback may not find an object gone.
        let finished = self.objects.are_free(&self.fence);
        let Self { memory, layout, objects, executable, plan, evaluated, .. } = self;
        drop((executable, plan, evaluated));
        let bindings = memory.into_parameters();
        (Arc::unwrap_or_clone(layout).give_back(bindings), BoundObjects::new(objects.into_table(), finished))
    }
}
