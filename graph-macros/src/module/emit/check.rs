//! What launches are type-checked against: a function with the kernel's name, and one per value parameter.

use graph_ir::model::Mode;
use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Ends, Form, Kernel, Parameter};
use super::super::attribute;
use super::generated;
use super::generics::Parts;

/// `pub fn sweep(b: Reads<[f32]>, n: u32) -> Launched { … }`
pub(super) fn function(kernel: &Kernel, generics: &Parts<'_>) -> TokenStream {
    let Kernel { visibility, name, .. } = kernel;
    let attributes = attribute::outer(&kernel.attributes);
    let parameters = kernel.parameters.iter().map(parameter);
    let generated = generated();
    let Parts { declared, clause, .. } = generics;
    quote! {
        #attributes
        #generated
        #[allow(unused_variables, reason = "never run")]
        #visibility fn #name #declared(#(#parameters),*) -> ::graph_runtime::__private::Launched #clause {
            ::graph_runtime::__private::Launched::new()
        }
    }
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let name = &parameter.name;
    match &parameter.form {
        Form::Buffer { mode, element, spans, .. } => {
            let marker = marker(*mode, &quote! { [#element] }, *spans);
            quote! { #name: #marker }
        }
        Form::List { mode, element, spans } => {
            let list = quote_spanned! {spans.first.resolved_at(Span::mixed_site())=> ::graph_runtime::__private::List };
            let marker = marker(*mode, &quote! { #list<[#element]> }, *spans);
            quote! { #name: #marker }
        }
        Form::Value(ty) => quote! { #name: #ty },
        Form::Condition(span) => {
            let word = Ident::new("ConditionName", span.resolved_at(Span::mixed_site()));
            quote! { #name: ::graph_runtime::__private::#word }
        }
        Form::Unknown => quote! { #name: impl ::core::marker::Sized },
    }
}

/// `Reads<[f32]>`, from the first to the last token of what is written.
fn marker(mode: Mode, contents: &TokenStream, spans: Ends) -> TokenStream {
    let word = match mode {
        Mode::Read => "Reads",
        Mode::Update => "Updates",
        Mode::Overwrite => "Overwrites",
        Mode::Atomic => "Atomics",
    };
    let word = Ident::new(word, spans.first.resolved_at(Span::mixed_site()));
    let mut tokens = quote_spanned! {spans.first=> ::graph_runtime::__private::#word<#contents };
    let mut close = Punct::new('>', Spacing::Alone);
    close.set_span(spans.last);
    tokens.extend([TokenTree::Punct(close)]);
    tokens
}

/// `pub fn __p3(n: u32) -> u32 { n }`: the type of a compound argument is the parameter's.
pub(super) fn values(kernel: &Kernel) -> TokenStream {
    let functions = kernel.values().map(|(index, name, ty)| {
        let function = format_ident!("__p{index}", span = name.span().resolved_at(Span::mixed_site()));
        quote! {
            #[doc(hidden)]
            pub fn #function(#name: #ty) -> #ty {
                #name
            }
        }
    });
    quote! { #(#functions)* }
}
