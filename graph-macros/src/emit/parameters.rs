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
        let buffers = self.buffers().enumerate().map(|(index, buffer)| {
            let parameter = index as u32;
            if buffer.structure {
                return rebinds_of_structs(parameter, &buffer);
            }
            if buffer.lists == 0 {
                return views(parameter, &buffer);
            }
            let (views, all) = (listed_views(parameter, &buffer), rebind_all(parameter, &buffer));
            quote!(#views #all)
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

/// `b`, `b_mut`, `rebind_b`: graph-runtime's `views.rs` has their text.
fn views(parameter: u32, buffer: &BufferParameter<'_>) -> TokenStream {
    let (name, element, bind) = (buffer.name, buffer.element, buffer.bind_trait());
    let rebind = format_ident!("rebind_{}", name, span = name.span());
    let views = (buffer.memory != Memory::Mailbox).then(|| {
        let view_mut = format_ident!("{}_mut", name, span = name.span());
        quote!(#name #view_mut)
    });
    quote!(::graph_runtime::__views! { #parameter #views #rebind, 'g, #element, {#bind} })
}
