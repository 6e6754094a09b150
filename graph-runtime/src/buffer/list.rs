//! How lists are bound: vectors, arrays and slices of what their items may be bound to.

use std::sync::Arc;

use super::arguments::{Collector, Shape};
use super::kind::{HostRead, HostWrite, InMailbox, ListOf, Read, Write};
use super::{BindHostMut, BindHostRead, BindMailbox, BindMut, BindRead, Buffer, MailboxElement, PinnedBuffer};
use crate::element::Element;

/// What a parameter of kind `K` may be bound to. That `K` is a kind is asked for once, by the evaluator: rustc then says once what is
/// no struct of buffers.
pub trait Bind<'g, K> {
    /// Takes it apart into its buffers.
    fn bind_into(self, into: &mut Collector<'_, 'g>) -> Shape;
}

macro_rules! bind_buffers {
    ($($kind:ident by $bind:ident),*) => {
        $(impl<'g, T: Element, B: $bind<'g, T>> Bind<'g, $kind<T>> for B {
            fn bind_into(self, into: &mut Collector<'_, 'g>) -> Shape {
                into.buffer(self.bind())
            }
        })*
    };
}

impl<'g, T: MailboxElement, B: BindMailbox<'g, T>> Bind<'g, InMailbox<T>> for B {
    fn bind_into(self, into: &mut Collector<'_, 'g>) -> Shape {
        into.buffer(self.bind())
    }
}

bind_buffers!(Read by BindRead, Write by BindMut, HostRead by BindHostRead, HostWrite by BindHostMut);

/// What a list of items of kind `K` may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a list",
    label = "expected a `Vec`, an array or a slice"
)]
pub trait BindList<'g, K> {
    /// Takes it apart into its buffers.
    #[doc(hidden)]
    fn collect_list(self, into: &mut Collector<'_, 'g>) -> Shape;
}

impl<'g, K, B: BindList<'g, K>> Bind<'g, ListOf<K>> for B {
    fn bind_into(self, into: &mut Collector<'_, 'g>) -> Shape {
        self.collect_list(into)
    }
}

macro_rules! bind_lists {
    ($([$($generics:tt)*] $list:ty, $item:ty;)*) => {
        $(impl<'g, K, B, $($generics)*> BindList<'g, K> for $list
        where
            $item: Bind<'g, K>,
        {
            fn collect_list(self, into: &mut Collector<'_, 'g>) -> Shape {
                into.list(self.into_iter(), Bind::bind_into)
            }
        })*
    };
}

bind_lists! {
    [] Vec<B>, B;
    [const N: usize] [B; N], B;
    [] &'g [B], &'g B;
    [] &'g Vec<B>, &'g B;
    [const N: usize] &'g [B; N], &'g B;
    [] &'g mut [B], &'g mut B;
    [] &'g mut Vec<B>, &'g mut B;
    [const N: usize] &'g mut [B; N], &'g mut B;
}

macro_rules! bind_items {
    ($buffer:ident, $bind:ident) => {
        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $bind<'g, T> for &'g &'g $buffer<T> {
            fn bind(self) -> super::Binding<'g> {
                <&'g $buffer<T> as $bind<'g, T>>::bind(*self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $bind<'g, T> for &'g Arc<$buffer<T>> {
            fn bind(self) -> super::Binding<'g> {
                <Arc<$buffer<T>> as $bind<'g, T>>::bind(Arc::clone(self))
            }
        }
    };
}

bind_items!(Buffer, BindRead);
bind_items!(PinnedBuffer, BindHostRead);
