//! The graph's own type: a transparent wrapper that derefs to `Graph`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Emission;
use super::once::Once;
use crate::lower::for_rustc;

impl Emission<'_> {
    pub(super) fn graph_type(&self) -> TokenStream {
        let visibility = &self.graph.visibility;
        let attributes = self.graph.attributes.iter().filter_map(for_rustc);
        let (name, program) = (&self.graph.name, &self.names.program);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let (with_defaults, predicates) = (self.generics.declared_with_defaults(), self.generics.predicates());
        let constants = Once::new(self.label_constants());
        let parameters = Once::new(self.parameter_methods());
        // rustc marks an item from its keyword to its name.
        let word = quote_spanned!(Span::mixed_site().located_at(name.span())=> struct);
        let inner = quote!(::graph_runtime::Graph<'g, #program<#used>>);
        quote! {
            #(#attributes)*
            #[repr(transparent)]
            #visibility #word #name<'g, #with_defaults>(#inner) where #predicates;

            impl<'g, #declared> ::core::ops::Deref for #name<'g, #used> where #predicates {
                type Target = #inner;
                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            impl<'g, #declared> ::core::ops::DerefMut for #name<'g, #used> where #predicates {
                fn deref_mut(&mut self) -> &mut Self::Target {
                    &mut self.0
                }
            }

            impl<'g, #declared> ::core::convert::From<#name<'g, #used>> for #inner where #predicates {
                fn from(graph: #name<'g, #used>) -> Self {
                    graph.0
                }
            }

            impl<'g, #declared> ::core::fmt::Debug for #name<'g, #used> where #predicates {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.0, f)
                }
            }

            #[allow(dead_code, non_snake_case, clippy::used_underscore_binding)]
            impl<'g, #declared> #name<'g, #used> where #predicates {
                #constants

                /// The graph as the macro saw it: no device is needed.
                pub fn outline() -> ::graph_runtime::Outline {
                    ::graph_runtime::Outline::of::<#program<#used>>()
                }

                #parameters
            }
        }
    }
}
