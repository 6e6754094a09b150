//! The entry on the CPU: fetches the arguments and calls the user's body.

use graph_ir::model::Mode;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::ast::{Form, Kernel, Parameter};
use super::super::attribute;
use super::super::length::Length;
use super::generics::Parts;
use super::{again, generated};

impl Kernel {
    /// Whether it can run on the CPU.
    pub(super) fn has_entry(&self) -> bool {
        self.body.is_some() && !self.broken
    }
}

/// Nothing for a kernel without a body. The body of a refused kernel is emitted, so that it stays checked, but not called.
pub(super) fn entry(kernel: &Kernel, generics: &Parts<'_>) -> TokenStream {
    let Some(body) = &kernel.body else { return TokenStream::new() };
    let name = again(&kernel.name);
    let lints = attribute::lints(&kernel.attributes);
    let parameters: Vec<TokenStream> = kernel.parameters.iter().filter_map(parameter).collect();
    let launch = Ident::new("launch", Span::mixed_site());
    let Parts { declared, turbofish, clause, .. } = generics;
    let call = kernel.has_entry().then(|| {
        let arguments =
            kernel.parameters.iter().enumerate().filter_map(|(index, parameter)| argument(index, parameter, &launch));
        quote! {
            // SAFETY: each argument is fetched once, by the mode and the type that the kernel is declared with.
            unsafe { #name #turbofish(#(#arguments),*) }
        }
    });
    let generated = generated();
    quote! {
        #[allow(unused_variables, reason = "a kernel may have no parameters")]
        fn __cpu(#launch: &::graph_runtime::__private::CpuLaunch<'_>) {
            #generated
            #lints
            fn #name #declared(#(#parameters),*) #clause #body
            #call
        }
    }
}

/// As the body sees it.
fn parameter(parameter: &Parameter) -> Option<TokenStream> {
    let Parameter { attributes, mutable, name, form } = parameter;
    let unused = quote! { #[allow(unused_variables, reason = "the kernel has it on the device")] };
    match form {
        Form::Buffer { mode, element, spans, length } => {
            let rank = rank(length.as_deref());
            let first = spans.first.resolved_at(Span::mixed_site());
            let ty = match mode {
                Mode::Read if rank.is_some() => {
                    quote_spanned! {first=> ::graph_runtime::__private::Tile<'_, #element, #rank> }
                }
                Mode::Update | Mode::Overwrite if rank.is_some() => {
                    quote_spanned! {first=> ::graph_runtime::__private::TileMut<'_, #element, #rank> }
                }
                Mode::Read => quote_spanned! {first=> &[#element] },
                Mode::Update => quote_spanned! {first=> &mut [#element] },
                Mode::Overwrite => quote_spanned! {first=> ::graph_runtime::__private::Out<'_, [#element]> },
                Mode::Atomic => quote_spanned! {first=> ::graph_runtime::__private::Atomic<'_, [#element]> },
            };
            let written = matches!(mode, Mode::Overwrite) || (rank.is_some() && matches!(mode, Mode::Update));
            let mutable = if written {
                quote! { #[allow(unused_mut, reason = "as on the device, it can be written")] mut }
            } else {
                quote! { #mutable }
            };
            Some(quote! { #(#attributes)* #unused #mutable #name: #ty })
        }
        Form::List { mode, element, spans } => {
            let first = spans.first.resolved_at(Span::mixed_site());
            let ty = match mode {
                Mode::Read => quote_spanned! {first=> &[&[#element]] },
                Mode::Update | Mode::Overwrite => quote_spanned! {first=> &mut [&mut [#element]] },
                Mode::Atomic => quote_spanned! {first=> &[::graph_runtime::__private::Atomic<'_, [#element]>] },
            };
            Some(quote! { #(#attributes)* #unused #mutable #name: #ty })
        }
        Form::Value(ty) => Some(quote! { #(#attributes)* #unused #mutable #name: #ty }),
        Form::Condition(span) => {
            let word = Ident::new("Condition", span.resolved_at(Span::mixed_site()));
            Some(quote! { #(#attributes)* #unused #mutable #name: ::graph_runtime::__private::#word<'_> })
        }
        Form::Unknown => None,
    }
}

/// The dimensions of a parameter that is declared with a shape.
fn rank(length: Option<&Length>) -> Option<Literal> {
    let dimensions = length.map_or(1, Length::dimensions);
    (dimensions > 1).then(|| Literal::usize_unsuffixed(dimensions))
}

/// `launch.read(0)`
fn argument(index: usize, parameter: &Parameter, launch: &Ident) -> Option<TokenStream> {
    let index = Literal::usize_unsuffixed(index);
    let accessor = match &parameter.form {
        Form::Buffer { mode, length, .. } if rank(length.as_deref()).is_some() => {
            if *mode == Mode::Read {
                "read_box"
            } else {
                "write_box"
            }
        }
        Form::Buffer { mode: Mode::Read, .. } => "read",
        Form::Buffer { mode: Mode::Update, .. } => "update",
        Form::Buffer { mode: Mode::Overwrite, .. } => "out",
        Form::Buffer { mode: Mode::Atomic, .. } => "atomic",
        Form::List { mode, .. } => {
            let (reference, accessor) = match mode {
                Mode::Read => (quote! { & }, "read_list"),
                Mode::Update | Mode::Overwrite => (quote! { &mut }, "write_list"),
                Mode::Atomic => (quote! { & }, "atomic_list"),
            };
            let accessor = Ident::new(accessor, Span::mixed_site());
            return Some(quote! { #reference #launch.#accessor(#index) });
        }
        Form::Value(_) => "value",
        Form::Condition(_) => "condition",
        Form::Unknown => return None,
    };
    let accessor = Ident::new(accessor, Span::mixed_site());
    Some(quote! { #launch.#accessor(#index) })
}
