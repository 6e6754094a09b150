//! `JacobiArgs { b: &b, x: &mut x, tolerance }.build(&device)`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Emission;
use crate::lower::for_rustc;
use crate::syntax::ast;

impl Emission<'_> {
    pub(super) fn arguments(&self) -> TokenStream {
        let visibility = &self.graph.visibility;
        let (name, graph) = (&self.names.arguments, &self.graph.name);
        let generics = self.generics.of_arguments();
        let binders = self.graph.parameters.iter().filter_map(binder);
        let binders: Vec<_> = binders.chain(self.objects().map(|object| object.binder())).collect();
        let fields = self.graph.parameters.iter().map(|parameter| {
            let (docs, field) = (parameter.attributes.iter().filter_map(for_rustc), &parameter.name);
            match &parameter.kind {
                ast::ParameterKind::Value(_) if parameter.listed.is_some() => {
                    let binder = list_binder(field);
                    quote!(#(#docs)* pub #field: #binder)
                }
                ast::ParameterKind::Value(ty) => quote!(#(#docs)* pub #field: #ty),
                _ => {
                    let binder = quote::format_ident!("__Bind_{}", field, span = proc_macro2::Span::mixed_site());
                    quote!(#(#docs)* pub #field: #binder)
                }
            }
        });
        let doc = format!("The arguments of [`{graph}`], by name.");
        let build = self.build_function();
        let used = self.generics.of_arguments_used();
        quote! {
            #[doc = #doc]
            #[allow(missing_docs, non_camel_case_types)]
            #visibility struct #name<#(#generics,)* #(#binders),*> {
                #(#fields),*
            }

            #[allow(non_camel_case_types, clippy::used_underscore_binding)]
            impl<#(#generics,)* #(#binders),*> #name<#(#used,)* #(#binders),*> {
                #build
            }
        }
    }

    /// What may be bound to each parameter.
    fn binder_bounds(&self) -> Vec<TokenStream> {
        let buffers = self.buffers().map(|buffer| {
            let (binder, bind) = (buffer.binder(), buffer.bound());
            quote!(#binder: #bind)
        });
        let objects = self.objects().map(|object| {
            let (binder, bind) = (object.binder(), object.bind_trait());
            quote!(#binder: #bind)
        });
        let lists = self.graph.parameters.iter().filter_map(|parameter| {
            let (binder, element) = (list_binder(&parameter.name), parameter.listed.as_ref()?);
            Some(quote!(#binder: ::core::convert::Into<::std::vec::Vec<#element>>))
        });
        buffers.chain(objects).chain(lists).collect()
    }

    /// `n: self.n`, for each host value.
    fn value_fields(&self) -> Vec<TokenStream> {
        let field = |parameter: &ast::Parameter| {
            let name = &parameter.name;
            let ast::ParameterKind::Value(_) = &parameter.kind else { return None };
            let converted = parameter.listed.is_some();
            Some(if converted {
                quote!(#name: ::core::convert::Into::into(self.#name))
            } else {
                quote!(#name: self.#name)
            })
        };
        self.graph.parameters.iter().filter_map(field).collect()
    }

    fn build_function(&self) -> TokenStream {
        let (graph, values) = (&self.graph.name, &self.names.values);
        let (used, of_build) = (self.generics.used(), self.generics.of_build());
        let (bounds, predicates) = (self.generics.bounds_of_arguments(), self.generics.predicates());
        let objects: Vec<_> = self.objects().collect();
        let bound = objects.iter().map(|object| {
            let (field, bind) = (object.name, object.bind_trait());
            quote!(<_ as #bind>::bind_object(self.#field))
        });
        let [build, build_in] = self.build_calls(&quote!(::std::vec![#(#bound),*]), objects.is_empty());
        let binder_bounds = self.binder_bounds();
        let fields = self.value_fields();
        let parts = quote! {
            let values = #values::<#used> { #(#fields,)* __types: ::core::marker::PhantomData };
        };
        let doc_in = "The same, with the graph's transients in an arena that other graphs use too, one launch after another.\n\n\
                      # Errors\nAs `build`, and if the arena lies on another device.";
        let doc = "Checks the graph with these lengths and values, plans it and makes it ready to launch on `device`.\n\n\
                   # Errors\nIf a rule refuses the lengths or values, if a buffer belongs to another device, or if the \
                   device refuses.";
        quote! {
            #[doc = #doc]
            pub fn build<'g, #(#of_build),*>(
                self,
                device: &::graph_runtime::Device,
            ) -> ::graph_runtime::Result<#graph<'g, #used>>
            where
                #bounds
                #predicates
                #(#binder_bounds),*
            {
                #parts
                #build
            }

            #[doc = #doc_in]
            pub fn build_in<'g, #(#of_build),*>(
                self,
                arena: &::graph_runtime::Arena,
                device: &::graph_runtime::Device,
            ) -> ::graph_runtime::Result<#graph<'g, #used>>
            where
                #bounds
                #predicates
                #(#binder_bounds),*
            {
                #parts
                #build_in
            }
        }
    }
}

impl Emission<'_> {
    /// The ends of `build` and `build_in`.
    fn build_calls(&self, objects: &TokenStream, no_objects: bool) -> [TokenStream; 2] {
        let (graph, program, used) = (&self.graph.name, &self.names.program, self.generics.used());
        let of = quote!(::graph_runtime::Graph::<#program<#used>>);
        if self.has_lists() {
            let arguments = Ident::new("__arguments", proc_macro2::Span::mixed_site());
            let added = self.buffers().map(|buffer| {
                let (field, kind, text) = (buffer.name, buffer.kind(), buffer.name.to_string());
                quote!(#arguments.add::<#kind, _>(#text, self.#field);)
            });
            let bind = quote! {
                let mut #arguments = ::graph_runtime::__private::Arguments::new();
                #(#added)*
                let #arguments = #arguments.with_objects(#objects);
            };
            return [
                quote!(#bind #of::build_with(device, values, #arguments).map(#graph)),
                quote!(#bind #of::build_with(device, values, #arguments.in_arena(arena)).map(#graph)),
            ];
        }
        let bindings = self.buffers().map(|buffer| {
            let (field, bind) = (buffer.name, buffer.bind_trait());
            quote!(<_ as #bind>::bind(self.#field))
        });
        let bind = quote!(let bindings = ::std::vec![#(#bindings),*];);
        if no_objects {
            return [
                quote!(#bind #of::build(device, values, bindings).map(#graph)),
                quote!(#bind #of::build_in(arena, device, values, bindings).map(#graph)),
            ];
        }
        [
            quote!(#bind #of::build_objects(device, values, bindings, #objects).map(#graph)),
            quote!(#bind #of::build_objects_in(arena, device, values, bindings, #objects).map(#graph)),
        ]
    }
}

/// The generic parameter for how a buffer or a list is bound.
fn binder(parameter: &ast::Parameter) -> Option<Ident> {
    let bound = parameter.listed.is_some() || matches!(parameter.kind, ast::ParameterKind::Buffer { .. });
    bound.then(|| list_binder(&parameter.name))
}

fn list_binder(name: &Ident) -> Ident {
    quote::format_ident!("__Bind_{}", name, span = proc_macro2::Span::mixed_site())
}
