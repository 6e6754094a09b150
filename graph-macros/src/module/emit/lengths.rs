//! How many elements a launch touches, from the bytes of its values.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;

use super::super::ast::{Form, Kernel};
use super::super::length::{Length, Part};
use super::generics::Parts;

/// `fn __lengths(values: &[&[u8]]) -> Result<Vec<u64>, String>`, for each buffer one number or several.
pub(super) fn function(kernel: &Kernel, generics: &Parts<'_>) -> TokenStream {
    let all: Vec<Option<&Part>> = if kernel.broken { Vec::new() } else { kernel.lengths() };
    let lengths: Vec<&Part> = all.iter().copied().flatten().collect();
    let values = Ident::new("values", Span::mixed_site());
    let functions = lengths.iter().enumerate().map(|(index, length)| computation(index, length, generics));
    let turbofish = &generics.turbofish;
    let bindings = kernel
        .values()
        .enumerate()
        .filter(|(_, (_, name, _))| lengths.iter().any(|length| length.values.contains(name)))
        .map(|(position, (_, name, ty))| {
            let text = name.unraw().to_string();
            let local = local(name);
            quote! { let #local = ::graph_runtime::__private::length::value::<#ty>(#text, #values, #position)?; }
        });
    let mut computations = lengths.iter().enumerate();
    let results = all.iter().map(|length| {
        let Some((index, length)) = length.and_then(|_| computations.next()) else {
            return quote! { ::graph_runtime::__private::length::WHOLE };
        };
        let text = length.text();
        let function = computed(index);
        let arguments = length.values.iter().map(local);
        quote! { ::graph_runtime::__private::length::checked(#text, #function #turbofish(#(#arguments),*))? }
    });
    quote! {
        fn __lengths(
            #values: &[&[u8]],
        ) -> ::core::result::Result<::std::vec::Vec<u64>, ::std::string::String> {
            #(#functions)*
            #(#bindings)*
            ::core::result::Result::Ok(::std::vec![#(#results),*])
        }
    }
}

impl Kernel {
    /// The lengths of its buffers: of a shape each dimension, then each distance; `None` where a requirement stands for one.
    fn lengths(&self) -> Vec<Option<&Part>> {
        let mut lengths = Vec::new();
        for parameter in &self.parameters {
            match &parameter.form {
                Form::Buffer { length: Some(length), .. } => lengths.extend(Length::parts(length).iter().map(Some)),
                Form::Buffer { length: None, .. } => lengths.push(None),
                _ => {}
            }
        }
        lengths
    }
}

/// A function of its own, whose parameters are exactly the values that the length names.
fn computation(index: usize, length: &Part, generics: &Parts<'_>) -> TokenStream {
    let function = computed(index);
    let names = &length.values;
    let body = &length.checked;
    let parameters = names.iter().map(|name| quote_spanned! {name.span()=> #name: usize });
    let Parts { declared, clause, .. } = generics;
    quote! {
        fn #function #declared(
            #(#parameters),*
        ) -> ::core::result::Result<usize, ::graph_runtime::__private::length::Fault> #clause {
            ::core::result::Result::Ok(#body)
        }
    }
}

fn computed(index: usize) -> Ident {
    format_ident!("__length{index}", span = Span::mixed_site())
}

/// The value inside the generated function: it cannot be meant by anything that the user wrote.
fn local(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site());
    name
}
