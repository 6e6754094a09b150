//! Views, rebinds and setters: one set per parameter.

use graph_ir::model::Memory;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::listed::{listed_views, rebind_all, rebinds_of_structs};
use super::program::internal;
use super::{BufferParameter, Emission};
use crate::syntax::ast;

impl Emission<'_> {
    pub(super) fn parameter_methods(&self) -> TokenStream {
        let lists = self.has_lists();
        let buffers = self.buffers().enumerate().map(|(index, buffer)| {
            let parameter = index as u32;
            if buffer.structure {
                return rebinds_of_structs(parameter, &buffer);
            }
            match (lists, buffer.lists) {
                (false, _) => views(&quote!(#parameter), &buffer),
                (true, 0) => views(&quote!(self.0.bound_to(#parameter)), &buffer),
                (true, _) => {
                    let (views, all) = (listed_views(parameter, &buffer), rebind_all(parameter, &buffer));
                    quote!(#views #all)
                }
            }
        });
        let values = internal("__values");
        let mut number = 0_u32;
        let setters = self.graph.parameters.iter().filter_map(|parameter| match (&parameter.kind, &parameter.listed) {
            (ast::ParameterKind::Value(_), Some(element)) => {
                number += 1;
                Some(list_setters(&parameter.name, element, &values))
            }
            (ast::ParameterKind::Value(ty), None) => {
                number += 1;
                Some(setter(number - 1, &parameter.name, ty, &values))
            }
            _ => None,
        });
        let statics = self.lowered.statics.iter().enumerate();
        let statics = statics.map(|(index, (name, element))| static_views(index as u32, name, element));
        buffers.chain(setters).chain(statics).collect()
    }
}

/// The views of a `static` buffer.
fn static_views(index: u32, name: &Ident, element: &Type) -> TokenStream {
    let view_mut = format_ident!("{}_mut", name, span = name.span());
    let read_doc = format!("The `static` buffer `{name}`, to read: every access waits for this graph's last launch.");
    let write_doc = format!("The `static` buffer `{name}`, to write between launches.");
    quote! {
        #[doc = #read_doc]
        pub fn #name(&self) -> ::graph_runtime::Slice<'_, #element> {
            self.0.static_view(#index)
        }

        #[doc = #write_doc]
        pub fn #view_mut(&mut self) -> ::graph_runtime::Result<::graph_runtime::SliceMut<'_, #element>> {
            self.0.static_view_mut(#index)
        }
    }
}

fn setter(number: u32, name: &Ident, ty: &Type, values: &Ident) -> TokenStream {
    let setter = format_ident!("set_{}", name, span = name.span());
    let doc = format!("Sets `{name}` for the launches from here on. On an error nothing has changed.");
    let text = name.to_string();
    quote! {
        #[doc = #doc]
        pub fn #setter(&mut self, #name: #ty) -> ::graph_runtime::Result<()> {
            self.0.set_value(#number, #text, move |#values| #values.#name = #name)
        }
    }
}

fn list_setters(name: &Ident, element: &Type, values: &Ident) -> TokenStream {
    let one = format_ident!("set_{}", name, span = name.span());
    let all = format_ident!("set_all_{}", name, span = name.span());
    let one_doc = format!("Sets one value of `{name}` for the launches from here on. On an error nothing has changed.");
    let all_doc = format!("Sets all of `{name}` for the launches from here on. On an error nothing has changed.");
    let (text, index, value) = (name.to_string(), internal("__index"), internal("__value"));
    quote! {
        #[doc = #one_doc]
        pub fn #one(&mut self, #index: usize, #value: #element) -> ::graph_runtime::Result<()> {
            self.0.set_listed(#text, #index, #value, |#values| &mut #values.#name)
        }

        #[doc = #all_doc]
        pub fn #all(
            &mut self,
            #name: impl ::core::convert::Into<::std::vec::Vec<#element>>,
        ) -> ::graph_runtime::Result<()> {
            let #name = ::core::convert::Into::into(#name);
            self.0.set_values(#text, move |#values| #values.#name = #name)
        }
    }
}

fn views(index: &TokenStream, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, element) = (buffer.name, buffer.element);
    let (view_mut, rebind) =
        (format_ident!("{}_mut", name, span = name.span()), format_ident!("rebind_{}", name, span = name.span()));
    let bind = buffer.bind_trait();
    let read_doc = format!("`{name}`, to read: every access waits for this graph's last launch.");
    let write_doc = format!("`{name}`, to write between launches. An error if it was bound through `&` or `Arc`.");
    let rebind_doc =
        format!("Binds another buffer to `{name}` and gives the old one back. On an error nothing has changed.");
    let rebind = quote! {
        #[doc = #rebind_doc]
        pub fn #rebind(&mut self, buffer: impl #bind) -> ::graph_runtime::Result<::graph_runtime::Bound<'g, #element>> {
            let leaf = #index;
            self.0.rebind(leaf, buffer.bind())
        }
    };
    // Who looks at a mailbox has it: a view would wait for the graph.
    if buffer.memory == Memory::Mailbox {
        return rebind;
    }
    quote! {
        #[doc = #read_doc]
        pub fn #name(&self) -> ::graph_runtime::Slice<'_, #element> {
            self.0.view(#index)
        }

        #[doc = #write_doc]
        pub fn #view_mut(&mut self) -> ::graph_runtime::Result<::graph_runtime::SliceMut<'_, #element>> {
            let leaf = #index;
            self.0.view_mut(leaf)
        }

        #rebind
    }
}
