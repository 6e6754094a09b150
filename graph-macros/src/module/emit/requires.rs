//! `#[requires(…)]` as functions of exactly what each names.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::super::ast::{Form, Kernel};
use super::generics::Parts;
use crate::lower::{identifiers, text};

/// What a requirement may name, and where its value comes from.
struct Fact<'a> {
    name: Ident,
    ty: TokenStream,
    value: TokenStream,
    text: &'a str,
}

/// `fn __requires(launch: &LaunchFacts<'_>) -> Option<Unmet>`; nothing for a kernel without requirements.
pub(super) fn function(kernel: &Kernel, generics: &Parts<'_>) -> TokenStream {
    if kernel.settings.requires.is_empty() || kernel.broken {
        return TokenStream::new();
    }
    let launch = Ident::new("launch", Span::mixed_site());
    let checks = kernel
        .settings
        .requires
        .iter()
        .enumerate()
        .map(|(index, requirement)| check(index, requirement, kernel, generics, &launch));
    quote! {
        #[allow(unused_variables, reason = "a requirement may name nothing")]
        #[allow(clippy::all, clippy::pedantic, reason = "written by the user, in a place of its own")]
        fn __requires(
            #launch: &::graph_runtime::__private::LaunchFacts<'_>,
        ) -> ::core::option::Option<::graph_runtime::__private::Unmet> {
            #(#checks)*
            ::core::option::Option::None
        }
    }
}

/// `Some(Self::__requires)` or `None`.
pub(super) fn pointer(kernel: &Kernel) -> TokenStream {
    if kernel.settings.requires.is_empty() || kernel.broken {
        quote! { ::core::option::Option::None }
    } else {
        quote! { ::core::option::Option::Some(Self::__requires) }
    }
}

fn check(index: usize, requirement: &Expr, kernel: &Kernel, generics: &Parts<'_>, launch: &Ident) -> TokenStream {
    let names = identifiers(requirement);
    let names_of = |fact: &Fact<'_>| fact.name.unraw().to_string();
    let owned: Vec<String> = kernel.parameters.iter().map(|parameter| parameter.name.unraw().to_string()).collect();
    let facts: Vec<Fact<'_>> = facts(kernel, &owned, launch, requirement.span())
        .into_iter()
        .filter(|fact| names.contains(&names_of(fact)) || names.contains(&fact.name.to_string()))
        .collect();
    let function = format_ident!("__require{index}", span = Span::mixed_site());
    let (declared, turbofish, clause) = (&generics.declared, &generics.turbofish, &generics.clause);
    let parameters = facts.iter().map(|Fact { name, ty, .. }| quote! { #name: #ty });
    let values = facts.iter().map(|fact| &fact.value);
    let texts = facts.iter().map(|fact| fact.text);
    let written = text::of(requirement);
    // rustc says "expected `bool`" about the requirement, not about the function.
    let result = quote_spanned! {requirement.span().resolved_at(Span::mixed_site())=> bool };
    quote! {
        fn #function #declared(#(#parameters),*) -> #result #clause {
            #requirement
        }
        if !#function #turbofish(#(#values),*) {
            return ::core::option::Option::Some(::graph_runtime::__private::Unmet {
                text: #written,
                names: &[#(#texts),*],
            });
        }
    }
}

/// The parameters, then `grid` and `block` where no parameter is called so.
fn facts<'a>(kernel: &'a Kernel, names: &'a [String], launch: &Ident, span: Span) -> Vec<Fact<'a>> {
    let (mut values, mut buffers, mut lists) = (0, 0, 0);
    let mut facts = Vec::new();
    for (parameter, text) in kernel.parameters.iter().zip(names) {
        let name = parameter.name.clone();
        match &parameter.form {
            Form::Value(ty) => {
                let index = Literal::usize_unsuffixed(values);
                values += 1;
                let value = quote! {
                    // SAFETY: the parameter is declared with this type.
                    unsafe { #launch.value::<#ty>(#index) }
                };
                facts.push(Fact { name, ty: quote! { #ty }, value, text });
            }
            Form::Buffer { element, .. } => {
                let index = Literal::usize_unsuffixed(buffers);
                buffers += 1;
                let ty = quote! { ::graph_runtime::__private::Ghost<#element> };
                facts.push(Fact { name, ty, value: quote! { #launch.buffer::<#element>(#index) }, text });
            }
            Form::List { element, .. } => {
                let index = Literal::usize_unsuffixed(lists);
                lists += 1;
                let ty = quote! { ::graph_runtime::__private::GhostList<::graph_runtime::__private::Ghost<#element>> };
                facts.push(Fact { name, ty, value: quote! { #launch.list::<#element>(#index) }, text });
            }
            Form::Condition(_) | Form::Unknown => {}
        }
    }
    for word in ["grid", "block"] {
        if !names.iter().any(|name| name == word) {
            let name = Ident::new(word, span);
            let method = Ident::new(word, Span::mixed_site());
            let ty = quote! { ::graph_runtime::__private::Sizes };
            facts.push(Fact { name, ty, value: quote! { #launch.#method() }, text: word });
        }
    }
    facts
}
