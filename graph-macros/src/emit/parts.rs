//! `JacobiParts`: what `into_parts` gives back.

use proc_macro2::TokenStream;
use quote::quote;

use super::program::internal;
use super::{BufferParameter, Emission, ObjectParameter};

impl Emission<'_> {
    pub(super) fn parts(&self) -> TokenStream {
        let visibility = &self.graph.visibility;
        let (name, graph) = (&self.names.parts, &self.graph.name);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let (with_defaults, predicates) = (self.generics.declared_with_defaults(), self.generics.predicates());
        let fields = self.buffers().map(|buffer| {
            let (field, back) = (buffer.name, buffer.back());
            quote!(pub #field: #back)
        });
        let objects = self.objects().map(|object| {
            let (field, back) = (object.name, object.back());
            quote!(pub #field: #back)
        });
        let taken = self.taken();
        let doc = format!("What a [`{graph}`] that was taken apart was bound to.");
        quote! {
            #[doc = #doc]
            #[allow(missing_docs)]
            #visibility struct #name<'g, #with_defaults> where #predicates {
                #(#fields,)*
                #(#objects,)*
                #[doc(hidden)]
                pub __types: ::core::marker::PhantomData<(&'g (), #graph<'g, #used>)>,
            }

            #[allow(dead_code)]
            impl<'g, #declared> #graph<'g, #used> where #predicates {
                /// Ends the graph and gives back what it was bound to; each buffer waits for the launches that still use it.
                pub fn into_parts(self) -> #name<'g, #used> {
                    #taken
                }
            }
        }
    }

    fn taken(&self) -> TokenStream {
        let name = &self.names.parts;
        if !self.has_lists() && self.objects().next().is_none() {
            let names = self.buffers().map(|buffer| buffer.name);
            let taken = self.buffers().map(|buffer| {
                let field = buffer.name;
                quote!(#field: ::graph_runtime::Bound::new(#field))
            });
            return quote! {
                let [#(#names),*] = self.0.into_bindings();
                #name { #(#taken,)* __types: ::core::marker::PhantomData }
            };
        }
        let (parts, objects) = (internal("__parts"), internal("__objects"));
        let buffers = self.buffers().map(|buffer| {
            let (field, kind) = (buffer.name, buffer.kind());
            quote!(#field: #parts.parameter::<#kind>())
        });
        let given = self.objects().map(|object| {
            let (field, index, ty) = (object.name, object.index, object.ty);
            if object.mutable.is_some() {
                quote!(#field: #objects.object::<#ty>(#index))
            } else {
                quote!(#field: #objects.event(#index))
            }
        });
        quote! {
            #[allow(unused_mut, unused_variables)]
            let (mut #parts, #objects) = self.0.take_apart();
            #name { #(#buffers,)* #(#given,)* __types: ::core::marker::PhantomData }
        }
    }
}

impl BufferParameter<'_> {
    /// As what it comes back.
    pub(super) fn back(&self) -> TokenStream {
        let element = self.element;
        let one = if self.structure {
            quote!(::graph_runtime::BoundStruct<'g, #element>)
        } else {
            quote!(::graph_runtime::Bound<'g, #element>)
        };
        (0..self.lists).fold(one, |back, _| quote!(::std::vec::Vec<#back>))
    }
}

impl ObjectParameter<'_> {
    fn back(&self) -> TokenStream {
        let ty = self.ty;
        if self.mutable.is_some() {
            quote!(::graph_runtime::BoundObject<'g, #ty>)
        } else {
            quote!(::graph_runtime::Event)
        }
    }
}
