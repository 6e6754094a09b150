//! What lies in a graph's buffers: to begin a launch again as another one began.

use graph_ir::model::Memory;

use super::Graph;
use crate::buffer::{Binding, Exclusion};
use crate::error::{Error, Result};
use crate::program::Program;

/// The bytes of the buffers that a graph may write: those that it is bound to, then its `static` ones.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents(Vec<Vec<u8>>);

impl<P: Program> Graph<'_, P> {
    /// What the buffers hold now, once the launches so far are over.
    #[doc(hidden)]
    pub fn contents(&self) -> Result<Contents> {
        self.written().map(Binding::contents).collect::<Result<_>>().map(Contents)
    }

    /// Makes the buffers what they were when `contents` was taken of them.
    #[doc(hidden)]
    pub fn put_contents(&mut self, contents: &Contents) -> Result<()> {
        if contents.0.len() != self.written().count() {
            return Err(Error::Buffer("what a graph's buffers held is of another graph".to_owned()));
        }
        self.written().zip(&contents.0).try_for_each(|(binding, bytes)| binding.put_contents(bytes))
    }

    fn written(&self) -> impl Iterator<Item = &Binding<'_>> {
        let bound = self.memory.parameters().iter().chain(self.memory.statics().all());
        let written = |binding: &Binding<'_>| {
            binding.exclusion != Exclusion::Shared && binding.allocation.memory() != Memory::Mailbox
        };
        bound.filter(move |binding| written(binding))
    }
}
