//! What a parameter is: its mode, its memory, its element type, or that it is a list or a struct of such.

use std::marker::PhantomData;

use super::arguments::{GhostReader, Shape};
use crate::element::Element;
use crate::kernel::ghost::{Ghost, GhostList};

/// A kind of parameter. Never made: a name for rustc.
pub trait Kind {
    /// What stands for it in an evaluator.
    type Ghost: Clone + Send + Sync + 'static;

    /// The ghost of what was bound with this shape.
    fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> Self::Ghost;
}

macro_rules! kinds_of_buffers {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $(
            $(#[$doc])*
            pub struct $name<T>(PhantomData<fn() -> T>);

            impl<T: Element> Kind for $name<T> {
                type Ghost = Ghost<T>;

                fn ghost(_: &Shape, reader: &mut GhostReader<'_>) -> Ghost<T> {
                    reader.buffer()
                }
            }
        )*
    };
}

kinds_of_buffers! {
    /// `&[T]`
    Read,
    /// `&mut [T]`, `&out [T]`
    Write,
    /// `&host [T]`
    HostRead,
    /// `&mut host [T]`, `&out host [T]`
    HostWrite,
    /// `&mailbox [T]`, `&mut mailbox [T]`
    InMailbox
}

/// `[K]`
pub struct ListOf<K>(PhantomData<fn() -> K>);

impl<K: Kind> Kind for ListOf<K> {
    type Ghost = GhostList<K::Ghost>;

    fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> Self::Ghost {
        let (name, items) = shape.list();
        GhostList::new(name, items.iter().map(|item| K::ghost(item, reader)).collect())
    }
}
