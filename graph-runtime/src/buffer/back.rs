//! What a graph gives back: arranged as it was bound.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::arguments::{Leaf, Owner, Shape};
use super::bind::{Binding, Bound, Exclusion};
use super::kind::{HostRead, HostWrite, InMailbox, ListOf, Read, Write};
use super::structs::{StructRead, StructWrite};
use crate::element::Element;

/// A kind of parameter whose buffers come back. That it is a kind is asked for once, by the evaluator.
pub trait GiveBack<'g> {
    /// As what: [`Bound`], [`BoundStruct`], or a vector of those.
    type Back;

    /// Puts it together.
    fn give_back(shape: Shape, parts: &mut Parts<'g>) -> Self::Back;
}

/// The buffers of a graph that was taken apart, in order, and the objects.
pub struct Parts<'g> {
    bindings: std::vec::IntoIter<(Leaf, Binding<'g>)>,
    shapes: std::vec::IntoIter<Shape>,
}

impl<'g> Parts<'g> {
    /// Of buffers that are arranged so.
    pub(super) fn new(leaves: Vec<Leaf>, bindings: Vec<Binding<'g>>, shapes: Vec<Shape>) -> Self {
        let bindings: Vec<_> = leaves.into_iter().zip(bindings).collect();
        Self { bindings: bindings.into_iter(), shapes: shapes.into_iter() }
    }

    /// Of a part of a parameter.
    pub(crate) fn of(leaves: Vec<Leaf>, bindings: Vec<Binding<'g>>) -> Self {
        Self::new(leaves, bindings, Vec::new())
    }

    /// The next parameter: only generated code, which knows what it is, asks.
    pub fn parameter<K: GiveBack<'g>>(&mut self) -> K::Back {
        let Some(shape) = self.shapes.next() else { unreachable!("generated code asks for what it bound") };
        K::give_back(shape, self)
    }

    fn buffer<T>(&mut self) -> Bound<'g, T> {
        let Some((_, binding)) = self.bindings.next() else { unreachable!("a shape has as many buffers as it says") };
        Bound::new(binding)
    }

    fn structure<S>(&mut self, shape: Shape) -> BoundStruct<'g, S> {
        let Shape::Bound { inner, owner, exclusion } = shape else {
            unreachable!("a struct's shape is made where a struct is bound")
        };
        // Those that the struct itself has are dropped: they would keep it.
        let all = self.bindings.by_ref().take(inner.buffers() as usize);
        let replaced = all.filter(|(leaf, _)| leaf.replaced).map(|(leaf, binding)| (leaf.name, binding)).collect();
        BoundStruct { owner, exclusion, replaced, structure: PhantomData }
    }
}

macro_rules! buffers {
    ($($kind:ident),*) => {
        $(impl<'g, T: Element> GiveBack<'g> for $kind<T> {
            type Back = Bound<'g, T>;

            fn give_back(_: Shape, parts: &mut Parts<'g>) -> Self::Back {
                parts.buffer()
            }
        })*
    };
}

buffers!(Read, Write, HostRead, HostWrite, InMailbox);

macro_rules! structs {
    ($($kind:ident),*) => {
        $(impl<'g, S> GiveBack<'g> for $kind<S> {
            type Back = BoundStruct<'g, S>;

            fn give_back(shape: Shape, parts: &mut Parts<'g>) -> Self::Back {
                parts.structure(shape)
            }
        })*
    };
}

structs!(StructRead, StructWrite);

impl<'g, K: GiveBack<'g>> GiveBack<'g> for ListOf<K> {
    type Back = Vec<K::Back>;

    fn give_back(shape: Shape, parts: &mut Parts<'g>) -> Self::Back {
        let Shape::List { items, .. } = shape else { unreachable!("a list's shape is made where a list is bound") };
        items.into_iter().map(|item| K::give_back(item, parts)).collect()
    }
}

/// A struct of buffers that a graph no longer names. Launches that are still running may use its buffers; reading them waits.
pub struct BoundStruct<'g, S> {
    owner: Option<Owner>,
    exclusion: Exclusion,
    /// What was bound in the place of buffers of the struct, by name.
    replaced: Vec<(String, Binding<'g>)>,
    structure: PhantomData<fn() -> S>,
}

impl<'g, S: Send + Sync + 'static> BoundStruct<'g, S> {
    /// The struct, if it was bound by value: with the buffers that it had then.
    pub fn into_inner(self) -> Option<S> {
        let owner = self.owner.filter(|_| self.exclusion == Exclusion::Owned)?;
        drop(self.replaced);
        Arc::try_unwrap(owner.downcast().ok()?).ok()
    }

    /// The `Arc`, if it was bound through one.
    pub fn into_shared(self) -> Option<Arc<S>> {
        self.owner.filter(|_| self.exclusion == Exclusion::Shared)?.downcast().ok()
    }

    /// The buffer that was bound in the place of one of the struct's, by its name: `state.history[0]`. Once.
    pub fn replaced<T: Element>(&mut self, name: &str) -> Option<Bound<'g, T>> {
        let index = self.replaced.iter().position(|(known, _)| known == name)?;
        (self.replaced[index].1.is::<T>()).then(|| Bound::new(self.replaced.swap_remove(index).1))
    }
}

impl<S> fmt::Debug for BoundStruct<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundStruct({}, {:?})", std::any::type_name::<S>(), self.exclusion)
    }
}
