//! Lists in an evaluator.

use std::ops::{Deref, Index, IndexMut};
use std::sync::Arc;

use super::{Ghost, WithLength};

/// A list in an evaluator.
pub struct GhostList<G> {
    name: Arc<str>,
    items: Arc<[G]>,
}

impl<G> Clone for GhostList<G> {
    fn clone(&self) -> Self {
        Self { name: Arc::clone(&self.name), items: Arc::clone(&self.items) }
    }
}

impl<G> GhostList<G> {
    /// A list of these items, called `name` in messages.
    pub fn new(name: Arc<str>, items: Arc<[G]>) -> Self {
        Self { name, items }
    }
}

impl<G: WithLength> WithLength for GhostList<G> {
    fn with_length(&self, length: usize) -> Self {
        Self::new(Arc::clone(&self.name), self.items.iter().map(|item| item.with_length(length)).collect())
    }
}

impl<G: WithLength> GhostList<G> {
    /// The same with another number of elements in each buffer.
    #[must_use]
    pub fn with_length(self, length: usize) -> Self {
        WithLength::with_length(&self, length)
    }
}

impl<G> Deref for GhostList<G> {
    type Target = [G];

    fn deref(&self) -> &[G] {
        &self.items
    }
}

impl<G> Index<usize> for GhostList<G> {
    type Output = G;

    fn index(&self, index: usize) -> &G {
        let length = self.items.len();
        self.items.get(index).unwrap_or_else(|| {
            let text = format!("index {index} is out of bounds: the list `{}` has {length} items", self.name);
            // Like a panic, which the build turns into an error, but without its message on the terminal.
            std::panic::resume_unwind(Box::new(text))
        })
    }
}

impl<G: Clone> IndexMut<usize> for GhostList<G> {
    fn index_mut(&mut self, index: usize) -> &mut G {
        // Out of bounds it says so.
        let _ = &self[index];
        &mut Arc::make_mut(&mut self.items)[index]
    }
}

impl<'l, G> IntoIterator for &'l GhostList<G> {
    type Item = &'l G;
    type IntoIter = std::slice::Iter<'l, G>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// What has a first buffer, whose number of elements gives a length its name.
pub trait FirstLength {
    /// None if there is no buffer.
    fn first_length(&self) -> Option<usize>;
}

impl<T> FirstLength for Ghost<T> {
    fn first_length(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<G: FirstLength> FirstLength for GhostList<G> {
    fn first_length(&self) -> Option<usize> {
        self.iter().find_map(G::first_length)
    }
}

/// The number of elements of a list's first buffer; zero if there is none.
pub fn first_length(list: &impl FirstLength) -> usize {
    list.first_length().unwrap_or(0)
}
