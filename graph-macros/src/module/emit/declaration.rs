//! `sweep::__DECLARATION`: what the runtime knows about the kernel.

use graph_ir::model::Mode;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt as _;

use super::super::ast::{Form, Kernel, Parameter};
use super::{SOURCE, location};

/// A refused kernel has a declaration without parameters: nothing of it can be refused again, and nobody runs it.
pub(super) fn constant(kernel: &Kernel) -> TokenStream {
    let name = kernel.name.unraw().to_string();
    let source = Ident::new(SOURCE, Span::call_site());
    let parameters: Vec<TokenStream> =
        if kernel.broken { Vec::new() } else { kernel.parameters.iter().map(parameter).collect() };
    let cpu = if kernel.has_entry() {
        quote! { ::core::option::Option::Some(Self::__cpu) }
    } else {
        quote! { ::core::option::Option::None }
    };
    let location = location(kernel.name.span());
    quote! {
        #[doc(hidden)]
        pub const __DECLARATION: &'static ::graph_runtime::__private::KernelDeclaration =
            &::graph_runtime::__private::KernelDeclaration {
                name: #name,
                module: &#source,
                parameters: &[#(#parameters),*],
                lengths: Self::__lengths,
                cpu: #cpu,
                location: #location,
            };
    }
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let name = parameter.name.unraw().to_string();
    let kind = match &parameter.form {
        Form::Buffer { mode, element, length, .. } => {
            let mode = self::mode(*mode);
            let element = layout("buffer_layout", element);
            let text = length.as_ref().map(|length| length.text()).unwrap_or_default();
            let dimensions = Literal::u8_unsuffixed(length.as_ref().map_or(1, |length| length.dimensions() as u8));
            let pitched = length.as_ref().is_some_and(|length| length.is_pitched());
            quote! {
                Buffer {
                    mode: ::graph_runtime::__private::Mode::#mode,
                    element: #element,
                    length: #text,
                    dimensions: #dimensions,
                    pitched: #pitched,
                }
            }
        }
        Form::Value(ty) => {
            let layout = layout("value_layout", ty);
            quote! { Value { layout: #layout } }
        }
        Form::Unknown => return TokenStream::new(),
    };
    quote! {
        ::graph_runtime::__private::ParameterDeclaration {
            name: #name,
            kind: ::graph_runtime::__private::ParameterKind::#kind,
        }
    }
}

/// The function whose bound says what the type must be; a type that is not is underlined where it is written.
fn layout(function: &str, ty: &Type) -> TokenStream {
    let span = ty.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let function = Ident::new(function, span.resolved_at(Span::mixed_site()));
    quote_spanned! {span.resolved_at(Span::mixed_site())=> ::graph_runtime::__private::#function::<#ty> }
}

fn mode(mode: Mode) -> Ident {
    let name = match mode {
        Mode::Read => "Read",
        Mode::Update => "Update",
        Mode::Overwrite => "Overwrite",
        Mode::Atomic => "Atomic",
    };
    Ident::new(name, Span::call_site())
}
