//! Host objects: what a parameter `log: &Logger` or `comm: &mut Comm` is bound to, and how closures reach it.
//!
//! A graph may run after what it was built from is gone: a leaked graph's callbacks are still in flight when its borrows end. So an
//! object that a callback uses is owned ([`BindHeld`]); one that only the build and setters use, which borrow the graph, may be
//! borrowed ([`BindObject`]).

use std::any::{Any, TypeId};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Call, Event};

pub(super) type Owner = Option<Arc<dyn Any + Send + Sync>>;

/// An object on its way to a parameter.
pub struct ObjectBinding<'g> {
    object: Object,
    lifetime: PhantomData<&'g mut ()>,
}

#[derive(Clone)]
enum Object {
    /// A `&T`.
    Shared(Pointer),
    /// A `&mut T`, for whoever has the lock.
    Exclusive(Pointer, Arc<Mutex<()>>),
    Event(Event),
}

/// A `T` that outlives every call that is made with it.
#[derive(Clone)]
struct Pointer {
    address: *mut (),
    of: TypeId,
    /// What keeps it alive, if it is not borrowed.
    owner: Owner,
}

// SAFETY: what it points to was bound under bounds that allow its use from any thread: `T: Sync` for shared objects, `T: Send` for
// exclusive ones, which are used under a lock.
unsafe impl Send for Pointer {}
// SAFETY: as above.
unsafe impl Sync for Pointer {}

/// A `T` that was bound by value, until it is given back.
pub(super) struct Kept<T>(UnsafeCell<Option<T>>);

// SAFETY: it is reached through `Pointer`s only, under the bounds that are told there.
unsafe impl<T: Send> Sync for Kept<T> {}

impl<T> Kept<T> {
    fn address(&self) -> *mut T {
        // SAFETY: nobody else has it yet.
        unsafe { &mut *self.0.get() }.as_mut().map_or(std::ptr::null_mut(), |object| object)
    }

    /// Takes it out.
    ///
    /// # Safety
    /// Nobody reaches it any more, and this is called once.
    pub(super) unsafe fn take(&self) -> Option<T> {
        // SAFETY: the caller promises it.
        unsafe { &mut *self.0.get() }.take()
    }
}

impl ObjectBinding<'_> {
    fn of(object: Object) -> Self {
        Self { object, lifetime: PhantomData }
    }

    fn shared<T: 'static>(address: *const T, owner: Owner) -> Self {
        Self::of(Object::Shared(Pointer { address: address.cast_mut().cast(), of: TypeId::of::<T>(), owner }))
    }

    fn exclusive<T: 'static>(address: *mut T, owner: Owner) -> Self {
        let pointer = Pointer { address: address.cast(), of: TypeId::of::<T>(), owner };
        Self::of(Object::Exclusive(pointer, Arc::default()))
    }

    fn counted<T: Send + Sync + 'static>(object: Arc<T>) -> Self {
        Self::shared(Arc::as_ptr(&object), Some(object))
    }

    fn owned<T: Send + Sync + 'static>(object: T) -> Self {
        let owner = Arc::new(Kept(UnsafeCell::new(Some(object))));
        Self::shared(owner.address(), Some(owner))
    }

    fn locked<T: Send + 'static>(object: T) -> Self {
        let owner = Arc::new(Kept(UnsafeCell::new(Some(object))));
        Self::exclusive(owner.address(), Some(owner))
    }
}

impl fmt::Debug for ObjectBinding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.object {
            Object::Shared(_) => "ObjectBinding(&)",
            Object::Exclusive(..) => "ObjectBinding(&mut)",
            Object::Event(_) => "ObjectBinding(event)",
        })
    }
}

/// What a parameter `name: &T` may be bound to if no callback uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to the object parameter `&{T}`",
    label = "expected `&{T}`, `{T}` or `Arc<{T}>`"
)]
pub trait BindObject<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind_object(self) -> ObjectBinding<'g>;
}

/// What a parameter `name: &mut T` may be bound to if no callback uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to the object parameter `&mut {T}`",
    label = "expected `&mut {T}` or `{T}`"
)]
pub trait BindObjectMut<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind_object(self) -> ObjectBinding<'g>;
}

/// What a parameter `name: &T` may be bound to if a callback uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to the object parameter `&{T}`, which a callback uses",
    label = "expected `{T}` or `Arc<{T}>`",
    note = "a callback may run when what is borrowed here is gone"
)]
pub trait BindHeld<T> {
    /// The binding.
    #[doc(hidden)]
    fn bind_object(self) -> ObjectBinding<'static>;
}

/// What a parameter `name: &mut T` may be bound to if a callback uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to the object parameter `&mut {T}`, which a callback uses",
    label = "expected `{T}`",
    note = "a callback may run when what is borrowed here is gone"
)]
pub trait BindHeldMut<T> {
    /// The binding.
    #[doc(hidden)]
    fn bind_object(self) -> ObjectBinding<'static>;
}

/// What a parameter `e: &Event` may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to the event parameter `&{T}`",
    label = "expected `&Event` or `Event`"
)]
pub trait BindEvent<T> {
    /// The binding.
    #[doc(hidden)]
    fn bind_object(self) -> ObjectBinding<'static>;
}

impl<'g, T: Sync + 'static> BindObject<'g, T> for &'g T {
    fn bind_object(self) -> ObjectBinding<'g> {
        ObjectBinding::shared(self, None)
    }
}

impl<'g, T: Send + Sync + 'static> BindObject<'g, T> for T {
    fn bind_object(self) -> ObjectBinding<'g> {
        ObjectBinding::owned(self)
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: Send + Sync + 'static> BindObject<'g, T> for Arc<T> {
    fn bind_object(self) -> ObjectBinding<'g> {
        ObjectBinding::counted(self)
    }
}

impl<'g, T: Send + 'static> BindObjectMut<'g, T> for &'g mut T {
    fn bind_object(self) -> ObjectBinding<'g> {
        ObjectBinding::exclusive(self, None)
    }
}

impl<'g, T: Send + 'static> BindObjectMut<'g, T> for T {
    fn bind_object(self) -> ObjectBinding<'g> {
        ObjectBinding::locked(self)
    }
}

impl<T: Send + Sync + 'static> BindHeld<T> for T {
    fn bind_object(self) -> ObjectBinding<'static> {
        ObjectBinding::owned(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> BindHeld<T> for Arc<T> {
    fn bind_object(self) -> ObjectBinding<'static> {
        ObjectBinding::counted(self)
    }
}

impl<T: Send + 'static> BindHeldMut<T> for T {
    fn bind_object(self) -> ObjectBinding<'static> {
        ObjectBinding::locked(self)
    }
}

impl BindEvent<Event> for Event {
    fn bind_object(self) -> ObjectBinding<'static> {
        ObjectBinding::of(Object::Event(self))
    }
}

impl BindEvent<Event> for &Event {
    fn bind_object(self) -> ObjectBinding<'static> {
        BindEvent::bind_object(self.clone())
    }
}

/// The objects that a graph is bound to, in the order of its parameters.
#[derive(Default)]
pub struct Objects(Vec<Object>);

impl Objects {
    /// Whoever keeps the table makes no call with a borrowed object when its borrow is over.
    pub(crate) fn new(bindings: Vec<ObjectBinding<'_>>) -> Self {
        Self(bindings.into_iter().map(|binding| binding.object).collect())
    }

    /// Some of them, by other numbers: what a graph inside the graph is passed.
    pub(crate) fn pick(&self, indices: &[u32]) -> Self {
        Self(indices.iter().filter_map(|index| self.0.get(*index as usize)).cloned().collect())
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The event that a parameter is bound to.
    pub(crate) fn event(&self, index: u32) -> Option<&Event> {
        match self.0.get(index as usize) {
            Some(Object::Event(event)) => Some(event),
            _ => None,
        }
    }

    /// What keeps an object, if the graph does.
    pub(super) fn owner(&self, index: u32) -> Owner {
        match self.0.get(index as usize)? {
            Object::Shared(pointer) | Object::Exclusive(pointer, _) => pointer.owner.clone(),
            Object::Event(_) => None,
        }
    }

    /// An object, for host expressions: only generated code, which knows its type, asks.
    pub fn get<T: 'static>(&self, index: u32) -> &T {
        let Some(Object::Shared(pointer)) = self.0.get(index as usize) else { unreachable!("generated code asks") };
        // SAFETY: the evaluator runs while what the graph borrows lives, and nobody has a `&mut` to a shared object.
        unsafe { &*pointer.cast::<T>() }
    }

    /// The same, for a closure that is called later.
    pub fn handle<T: 'static>(&self, index: u32) -> Handle<T> {
        let Some(Object::Shared(pointer)) = self.0.get(index as usize) else { unreachable!("generated code asks") };
        Handle { pointer: pointer.clone(), object: PhantomData }
    }

    /// An object that is used alone, for a closure that is called later.
    pub fn exclusive<T: 'static>(&self, index: u32) -> ExclusiveHandle<T> {
        let Some(Object::Exclusive(pointer, lock)) = self.0.get(index as usize) else {
            unreachable!("generated code asks")
        };
        ExclusiveHandle { pointer: pointer.clone(), lock: Arc::clone(lock), object: PhantomData }
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Objects({})", self.len())
    }
}

impl Pointer {
    fn cast<T: 'static>(&self) -> *mut T {
        assert_eq!(self.of, TypeId::of::<T>(), "generated code knows its objects");
        self.address.cast()
    }
}

/// A shared object in a closure.
pub struct Handle<T> {
    pointer: Pointer,
    object: PhantomData<fn() -> T>,
}

impl<T: 'static> Handle<T> {
    /// The object, for one call.
    pub fn get<'c>(&'c self, _call: &'c Call<'_>) -> &'c T {
        // SAFETY: the object is owned, or only captures use it, whose closures run while the graph is borrowed, hence while the object
        // is; nobody has a `&mut` to it.
        unsafe { &*self.pointer.cast::<T>() }
    }
}

/// An object in a closure that uses it alone.
pub struct ExclusiveHandle<T> {
    pointer: Pointer,
    lock: Arc<Mutex<()>>,
    object: PhantomData<fn() -> T>,
}

impl<T: 'static> ExclusiveHandle<T> {
    /// The object, for one call.
    pub fn lock<'c>(&'c self, _call: &'c Call<'_>) -> Exclusive<'c, T> {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        Exclusive { address: self.pointer.cast(), _guard: guard, object: PhantomData }
    }
}

/// The only reference to an object.
pub struct Exclusive<'c, T> {
    address: *mut T,
    _guard: MutexGuard<'c, ()>,
    object: PhantomData<&'c mut T>,
}

impl<T> Deref for Exclusive<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: as in `Handle::get`, and the guard makes this the only use.
        unsafe { &*self.address }
    }
}

impl<T> DerefMut for Exclusive<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { &mut *self.address }
    }
}
