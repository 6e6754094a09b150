//! The arguments of `#[cuda_module(…)]`.

use graph_ir::code::Code;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

use super::ast::{Arguments, Root};
use super::{define, nearest};
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
    let path = path(input);
    if path.is_none() {
        diagnostics.push(missing_path(input));
    }
    let mut rest = Rest::default();
    while !input.is_empty() {
        if path.is_some() && input.parse::<Token![,]>().is_err() {
            diagnostics.push(Diagnostic::plain(input.span(), "expected `,`"));
            skip(input);
        } else if !input.is_empty()
            && let Err(fault) = argument(input, &mut rest)
        {
            diagnostics.push(fault);
            skip(input);
        }
        if path.is_none() && input.parse::<Token![,]>().is_err() {
            skip(input);
        }
    }
    let Rest { options, defines, includes } = rest;
    path.map(|(root, path)| Arguments { root, path, options, defines, includes })
}

/// What stands behind the path.
#[derive(Default)]
struct Rest {
    options: Vec<LitStr>,
    defines: Vec<(String, Span)>,
    includes: Vec<LitStr>,
}

/// `"kernels/name.cu"` or `out_dir = "name.ptx"`.
fn path(input: ParseStream<'_>) -> Option<(Root, LitStr)> {
    if let Ok(path) = input.parse::<LitStr>() {
        return Some((Root::Package, path));
    }
    let ahead = input.fork();
    let named = ahead.parse::<Ident>().is_ok_and(|word| word == "out_dir") && ahead.parse::<Token![=]>().is_ok();
    let path = named.then(|| ahead.parse::<LitStr>().ok()).flatten()?;
    input.advance_to(&ahead);
    Some((Root::OutDir, path))
}

fn missing_path(input: ParseStream<'_>) -> Diagnostic {
    let span = if input.is_empty() { Span::call_site() } else { input.span() };
    Diagnostic::error(Code::KERNEL_FILE, span, "expected the path of a kernel file")
        .note("the path is relative to the package's folder, and ends in `.cu`, `.ptx` or `.cubin`")
        .help("write it first: `#[cuda_module(\"kernels/name.cu\")]`, or `out_dir = \"name.ptx\"` for what a build script makes")
}

fn argument(input: ParseStream<'_>, rest: &mut Rest) -> Result<(), Diagnostic> {
    let word = input.call(Ident::parse_any)?;
    match word.to_string().as_str() {
        "options" => {
            rest.options.extend(list(input)?);
            Ok(())
        }
        "define" => define::list(input, &mut rest.defines),
        "include" => {
            rest.includes.extend(list(input)?);
            Ok(())
        }
        "out_dir" => Err(Diagnostic::error(Code::DECLARATION, word.span(), "`out_dir` does not stand first")
            .help("write `#[cuda_module(out_dir = \"name.ptx\")]`, without another path")),
        unknown => {
            let fault = Diagnostic::error(
                Code::DECLARATION,
                word.span(),
                format!("`{unknown}` is no argument of `cuda_module`"),
            );
            Err(match nearest::of(unknown, KNOWN) {
                Some(known) => fault.help(format!("an argument with a similar name exists: `{known}`")),
                None => fault.note(
                    "behind the path, `define(NAME = value)`, `include(\"folder\")` and `options(\"…\")` may follow",
                ),
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
