//! Replicas: graphs of one kind that take the work in turn.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::error::{Error, Result};

/// Graphs of one kind, each with buffers of its own, that take the work in turn: while one runs, the next is given its input.
///
/// A replica is a graph like any other, and their launches run side by side where they share no buffer that one of them writes, and no
/// arena.
pub struct Replicas<G> {
    graphs: Vec<G>,
    next: usize,
}

impl<G> Replicas<G> {
    /// Builds `count` graphs; the closure is given each one's number.
    ///
    /// # Errors
    /// That of the closure, and if there is to be no graph at all.
    pub fn build(count: usize, build: impl FnMut(usize) -> Result<G>) -> Result<Self> {
        if count == 0 {
            return Err(Error::Buffer(
                "there must be one replica at least, and 0 were asked for\nhelp: ask for 1".to_owned(),
            ));
        }
        Ok(Self { graphs: (0..count).map(build).collect::<Result<_>>()?, next: 0 })
    }

    /// The graph whose turn it is, with its number.
    pub fn turn(&mut self) -> (usize, &mut G) {
        let index = self.next;
        self.next = (index + 1) % self.graphs.len();
        (index, &mut self.graphs[index])
    }

    /// The graphs, in the order of their numbers.
    pub fn into_graphs(self) -> Vec<G> {
        self.graphs
    }
}

impl<G> Deref for Replicas<G> {
    type Target = [G];

    fn deref(&self) -> &[G] {
        &self.graphs
    }
}

impl<G> DerefMut for Replicas<G> {
    fn deref_mut(&mut self) -> &mut [G] {
        &mut self.graphs
    }
}

impl<G> fmt::Debug for Replicas<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replicas({} graphs, the turn of {})", self.graphs.len(), self.next)
    }
}
