//! Objects that a graph gives back.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::Event;
use super::object::{Kept, Objects, Owner};

/// The objects of a graph that was taken apart.
pub struct BoundObjects<'g> {
    objects: Arc<Objects>,
    /// All launches are over.
    finished: bool,
    lifetime: PhantomData<&'g mut ()>,
}

impl<'g> BoundObjects<'g> {
    pub(crate) fn new(objects: Arc<Objects>, finished: bool) -> Self {
        Self { objects, finished, lifetime: PhantomData }
    }

    /// An object by its number: only generated code, which knows its type and asks once, does.
    pub fn object<T>(&self, index: u32) -> BoundObject<'g, T> {
        let owner = self.objects.owner(index);
        BoundObject { owner, finished: self.finished, object: PhantomData, lifetime: PhantomData }
    }

    /// An event by its number.
    pub fn event(&self, index: u32) -> Event {
        let Some(event) = self.objects.event(index) else { unreachable!("generated code asks for what it bound") };
        event.clone()
    }
}

/// An object that a graph no longer uses.
pub struct BoundObject<'g, T> {
    owner: Owner,
    finished: bool,
    object: PhantomData<fn() -> T>,
    lifetime: PhantomData<&'g mut ()>,
}

impl<T: Send + 'static> BoundObject<'_, T> {
    /// The object, if it was bound by value. `None` too if the graph's launches could not be waited for: a callback may still use it.
    pub fn into_inner(self) -> Option<T> {
        let kept = self.owner.filter(|_| self.finished)?.downcast::<Kept<T>>().ok()?;
        // SAFETY: the graph is gone and its launches are over, so no closure runs again; there is one `BoundObject` for each object.
        unsafe { kept.take() }
    }

    /// The `Arc`, if it was bound through one.
    pub fn into_shared(self) -> Option<Arc<T>>
    where
        T: Sync,
    {
        self.owner?.downcast().ok()
    }
}

impl<T> fmt::Debug for BoundObject<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundObject({})", std::any::type_name::<T>())
    }
}
