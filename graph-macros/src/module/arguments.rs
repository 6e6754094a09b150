//! The arguments of `#[cuda_module(…)]`.

use graph_ir::code::Code;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

use super::ast::Arguments;
use super::attribute::not_yet;
use super::nearest;
use crate::diagnostic::{Diagnostic, Diagnostics};

const KNOWN: [&str; 4] = ["options", "define", "include", "out_dir"];

/// `None` if there is no path to read.
pub(super) fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Arguments> {
    let parser = |input: ParseStream<'_>| Ok(arguments(input, diagnostics));
    match parser.parse2(tokens) {
        Ok(arguments) => arguments,
        Err(error) => {
            diagnostics.push(error.into());
            None
        }
    }
}

fn arguments(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> Option<Arguments> {
    let path = input.parse::<LitStr>().ok();
    if path.is_none() {
        diagnostics.extend(missing_path(input));
    }
    let mut options = Vec::new();
    while !input.is_empty() {
        if path.is_some() && input.parse::<Token![,]>().is_err() {
            diagnostics.push(Diagnostic::plain(input.span(), "expected `,`"));
            skip(input);
        } else if !input.is_empty()
            && let Err(fault) = argument(input, &mut options)
        {
            diagnostics.push(fault);
            skip(input);
        }
        if path.is_none() && input.parse::<Token![,]>().is_err() {
            skip(input);
        }
    }
    path.map(|path| Arguments { path, options })
}

/// Nothing to say where `out_dir = "…"` stands, which is refused by name.
fn missing_path(input: ParseStream<'_>) -> Option<Diagnostic> {
    let named = input.cursor().ident().is_some_and(|(word, _)| word == "out_dir");
    let span = if input.is_empty() { Span::call_site() } else { input.span() };
    (!named).then(|| {
        Diagnostic::error(Code::KERNEL_FILE, span, "expected the path of a kernel file")
            .note("the path is relative to the package's folder, and ends in `.cu`, `.ptx` or `.cubin`")
            .help("write it first: `#[cuda_module(\"kernels/name.cu\")]`")
    })
}

fn argument(input: ParseStream<'_>, options: &mut Vec<LitStr>) -> Result<(), Diagnostic> {
    let word = input.call(Ident::parse_any)?;
    match word.to_string().as_str() {
        "options" => {
            options.extend(list(input)?);
            Ok(())
        }
        "define" => Err(not_yet(word.span(), "`define(…)`").help("write `options(\"--define-macro=NAME=value\")`")),
        "include" => Err(not_yet(word.span(), "`include(…)`")
            .help("include headers by a path relative to the kernel file: `#include \"inc/name.cuh\"`")),
        "out_dir" => Err(not_yet(word.span(), "`out_dir = …`").help("commit the kernel file, and write its path here")),
        unknown => {
            let fault = Diagnostic::error(
                Code::DECLARATION,
                word.span(),
                format!("`{unknown}` is no argument of `cuda_module`"),
            );
            Err(match nearest::of(unknown, KNOWN) {
                Some(known) => fault.help(format!("an argument with a similar name exists: `{known}`")),
                None => fault.note("behind the path, `options(\"…\", …)` may follow"),
            })
        }
    }
}

/// `("…", "…")`
fn list(input: ParseStream<'_>) -> syn::Result<Punctuated<LitStr, Token![,]>> {
    let content;
    syn::parenthesized!(content in input);
    Punctuated::parse_terminated(&content)
}

/// To the next comma.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
