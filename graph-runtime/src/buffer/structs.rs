//! Structs of buffers: what `#[derive(Buffers)]` implements, and how they are bound.

use std::any::Any;
use std::sync::Arc;

use super::arguments::{Collector, GhostReader, Shape};
use super::bind::{Binding, Exclusion};
use super::kind::Kind;
use super::list::Bind;
use super::{Buffer, PinnedBuffer};
use crate::element::Element;
use crate::kernel::ghost::{Ghost, GhostList};

/// A struct of buffers, made by `#[derive(Buffers)]`.
///
/// # Safety
/// [`Buffers::collect`] names no buffer that is not the value's own, unless it binds it as shared.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct of buffers",
    label = "expected a struct with `#[derive(Buffers)]`",
    note = "a field is a buffer, a struct with `#[derive(Buffers)]`, a `Vec` or an array of such, or a plain value like `usize`; a value of \
            any other type is marked `#[value]`"
)]
pub unsafe trait Buffers: Send + Sync + Sized + 'static {
    /// What stands for it in an evaluator: a struct with the same fields.
    #[doc(hidden)]
    type Ghost: Clone + Send + Sync + 'static;

    /// Takes it apart into its buffers.
    #[doc(hidden)]
    fn collect(&self, into: &mut Collector<'_, '_>) -> Shape;

    /// Puts its ghost together.
    #[doc(hidden)]
    fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> Self::Ghost;
}

macro_rules! buffers {
    ($buffer:ident) => {
        // SAFETY: itself.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: Element> Buffers for $buffer<T> {
            type Ghost = Ghost<T>;

            fn collect(&self, into: &mut Collector<'_, '_>) -> Shape {
                let binding = Binding::new::<T>(&self.allocation, self.length, into.exclusion());
                into.buffer(binding.kept_by(into.owner()))
            }

            fn ghost(_: &Shape, reader: &mut GhostReader<'_>) -> Ghost<T> {
                reader.buffer()
            }
        }

        // SAFETY: it is bound as shared.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: Element> Buffers for Arc<$buffer<T>> {
            type Ghost = Ghost<T>;

            fn collect(&self, into: &mut Collector<'_, '_>) -> Shape {
                let owner: Arc<dyn Any + Send + Sync> = Arc::clone(self) as _;
                into.buffer(Binding::new::<T>(&self.allocation, self.length, Exclusion::Shared).kept_by(Some(owner)))
            }

            fn ghost(_: &Shape, reader: &mut GhostReader<'_>) -> Ghost<T> {
                reader.buffer()
            }
        }
    };
}

buffers!(Buffer);
buffers!(PinnedBuffer);

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)*) => {
        $(
            // SAFETY: its items are its own, and keep the promise.
            #[diagnostic::do_not_recommend]
            unsafe impl<B: Buffers, $($generics)*> Buffers for $list {
                type Ghost = GhostList<B::Ghost>;

                fn collect(&self, into: &mut Collector<'_, '_>) -> Shape {
                    into.list(self.iter(), B::collect)
                }

                fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> Self::Ghost {
                    let (name, items) = shape.list();
                    GhostList::new(name, items.iter().map(|item| B::ghost(item, reader)).collect())
                }
            }
        )*
    };
}

lists! {
    [] Vec<B>;
    [const N: usize] [B; N];
}

macro_rules! values {
    ($($value:ty),*) => {
        $(
            // SAFETY: it has no buffer.
            #[diagnostic::do_not_recommend]
            unsafe impl Buffers for $value {
                type Ghost = Self;

                fn collect(&self, _: &mut Collector<'_, '_>) -> Shape {
                    Shape::of_value(self.clone())
                }

                fn ghost(shape: &Shape, _: &mut GhostReader<'_>) -> Self {
                    shape.value()
                }
            }
        )*
    };
}

values!(u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize, isize, f32, f64, bool, char, String);
values!(half::f16, half::bf16);

/// What a `&S` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is read as `&{S}`",
    label = "expected `&{S}`, `{S}` or `Arc<{S}>`"
)]
pub trait BindStruct<'g, S> {
    /// Takes it apart into its buffers.
    #[doc(hidden)]
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape;
}

/// What a `&mut S` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is written as `&mut {S}`",
    label = "expected `&mut {S}` or `{S}`"
)]
pub trait BindStructMut<'g, S> {
    /// Takes it apart into its buffers.
    #[doc(hidden)]
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape;
}

impl<'g, S: Buffers> BindStruct<'g, S> for &'g S {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        into.structure(Exclusion::Shared, None, |into| S::collect(self, into))
    }
}

impl<'g, S: Buffers> BindStruct<'g, S> for &'g &'g S {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        BindStruct::collect_struct(*self, into)
    }
}

impl<'g, S: Buffers> BindStruct<'g, S> for Arc<S> {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        into.structure(Exclusion::Shared, Some(Arc::clone(&self) as _), |into| S::collect(&self, into))
    }
}

impl<'g, S: Buffers> BindStruct<'g, S> for &'g Arc<S> {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        BindStruct::collect_struct(Arc::clone(self), into)
    }
}

impl<'g, S: Buffers> BindStruct<'g, S> for S {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        owned(self, into)
    }
}

impl<'g, S: Buffers> BindStructMut<'g, S> for &'g mut S {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        into.structure(Exclusion::Borrowed, None, |into| S::collect(self, into))
    }
}

impl<'g, S: Buffers> BindStructMut<'g, S> for S {
    fn collect_struct(self, into: &mut Collector<'_, 'g>) -> Shape {
        owned(self, into)
    }
}

/// The graph keeps the struct: nobody else has it until it is given back.
fn owned<S: Buffers>(owned: S, into: &mut Collector<'_, '_>) -> Shape {
    let owned = Arc::new(owned);
    into.structure(Exclusion::Owned, Some(Arc::clone(&owned) as _), |into| S::collect(&owned, into))
}

macro_rules! kinds_of_structs {
    ($($(#[$doc:meta])* $kind:ident by $bind:ident),*) => {
        $(
            $(#[$doc])*
            pub struct $kind<S>(std::marker::PhantomData<fn() -> S>);

            impl<S: Buffers> Kind for $kind<S> {
                type Ghost = S::Ghost;

                fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> S::Ghost {
                    S::ghost(shape.inner(), reader)
                }
            }

            impl<'g, S, B: $bind<'g, S>> Bind<'g, $kind<S>> for B {
                fn bind_into(self, into: &mut Collector<'_, 'g>) -> Shape {
                    self.collect_struct(into)
                }
            }
        )*
    };
}

kinds_of_structs! {
    /// `&S`
    StructRead by BindStruct,
    /// `&mut S`
    StructWrite by BindStructMut
}
