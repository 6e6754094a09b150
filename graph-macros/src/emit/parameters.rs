//! Views, rebinds and setters: one set per parameter.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::program::internal;
use super::{BufferParameter, Emission};

impl Emission<'_> {
    pub(super) fn parameter_methods(&self) -> TokenStream {
        let buffers = self.buffers().enumerate().map(|(index, buffer)| views(index as u32, &buffer));
        let values = internal("__values");
        let setters = self.values().map(|(name, ty)| {
            let setter = format_ident!("set_{}", name, span = name.span());
            let doc = format!("Sets `{name}` for the launches from here on. On an error nothing has changed.");
            quote! {
                #[doc = #doc]
                pub fn #setter(&mut self, #name: #ty) -> ::graph_runtime::Result<()> {
                    self.0.set_values(move |#values| #values.#name = #name)
                }
            }
        });
        quote!(#(#buffers)* #(#setters)*)
    }
}

fn views(index: u32, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, element) = (buffer.name, buffer.element);
    let (view_mut, rebind) =
        (format_ident!("{}_mut", name, span = name.span()), format_ident!("rebind_{}", name, span = name.span()));
    let bind = buffer.bind_trait();
    let read_doc = format!("`{name}`, to read: every access waits for this graph's last launch.");
    let write_doc = format!("`{name}`, to write between launches. An error if it was bound through `&` or `Arc`.");
    let rebind_doc =
        format!("Binds another buffer to `{name}` and gives the old one back. On an error nothing has changed.");
    quote! {
        #[doc = #read_doc]
        pub fn #name(&self) -> ::graph_runtime::Slice<'_, #element> {
            self.0.view(#index)
        }

        #[doc = #write_doc]
        pub fn #view_mut(&mut self) -> ::graph_runtime::Result<::graph_runtime::SliceMut<'_, #element>> {
            self.0.view_mut(#index)
        }

        #[doc = #rebind_doc]
        pub fn #rebind(&mut self, buffer: impl #bind) -> ::graph_runtime::Result<::graph_runtime::Bound<'g, #element>> {
            self.0.rebind(#index, buffer.bind())
        }
    }
}
