//! `#[cuda_module("kernels/jacobi.cu")] unsafe mod jacobi { … }`: kernels of the user's, declared with what they touch.

mod agree;
mod arguments;
mod ast;
mod attribute;
mod conditions;
mod cuda;
mod define;
mod early;
mod emit;
mod entries;
mod files;
mod form;
mod headers;
mod length;
mod level;
mod lex;
pub(crate) mod nearest;
mod parse;
mod ptx;
mod scan;
mod settings;
mod signature;
mod source;
#[cfg(test)]
mod tests;
mod written;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostic::Diagnostics;
use crate::editor::half_typed;

pub(crate) use files::{Disk, Files};

/// The module with its launches' check functions, its declarations and its CPU entries, and everything that is wrong with it.
pub(crate) fn expand(attribute: TokenStream, item: &TokenStream, files: &dyn Files) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let arguments = arguments::parse(attribute, &mut diagnostics);
    let Some(mut module) = parse::module(item.clone(), &mut diagnostics) else {
        let errors = diagnostics.into_tokens();
        // A module without a body would be looked for in a file.
        let bodiless = item.clone().into_iter().last().is_some_and(|token| token.to_string() == ";");
        return if bodiless {
            let for_editors = half_typed(item.clone());
            quote! { #errors #for_editors }
        } else {
            quote! { #errors #item }
        };
    };
    let source = arguments.and_then(|arguments| source::load(arguments, files, &mut diagnostics));
    if let Some(source) = &source {
        entries::resolve(&mut module, source, &mut diagnostics);
    }
    let module = emit::module(&module, source.as_ref());
    let for_editors = diagnostics.has_error().then(|| half_typed(item.clone()));
    let errors = diagnostics.into_tokens();
    if errors.is_empty() {
        return module;
    }
    quote! { const _: () = { #errors }; #module #for_editors }
}
