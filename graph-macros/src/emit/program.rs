//! `impl Program`: the graph as data, its tables, its evaluator.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::Emission;
use super::evaluate::Evaluator;
use super::once::Once;
use crate::lower::KernelUse;

impl Emission<'_> {
    pub(super) fn program(&self) -> TokenStream {
        let visibility = &self.graph.visibility;
        let (program, values) = (&self.names.program, &self.names.values);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let (predicates, phantom) = (self.generics.predicates(), self.generics.phantom());
        let fields = self.values().map(|(name, ty)| quote!(#name: #ty));
        let arms = self.revalued();
        let revalue = (!arms.is_empty()).then(|| {
            quote! {
                fn revalue(
                    values: &Self::Values,
                    parameter: u32,
                    sink: &mut ::graph_runtime::__private::Sink,
                ) -> bool {
                    Self::__revalue(values, parameter, sink)
                }
            }
        });
        let body = Once::new(self.program_impl(arms));
        quote! {
            #[doc(hidden)]
            #visibility struct #program<#declared>(#phantom) where #predicates;

            #[doc(hidden)]
            #[derive(::core::clone::Clone)]
            #visibility struct #values<#declared> where #predicates {
                #(#fields,)*
                __types: #phantom,
            }

            const _: () = {
                #body
                // SAFETY: generated; the kernels' declarations are those of `unsafe mod`s.
                unsafe impl<#declared> ::graph_runtime::__private::Program for #program<#used> where #predicates {
                    type Values = #values<#used>;
                    const DATA: &'static [u8] = __CUDA_GRAPH_DATA;

                    fn elements() -> ::std::vec::Vec<::graph_runtime::__private::ElementLayout> {
                        Self::__elements()
                    }

                    fn kernels() -> ::std::vec::Vec<&'static ::graph_runtime::__private::KernelDeclaration> {
                        Self::__kernels()
                    }

                    fn graphs() -> ::std::vec::Vec<::graph_runtime::__private::GraphEntry> {
                        Self::__graphs()
                    }

                    fn evaluate(values: &Self::Values, sink: &mut ::graph_runtime::__private::Sink) {
                        Self::__evaluate(values, sink);
                    }

                    #revalue
                }
            };
        }
    }

    fn program_impl(&self, revalued: Vec<TokenStream>) -> TokenStream {
        let (program, values) = (&self.names.program, &self.names.values);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let predicates = self.generics.predicates();
        let data = bytes(&self.lowered.program.encode().unwrap_or_default());
        let imports = self.lowered.kernels.iter().filter(|kernel| !kernel.imported).map(import);
        let stand_ins = self.stand_ins();
        let names = self.lowered.kernels.iter().filter_map(type_name);
        let blocks = self.lowered.kernels.iter().flat_map(literal_blocks);
        let shared = self.lowered.kernels.iter().flat_map(literal_shared);
        let salvaged = &self.graph.kernels;
        let kernels = self.lowered.kernels.iter().map(KernelUse::as_type);
        let (kinds, indices) = self.element_table();
        let Evaluator { body, parts } = self.evaluator();
        let types = self.kernel_types();
        let parts = self.parts_impl(parts);
        let (aliases, inside, checks) = (self.graph_aliases(), self.inside_impl(), self.body_checks());
        let graphs = self.graph_entries();
        let revalue = self.revalue(revalued);
        let (sink, input) = (internal("__sink"), internal("__values"));
        quote! {
            #[allow(unused_imports)]
            use ::graph_runtime::__private::{
                AnyParam as _, Elements as __Elements, Ghost as __Ghost, arithmetic as __arithmetic, hole as __hole
            };
            #(#imports)*
            #stand_ins
            #(#names)*
            #(#blocks)*
            #(#shared)*
            #aliases
            #checks
            #inside
            #(#[allow(unused_imports)] use #salvaged as _;)*
            static __CUDA_GRAPH_DATA: &[u8] = #data;

            impl<#declared> #program<#used> where #predicates {
                #[inline(never)]
                fn __elements() -> ::std::vec::Vec<::graph_runtime::__private::ElementLayout> {
                    let kinds = [#(::graph_runtime::__private::buffer_layout::<#kinds>()),*];
                    let indices: &[u32] = &[#(#indices),*];
                    indices.iter().map(|index| kinds[*index as usize]).collect()
                }

                fn __kernels() -> ::std::vec::Vec<&'static ::graph_runtime::__private::KernelDeclaration> {
                    ::std::vec![#(#kernels::__DECLARATION),*]
                }

                fn __graphs() -> ::std::vec::Vec<::graph_runtime::__private::GraphEntry> {
                    #graphs
                }

                #[allow(unused_variables, unused_mut, unused_parens, unused_braces, clippy::all, clippy::pedantic)]
                #[allow(unreachable_patterns, unused_comparisons, overlapping_range_endpoints)]
                fn __evaluate(#input: &#values<#used>, #sink: &mut ::graph_runtime::__private::Sink) {
                    #types
                    #body
                }

                #revalue
            }

            #parts
        }
    }

    /// The functions that a large evaluator calls.
    fn parts_impl(&self, parts: Vec<TokenStream>) -> Option<TokenStream> {
        if parts.is_empty() {
            return None;
        }
        let (program, parts) = (&self.names.program, Once::all(parts));
        let (declared, used, predicates) = (self.generics.declared(), self.generics.used(), self.generics.predicates());
        Some(quote! {
            #[allow(unused_variables, unused_mut, unused_parens, unused_braces, clippy::all, clippy::pedantic)]
            #[allow(unreachable_patterns, unused_comparisons, overlapping_range_endpoints, dead_code, non_snake_case)]
            impl<#declared> #program<#used> where #predicates {
                #parts
            }
        })
    }

    /// Names each kernel as a type where it is launched: what rustc has said about the type, it does not say of the launch again.
    fn kernel_types(&self) -> TokenStream {
        let names: Vec<Ident> = self.lowered.kernels.iter().filter_map(KernelUse::type_name).collect();
        if names.is_empty() { TokenStream::new() } else { quote!(let _ = || { #(let _ = #names::__BLOCK;)* };) }
    }

    /// What functions that are no kernels are taken for; without names that a path begins with, which would be ambiguous.
    fn stand_ins(&self) -> TokenStream {
        let kernels = &self.lowered.kernels;
        let begins = |alias: &Ident| {
            kernels.iter().any(|kernel| kernel.path.path.segments.first().is_some_and(|first| first.ident == *alias))
        };
        let imported = kernels.iter().filter(|kernel| !kernel.imported).map(|kernel| &kernel.alias);
        let names: Vec<Ident> = imported.filter(|alias| !begins(alias)).map(again).collect();
        if names.is_empty() {
            return TokenStream::new();
        }
        quote! {
            mod __no_kernel {
                #(::graph_runtime::__no_kernel!(#names);)*
            }
            #[allow(unused_imports)]
            use __no_kernel::*;
        }
    }

    /// The distinct element types, and the index of each buffer's among them.
    fn element_table(&self) -> (Vec<&syn::Type>, Vec<u32>) {
        let mut kinds: Vec<&syn::Type> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        let mut indices = Vec::new();
        for element in &self.lowered.elements {
            let text = element.to_token_stream().to_string();
            let index = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                texts.push(text);
                kinds.push(element);
                texts.len() - 1
            });
            indices.push(index as u32);
        }
        (kinds, indices)
    }
}

/// `use jacobi::sweep as sweep;`: an unknown kernel is reported here, once, at its first use. Without `self::` in front of a single
/// name, which may be one of the function around the block.
fn import(kernel: &KernelUse) -> TokenStream {
    let (path, alias) = (&kernel.path, &kernel.alias);
    quote!(use #path as #alias;)
}

/// `type __Kernel_0 = sweep;`: a template without its arguments is reported here, once.
fn type_name(kernel: &KernelUse) -> Option<TokenStream> {
    let (name, alias) = (kernel.type_name()?, &kernel.alias);
    let mut at = alias.clone();
    at.set_span(alias.span().located_at(kernel.path.path.segments.last()?.ident.span()));
    Some(quote!(#[allow(non_camel_case_types)] type #name = #at;))
}

/// `const _: () = …;` for each literal block: rustc compares it with the declaration's.
fn literal_blocks(kernel: &KernelUse) -> impl Iterator<Item = TokenStream> {
    let alias = kernel.type_name().unwrap_or_else(|| kernel.alias.clone());
    kernel.blocks.iter().map(move |([x, y, z], span)| {
        let [x, y, z] = [x, y, z].map(|size| u32::try_from(*size).unwrap_or(u32::MAX));
        let panic = quote_spanned!(Span::mixed_site().located_at(*span)=> ::core::panic!("{}", #alias::__OTHER_BLOCK));
        let large = quote_spanned!(Span::mixed_site().located_at(*span)=> ::core::panic!("{}", #alias::__LARGE_BLOCK));
        quote! {
            const _: () = if !::graph_runtime::__private::agrees(#alias::__BLOCK, [#x, #y, #z]) {
                #panic
            } else if !::graph_runtime::__private::within(#alias::__THREADS, [#x, #y, #z]) {
                #large
            };
        }
    })
}

/// `const _: () = …;` for each literal number of bytes: rustc adds what the kernel declares itself.
fn literal_shared(kernel: &KernelUse) -> impl Iterator<Item = TokenStream> {
    let alias = kernel.type_name().unwrap_or_else(|| kernel.alias.clone());
    kernel.shared.iter().map(move |(bytes, span)| {
        let panic = quote_spanned!(Span::mixed_site().located_at(*span)=> ::core::panic!("{}", #alias::__LARGE_SHARED));
        quote! {
            const _: () = if #bytes > #alias::__MOST_SHARED {
                #panic
            };
        }
    })
}

/// The kernel's name without its definition.
fn again(alias: &Ident) -> Ident {
    let mut alias = alias.clone();
    alias.set_span(Span::call_site());
    alias
}

impl KernelUse {
    /// The kernel, or the instance, as a type.
    pub(super) fn as_type(&self) -> TokenStream {
        let (alias, generics) = (&self.alias, &self.generics);
        self.type_name().map_or_else(|| quote!(#alias #generics), ToTokens::into_token_stream)
    }

    /// What it is called as a type, unless its instance is written: that may name the graph's own parameters.
    fn type_name(&self) -> Option<Ident> {
        let span = Span::mixed_site().located_at(self.alias.span());
        self.generics.is_empty().then(|| format_ident!("__Kernel_{}", self.alias, span = span))
    }
}

/// A literal of bytes. `Literal::byte_string` takes ten times as long to write one.
fn bytes(bytes: &[u8]) -> Literal {
    let mut text = String::with_capacity(2 * bytes.len() + 3);
    text.push_str("b\"");
    for byte in bytes {
        match byte {
            0 => text.push_str("\\0"),
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
                text.extend(['\\', 'x', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    text.push('"');
    text.parse().unwrap_or_else(|_| Literal::byte_string(bytes))
}

/// A name of generated code that no name of the user's can be.
pub(super) fn internal(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn the_bytes_of_a_literal_are_those_that_rustc_reads() {
        let all: Vec<u8> = (0..=255).collect();
        let literal: syn::LitByteStr = syn::parse_str(&bytes(&all).to_string()).unwrap();
        assert_eq!(literal.value(), all);
    }
}
