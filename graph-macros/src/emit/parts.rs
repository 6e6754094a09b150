//! `JacobiParts`: what `into_parts` gives back.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;

impl Emission<'_> {
    pub(super) fn parts(&self) -> TokenStream {
        if self.has_lists() {
            return TokenStream::new();
        }
        let visibility = &self.graph.visibility;
        let (name, graph) = (&self.names.parts, &self.graph.name);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let (with_defaults, predicates) = (self.generics.declared_with_defaults(), self.generics.predicates());
        let fields = self.buffers().map(|buffer| {
            let (field, element) = (buffer.name, buffer.element);
            quote!(pub #field: ::graph_runtime::Bound<'g, #element>)
        });
        let taken = self.buffers().map(|buffer| {
            let field = buffer.name;
            quote!(#field: ::graph_runtime::Bound::new(#field))
        });
        let names = self.buffers().map(|buffer| buffer.name);
        let doc = format!("The buffers of a [`{graph}`] that was taken apart.");
        quote! {
            #[doc = #doc]
            #[allow(missing_docs)]
            #visibility struct #name<'g, #with_defaults> where #predicates {
                #(#fields,)*
                #[doc(hidden)]
                pub __types: ::core::marker::PhantomData<(&'g (), #graph<'g, #used>)>,
            }

            #[allow(dead_code)]
            impl<'g, #declared> #graph<'g, #used> where #predicates {
                /// Ends the graph and gives its buffers back; each waits for the launches that still use it.
                pub fn into_parts(self) -> #name<'g, #used> {
                    let [#(#names),*] = self.0.into_bindings();
                    #name { #(#taken,)* __types: ::core::marker::PhantomData }
                }
            }
        }
    }
}
