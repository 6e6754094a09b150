//! How many elements a launch touches, from the bytes of its values.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;

use super::super::ast::{Form, Kernel};
use super::super::length::{Length, Part};

/// `fn __lengths(values: &[&[u8]]) -> Result<Vec<u64>, String>`, one number per buffer.
pub(super) fn function(kernel: &Kernel) -> TokenStream {
    let lengths: Vec<&Part> = if kernel.broken { Vec::new() } else { kernel.lengths().collect() };
    let values = Ident::new("values", Span::mixed_site());
    let functions = lengths.iter().enumerate().map(|(index, length)| computation(index, length));
    let bindings = kernel
        .values()
        .enumerate()
        .filter(|(_, (_, name, _))| lengths.iter().any(|length| length.values.contains(name)))
        .map(|(position, (_, name, ty))| {
            let text = name.unraw().to_string();
            let local = local(name);
            quote! { let #local = ::graph_runtime::__private::length::value::<#ty>(#text, #values, #position)?; }
        });
    let results = lengths.iter().enumerate().map(|(index, length)| {
        let text = length.text();
        let function = computed(index);
        let arguments = length.values.iter().map(local);
        quote! { ::graph_runtime::__private::length::checked(#text, #function(#(#arguments),*))? }
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
    /// The lengths of its buffers: of a shape each dimension, then each distance.
    fn lengths(&self) -> impl Iterator<Item = &Part> {
        let lengths = self.parameters.iter().filter_map(|parameter| match &parameter.form {
            Form::Buffer { length, .. } => length.as_deref(),
            _ => None,
        });
        lengths.flat_map(Length::parts)
    }
}

/// A function of its own, whose parameters are exactly the values that the length names.
fn computation(index: usize, length: &Part) -> TokenStream {
    let function = computed(index);
    let names = &length.values;
    let body = &length.checked;
    let parameters = names.iter().map(|name| quote_spanned! {name.span()=> #name: usize });
    quote! {
        fn #function(
            #(#parameters),*
        ) -> ::core::result::Result<usize, ::graph_runtime::__private::length::Fault> {
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
