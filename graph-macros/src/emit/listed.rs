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

/// `rebind_all_src(list)`.
pub(super) fn rebind_all(parameter: u32, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, kind, back) = (buffer.name, buffer.kind(), buffer.back());
    let rebind = format_ident!("rebind_all_{}", name, span = name.span());
    let doc = format!(
        "Binds another list to `{name}`, of any length, and gives the old one back. On an error nothing has changed."
    );
    quote! {
        #[doc = #doc]
        pub fn #rebind(
            &mut self,
            #name: impl ::graph_runtime::__private::Bind<'g, #kind>,
        ) -> ::graph_runtime::Result<#back> {
            self.0.rebind_all::<#kind>(#parameter, &[], #name)
        }
    }
}

/// `rebind_layers(i, layer)`, `rebind_in_layers("[0].qkv.w", buffer)`.
pub(super) fn rebinds_of_structs(parameter: u32, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, bind) = (buffer.name, buffer.bind_trait());
    let [rebind, within] = ["rebind", "rebind_in"].map(|word| format_ident!("{word}_{}", name, span = name.span()));
    let indices: Vec<Ident> = (0..buffer.lists).map(|level| internal(&format!("__index_{level}"))).collect();
    let one = BufferParameter { lists: 0, ..*buffer };
    let (kind, back) = (one.kind(), one.back());
    let all = (buffer.lists > 0).then(|| rebind_all(parameter, buffer));
    let (text, path) = (name.to_string(), internal("__path"));
    let bind_buffer = if buffer.writes { quote!(BindMut) } else { quote!(BindRead) };
    let generic = quote!(__T);
    let doc = format!("Binds another struct to `{name}` and gives the old one back. On an error nothing has changed.");
    let doc_within = format!(
        "Binds another buffer in the place of one of `{name}`, by what stands behind that name: `w`, `[0].qkv.w`. Gives the old one \
         back, unless the graph owns the struct, with which it comes back. On an error nothing has changed."
    );
    quote! {
        #[doc = #doc]
        pub fn #rebind(
            &mut self #(, #indices: usize)*, #name: impl #bind
        ) -> ::graph_runtime::Result<#back> {
            self.0.rebind_all::<#kind>(#parameter, &[#(#indices),*], #name)
        }

        #[doc = #doc_within]
        pub fn #within<#generic: ::graph_runtime::Element>(
            &mut self,
            #path: &str,
            buffer: impl ::graph_runtime::#bind_buffer<'g, #generic>,
        ) -> ::graph_runtime::Result<::core::option::Option<::graph_runtime::Bound<'g, #generic>>> {
            self.0.rebind_within(#text, #path, buffer.bind())
        }

        #all
    }
}
