//! Views and rebinds of a list: by the indices of one of its buffers.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::BufferParameter;
use super::program::internal;

/// `src(i)`, `src_mut(i)`, `rebind_src(i, buffer)`.
pub(super) fn listed_views(parameter: u32, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, element) = (buffer.name, buffer.element);
    let (view_mut, rebind) =
        (format_ident!("{}_mut", name, span = name.span()), format_ident!("rebind_{}", name, span = name.span()));
    let bind = buffer.bind_trait();
    let indices: Vec<Ident> = (0..buffer.lists).map(|level| internal(&format!("__index_{level}"))).collect();
    let leaf = quote!(self.0.bound_at(#parameter, &[#(#indices),*])?);
    let of = " The indices lead to one buffer of the list.";
    let read_doc = format!("`{name}`, to read: every access waits for this graph's last launch.{of}");
    let write_doc = format!("`{name}`, to write between launches. An error if it was bound through `&` or `Arc`.{of}");
    let rebind_doc =
        format!("Binds another buffer to `{name}` and gives the old one back. On an error nothing has changed.{of}");
    quote! {
        #[doc = #read_doc]
        pub fn #name(&self #(, #indices: usize)*) -> ::graph_runtime::Result<::graph_runtime::Slice<'_, #element>> {
            ::core::result::Result::Ok(self.0.view(#leaf))
        }

        #[doc = #write_doc]
        pub fn #view_mut(
            &mut self #(, #indices: usize)*
        ) -> ::graph_runtime::Result<::graph_runtime::SliceMut<'_, #element>> {
            let leaf = #leaf;
            self.0.view_mut(leaf)
        }

        #[doc = #rebind_doc]
        pub fn #rebind(
            &mut self #(, #indices: usize)*, buffer: impl #bind
        ) -> ::graph_runtime::Result<::graph_runtime::Bound<'g, #element>> {
            let leaf = #leaf;
            self.0.rebind(leaf, buffer.bind())
        }
    }
}
