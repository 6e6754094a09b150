//! `sweep::__DECLARATION`: what the runtime knows about the kernel.

use graph_ir::code::Code;
use graph_ir::model::Mode;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::super::ast::{Form, Kernel, Parameter, Symbol};
use super::super::attribute;
use super::generics::Parts;
use super::{SOURCE, location, requires, shared};
use crate::lower::text;

/// A refused kernel has a declaration without parameters: nothing of it can be refused again, and nobody runs it.
pub(super) fn constants(kernel: &Kernel, generics: &Parts<'_>) -> TokenStream {
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
    let (symbol, instance) = symbol(kernel, generics);
    let (block, other) = (block(kernel), other_block(kernel));
    let threads = threads(kernel);
    let large = &kernel.facts.large_block;
    let shared = shared::constants(kernel);
    let requires = requires::pointer(kernel);
    let (waits, effects) = (kernel.settings.waits.is_some(), kernel.settings.effects);
    let waits_first = kernel.settings.waits.as_ref().is_some_and(|waits| waits.first);
    let early = if kernel.broken { Vec::new() } else { kernel.early() };
    quote! {
        #[doc(hidden)]
        pub const __DECLARATION: &'static ::graph_runtime::__private::KernelDeclaration =
            &::graph_runtime::__private::KernelDeclaration {
                name: #name,
                symbol: ::graph_runtime::__private::KernelSymbol::#symbol,
                module: &#source,
                parameters: &[#(#parameters),*],
                lengths: Self::__lengths,
                block: Self::__BLOCK,
                requires: #requires,
                waits: #waits,
                waits_first: #waits_first,
                early: &[#(#early),*],
                effects: #effects,
                cpu: #cpu,
                location: #location,
            };

        #[doc(hidden)]
        pub const __BLOCK: ::core::option::Option<[u32; 3]> = #block;

        #[doc(hidden)]
        pub const __OTHER_BLOCK: &'static str = #other;

        #[doc(hidden)]
        pub const __THREADS: ::core::option::Option<u32> = #threads;

        #[doc(hidden)]
        pub const __LARGE_BLOCK: &'static str = #large;

        #shared
        #instance
    }
}

/// How the module knows the kernel, and the function that says it for an instance.
fn symbol(kernel: &Kernel, generics: &Parts<'_>) -> (TokenStream, TokenStream) {
    let name = kernel.name_in_file();
    if kernel.symbol == Symbol::Plain {
        return (quote! { Name(#name) }, TokenStream::new());
    }
    let instance = generics.instance(&name);
    let function = quote! {
        fn __instance() -> ::core::result::Result<::std::string::String, ::std::string::String> {
            #instance
        }
    };
    (quote! { Expression(Self::__instance) }, function)
}

/// `Some([256, 1, 1])`
fn block(kernel: &Kernel) -> TokenStream {
    let Some(sizes) = &kernel.settings.block else { return quote! { ::core::option::Option::None } };
    let sizes: Vec<TokenStream> = (0..3)
        .map(|axis| {
            let Some(size) = sizes.get(axis) else { return quote! { 1 } };
            let span = size.span().resolved_at(Span::mixed_site());
            quote_spanned! {span=> { #[allow(clippy::all, clippy::pedantic, reason = "a size")] { #size as u32 } } }
        })
        .collect();
    quote! { ::core::option::Option::Some([#(#sizes),*]) }
}

/// `Some(256)`
fn threads(kernel: &Kernel) -> TokenStream {
    let Some(threads) = kernel.facts.threads else { return quote! { ::core::option::Option::None } };
    quote! { ::core::option::Option::Some(#threads) }
}

/// What rustc says where a literal block differs.
fn other_block(kernel: &Kernel) -> String {
    let Some(sizes) = &kernel.settings.block else { return String::new() };
    let sizes: Vec<String> = sizes.iter().map(text::of).collect();
    let (name, code) = (&kernel.name, Code::FIXED_BLOCK);
    format!(
        "kernel `{name}` is not launched with its own block [{code}]\nnote: its declaration fixes the block: `#[block({})]`\nhelp: leave \
         the block out: `<<<grid>>>`",
        sizes.join(", ")
    )
}

/// What bounds on launches look for.
pub(super) fn traits(kernel: &Kernel, name: &Ident, generics: &Parts<'_>) -> TokenStream {
    let Parts { declared, used, clause, .. } = generics;
    let conditions = attribute::conditions(&kernel.attributes);
    let block = kernel.settings.block.is_some().then(|| {
        quote! {
            #conditions
            impl #declared ::graph_runtime::__private::FixedBlock for #name #used #clause {
                const BLOCK: [u32; 3] = match Self::__BLOCK {
                    ::core::option::Option::Some(sizes) => sizes,
                    ::core::option::Option::None => [1, 1, 1],
                };
            }
        }
    });
    let waits = kernel.settings.waits.is_some().then(|| {
        quote! {
            #conditions
            impl #declared ::graph_runtime::__private::Waits for #name #used #clause {}
        }
    });
    quote! { #block #waits }
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
        Form::List { mode, element, .. } => {
            let (mode, element) = (self::mode(*mode), layout("buffer_layout", element));
            quote! { List { mode: ::graph_runtime::__private::Mode::#mode, element: #element } }
        }
        Form::Value(ty) => {
            let layout = layout("value_layout", ty);
            quote! { Value { layout: #layout } }
        }
        Form::Condition(_) => quote! { Condition },
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
