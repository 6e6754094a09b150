//! What launches are type-checked against: functions that take these marker types, called in code that never runs.
//!
//! Four distinct, uniquely named types without lifetimes: rustc prints them short and never coerces one into another.

mod list;

use std::marker::PhantomData;

use graph_ir::concrete::{ListedBuffer, SymbolValue};
use graph_ir::model::Shape;

use crate::compute::{ElementIndex, Elements, Number};
pub use list::{FirstLength, GhostList, first_length};

/// `&x`
#[must_use]
pub struct Reads<T: ?Sized>(Ghost<()>, PhantomData<fn(Box<T>) -> Box<T>>);
/// `&mut x`
#[must_use]
pub struct Updates<T: ?Sized>(Ghost<()>, PhantomData<fn(Box<T>) -> Box<T>>);
/// `&out x`
#[must_use]
pub struct Overwrites<T: ?Sized>(Ghost<()>, PhantomData<fn(Box<T>) -> Box<T>>);
/// `&atomic x`
#[must_use]
pub struct Atomics<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);

/// `&w`, a whole list or struct, to a graph.
#[must_use]
pub struct ReadsAll<G>(G);
/// `&mut w`, a whole list or struct, to a graph.
#[must_use]
pub struct UpdatesAll<G>(G);
/// `&out w`, a whole list or struct, to a graph.
#[must_use]
pub struct OverwritesAll<G>(G);

macro_rules! passed {
    ($($buffer:ident, $list:ident;)*) => {
        $(
            impl<T> $buffer<[T]> {
                /// The buffer.
                pub fn ghost(self) -> Ghost<T> {
                    let Ghost { rank, sizes, buffer, home, start, .. } = self.0;
                    Ghost { rank, sizes, buffer, home, start, element: PhantomData }
                }
            }

            impl<G> $list<G> {
                /// All of it.
                pub fn new(ghost: G) -> Self {
                    Self(ghost)
                }

                /// The list or the struct.
                pub fn ghost(self) -> G {
                    self.0
                }
            }
        )*
    };
}

passed! {
    Reads, ReadsAll;
    Updates, UpdatesAll;
    Overwrites, OverwritesAll;
}

/// What a graph inside a graph may be passed: a buffer, a list, a struct of buffers.
pub trait Passes: Clone {
    /// `&x`
    type Reads;
    /// `&mut x`
    type Updates;
    /// `&out x`
    type Overwrites;

    /// The buffer that it is, if it is one.
    fn single(&self) -> Option<GhostBuffer>;
    /// `&x`
    fn reads(&self) -> Self::Reads;
    /// `&mut x`
    fn updates(&self) -> Self::Updates;
    /// `&out x`
    fn overwrites(&self) -> Self::Overwrites;
}

impl<T> Passes for Ghost<T> {
    type Reads = Reads<[T]>;
    type Updates = Updates<[T]>;
    type Overwrites = Overwrites<[T]>;

    fn single(&self) -> Option<GhostBuffer> {
        Some(self.buffer)
    }

    fn reads(&self) -> Self::Reads {
        self.read()
    }

    fn updates(&self) -> Self::Updates {
        self.update()
    }

    fn overwrites(&self) -> Self::Overwrites {
        self.out()
    }
}

/// Lists and structs are passed whole.
#[doc(hidden)]
#[macro_export]
macro_rules! __passes_whole {
    ([$($generics:tt)*] $ghost:ty where [$($predicates:tt)*]) => {
        #[allow(trivial_bounds, reason = "derived for any struct")]
        impl<$($generics)*> $crate::__private::Passes for $ghost where $($predicates)* {
            type Reads = $crate::__private::ReadsAll<Self>;
            type Updates = $crate::__private::UpdatesAll<Self>;
            type Overwrites = $crate::__private::OverwritesAll<Self>;

            fn single(&self) -> ::core::option::Option<$crate::__private::GhostBuffer> {
                ::core::option::Option::None
            }

            fn reads(&self) -> Self::Reads {
                $crate::__private::ReadsAll::new(::core::clone::Clone::clone(self))
            }

            fn updates(&self) -> Self::Updates {
                $crate::__private::UpdatesAll::new(::core::clone::Clone::clone(self))
            }

            fn overwrites(&self) -> Self::Overwrites {
                $crate::__private::OverwritesAll::new(::core::clone::Clone::clone(self))
            }
        }
    };
}

__passes_whole!([G] GhostList<G> where []);

/// What a kernel's check function returns.
pub struct Launched(());

impl Launched {
    /// The only value.
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(())
    }
}

impl Default for Launched {
    fn default() -> Self {
        Self::new()
    }
}

/// A buffer in an evaluator: its element type, its shape, and which buffer it is.
pub struct Ghost<T> {
    rank: usize,
    /// The outermost first; unused ones are 1.
    sizes: [usize; Shape::MAX_RANK],
    buffer: GhostBuffer,
    /// What stood in its place at first: `swap` exchanges buffers, not places.
    home: GhostBuffer,
    /// The first of its elements in that buffer.
    start: usize,
    element: PhantomData<fn(T) -> T>,
}

/// Which buffer a ghost is, or is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GhostBuffer {
    /// One that a parameter is bound to, counted through all parameters.
    Bound(u32),
    /// An instance of a transient.
    Transient(u32),
    /// None: it is for lengths and types only.
    Nowhere,
}

impl GhostBuffer {
    /// The buffer of a list that it is.
    pub(crate) const fn listed(self) -> Option<ListedBuffer> {
        match self {
            Self::Bound(leaf) => Some(ListedBuffer::Bound(leaf)),
            Self::Transient(number) => Some(ListedBuffer::Transient(number)),
            Self::Nowhere => None,
        }
    }
}

impl<T> Clone for Ghost<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ghost<T> {}

impl<T> Ghost<T> {
    /// A buffer of `length` elements.
    pub const fn new(length: usize) -> Self {
        let (buffer, home) = (GhostBuffer::Nowhere, GhostBuffer::Nowhere);
        Self { rank: 1, sizes: [length, 1, 1], buffer, home, start: 0, element: PhantomData }
    }

    /// The same elements, as those of this buffer.
    #[must_use]
    pub const fn of(self, buffer: GhostBuffer) -> Self {
        Self { buffer, home: buffer, ..self }
    }

    /// The same place, in which this buffer stands from here on.
    #[must_use]
    pub(crate) const fn now(self, buffer: GhostBuffer) -> Self {
        Self { buffer, ..self }
    }

    /// What stood in its place at first.
    pub(crate) const fn home(self) -> GhostBuffer {
        self.home
    }

    /// The elements from `start` to `end`, wherever that leads: the build checks ranges.
    #[must_use]
    pub const fn part(self, start: usize, end: usize) -> Self {
        Self { start: self.start.saturating_add(start), ..Self::new(end.saturating_sub(start)).of(self.buffer) }
    }

    /// The same with another number of elements.
    #[must_use]
    pub const fn with_length(self, length: usize) -> Self {
        Self { sizes: [length, 1, 1], rank: 1, ..self }
    }

    /// Which buffer it is.
    pub const fn buffer(self) -> GhostBuffer {
        self.buffer
    }

    /// The buffer of a list that it is.
    fn listed(self) -> Option<ListedBuffer> {
        self.buffer.listed()
    }

    /// The first of its elements in its buffer.
    pub const fn start(self) -> usize {
        self.start
    }

    /// The same buffer, with these dimensions.
    #[must_use]
    pub fn shaped<const N: usize>(self, dimensions: [usize; N]) -> Self {
        let mut sizes = [1; Shape::MAX_RANK];
        sizes.iter_mut().zip(dimensions).for_each(|(into, size)| *into = size);
        Self { rank: N.min(Shape::MAX_RANK), sizes, ..self }
    }

    /// Number of elements; the largest number if they cannot be counted.
    pub fn len(self) -> usize {
        self.sizes.iter().fold(1, |product: usize, size| product.saturating_mul(*size))
    }

    /// Whether it has no elements.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The size of each dimension, the outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.sizes[..self.rank]
    }

    /// Elements from one row to the next: the size of the last dimension.
    pub fn pitch(self) -> usize {
        self.sizes[self.rank - 1]
    }

    /// A value of the element type, as it is.
    pub fn element(self, value: T) -> T {
        value
    }

    /// The same elements, of no type.
    const fn untyped(self) -> Ghost<()> {
        let Self { rank, sizes, buffer, home, start, .. } = self;
        Ghost { rank, sizes, buffer, home, start, element: PhantomData }
    }

    /// A box of it, wherever that leads: the build checks ranges.
    #[must_use]
    pub fn boxed<const N: usize>(self, ranges: [[usize; 2]; N]) -> Self {
        self.shaped(ranges.map(|[start, end]| end.saturating_sub(start)))
    }

    /// `&x`
    pub fn read(self) -> Reads<[T]> {
        Reads(self.untyped(), PhantomData)
    }

    /// `&mut x`
    pub fn update(self) -> Updates<[T]> {
        Updates(self.untyped(), PhantomData)
    }

    /// `&out x`
    pub fn out(self) -> Overwrites<[T]> {
        Overwrites(self.untyped(), PhantomData)
    }

    /// `&atomic x`
    pub fn atomic(self) -> Atomics<[T]> {
        Atomics(PhantomData)
    }

    /// `fill(&out x, value)`
    pub fn fill(self, _value: T) {}

    /// `copy(&self, &out to)`
    pub fn copy_to(self, _to: Overwrites<[T]>) {}

    /// `swap(&mut self, &mut other)`
    pub fn swap_with(self, _other: Updates<[T]>) {}
}

/// What an argument may name: a buffer, or a whole list of buffers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no buffer, and no list of buffers",
    label = "expected a buffer, or a list of buffers"
)]
pub trait Member: Clone {
    /// Itself: unknown to rustc where it is none, which is then said once.
    #[doc(hidden)]
    type Own;

    /// Itself.
    #[doc(hidden)]
    fn own(&self) -> Self::Own;

    /// Which buffers are meant.
    #[doc(hidden)]
    fn value(&self) -> Option<SymbolValue>;

    /// The buffers of a list that do not stand one behind the other.
    #[doc(hidden)]
    fn scattered(&self) -> Option<Vec<ListedBuffer>> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T> Member for Ghost<T> {
    type Own = Self;

    fn own(&self) -> Self {
        *self
    }

    fn value(&self) -> Option<SymbolValue> {
        self.listed().map(SymbolValue::Buffer)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Member for GhostList<Ghost<T>> {
    type Own = Self;

    fn own(&self) -> Self {
        self.clone()
    }

    fn value(&self) -> Option<SymbolValue> {
        // The buffers of a list are counted one behind the other.
        let first = self.first().map_or(Some(ListedBuffer::Bound(0)), |first| first.listed())?;
        let in_order = (0..).zip(self.iter()).all(|(number, item)| item.listed() == Some(first.behind(number)));
        Some(if in_order { SymbolValue::List { first, count: self.len() as u32 } } else { SymbolValue::Scattered })
    }

    fn scattered(&self) -> Option<Vec<ListedBuffer>> {
        match self.value()? {
            SymbolValue::Scattered => self.iter().map(|item| item.listed()).collect(),
            _ => None,
        }
    }
}

/// In a kernel's declaration, a list of buffers as a whole: `&List<[f32]>`, `&mut List<[f32]>`, `Out<List<[f32]>>`. A body for the CPU
/// sees a slice of slices.
pub struct List<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);

impl<T> GhostList<Ghost<T>> {
    /// `&w`
    pub fn read(&self) -> Reads<List<[T]>> {
        Reads(Ghost::new(0), PhantomData)
    }

    /// `&mut w`
    pub fn update(&self) -> Updates<List<[T]>> {
        Updates(Ghost::new(0), PhantomData)
    }

    /// `&out w`
    pub fn out(&self) -> Overwrites<List<[T]>> {
        Overwrites(Ghost::new(0), PhantomData)
    }

    /// `&atomic w`
    pub fn atomic(&self) -> Atomics<List<[T]>> {
        Atomics(PhantomData)
    }
}

impl<T: Number> Ghost<T> {
    /// `x[0]`: a method, so that what is expected of the element does not reach the buffer's own type.
    pub fn at(self, elements: &Elements<'_>, access: u32) -> T::Value {
        elements.get::<T>(access).widen()
    }

    /// `x[i]` in a kernel in the block.
    #[inline]
    pub fn load(self, elements: &Elements<'_>, access: u32, index: impl ElementIndex) -> T::Value {
        elements.load::<T>(access, index).widen()
    }

    /// `x[i] = value;` in a kernel in the block.
    #[inline]
    pub fn store(self, elements: &Elements<'_>, access: u32, index: impl ElementIndex, value: T::Value) {
        elements.store(access, index, T::narrow(value));
    }

    /// The value of a device expression whose target this is, as it is.
    pub fn computed(self, value: T::Value) -> T::Value {
        value
    }
}

/// What has a number of elements, or each of whose buffers has.
pub trait WithLength {
    /// The same with another number of elements.
    #[must_use]
    fn with_length(&self, length: usize) -> Self;
}

impl<T> WithLength for Ghost<T> {
    fn with_length(&self, length: usize) -> Self {
        Self::with_length(*self, length)
    }
}

/// A value of any type, for check code, which never runs.
pub fn hole<T>() -> T {
    // The only way to make a value of any type without unsafe code. Check functions are never called.
    #[expect(clippy::empty_loop, reason = "never runs, and must not panic")]
    loop {}
}
