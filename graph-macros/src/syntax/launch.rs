//! `path::kernel<<<grid, block, shared>>>(arguments)`.
//!
//! The path is parsed as in an expression, so that it does not take `<<<` for generic arguments. `<<<` is three `<` tokens, and the
//! close is the first run of three `>` tokens in front of a `(…)` group such that what stands between parses completely as expressions.
//! The spacing of the tokens is never looked at: what comes out of a `macro_rules` has lost it.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprPath, PathArguments, Token};

use super::ast::Launch;
use super::stream::{at_run, parentheses, strict_as};
use super::{Parsed, argument, expression, recovery};
use crate::diagnostic::Diagnostic;

/// Whether `<<<` follows.
pub(super) fn opens(input: ParseStream<'_>) -> bool {
    at_run(input.cursor(), '<', 3)
}

/// What stands behind the kernel's path.
pub(super) fn launch(input: ParseStream<'_>, path: ExprPath) -> Parsed<Launch> {
    refuse_inner_generics(&path)?;
    let open = input.span();
    skip(input, 3);
    let geometry = geometry(input, open)?;
    let [grid, block, shared] = sizes(geometry, open)?;
    let (token, content) = parentheses(input)?;
    let arguments = argument::arguments(&content)?;
    let Some(grid) = grid else { return Err(no_geometry(open)) };
    Ok(Launch { path, grid, block, open, shared, arguments, parentheses: token.span })
}

/// Generic arguments belong to the kernel: `module::axpy::<f32, 4>`.
fn refuse_inner_generics(path: &ExprPath) -> Parsed<()> {
    let outer = path.path.segments.iter().rev().skip(1);
    let Some(segment) = outer.into_iter().find(|segment| !matches!(segment.arguments, PathArguments::None)) else {
        return Ok(());
    };
    Err(Diagnostic::error(Code::SYNTAX, segment.arguments.span(), "generic arguments in the middle of a kernel's path")
        .help("write them behind the kernel's name: `module::kernel::<f32><<<grid, block>>>(…)`"))
}

fn no_geometry(open: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, open, "expected a grid and a block: `<<<grid, block>>>`")
}

/// Drops `count` tokens, looking into invisible groups.
fn skip(input: ParseStream<'_>, count: usize) {
    recovery::advance(input, |mut cursor| {
        for _ in 0..count {
            cursor = cursor.punct().map_or(cursor, |(_, next)| next);
        }
        cursor
    });
}

type Sizes = Punctuated<Expr, Token![,]>;

/// The expressions up to the closing `>>>`, which is consumed.
fn geometry(input: ParseStream<'_>, open: Span) -> Parsed<Sizes> {
    if let Some(sizes) = usual_geometry(input) {
        skip(input, 3);
        return Ok(sizes);
    }
    let mut between = Vec::new();
    let mut cursor = input.cursor();
    let mut first_fault = None;
    while let Some((token, next)) = cursor.token_tree() {
        if is_close(cursor) {
            match sizes_between(&between, token.span()) {
                Ok(sizes) => {
                    recovery::advance(input, |cursor| past(cursor, between.len()));
                    skip(input, 3);
                    return Ok(sizes);
                }
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';') {
            break;
        }
        between.push(token);
        cursor = next;
    }
    Err(first_fault.map_or_else(|| unclosed(open), Diagnostic::from))
}

/// The sizes if the last is a literal or a name, which needs no look for where it ends: a comma ends each other one.
fn usual_geometry(input: ParseStream<'_>) -> Option<Sizes> {
    let ahead = input.fork();
    let mut sizes = Sizes::new();
    loop {
        let (token, next) = ahead.cursor().token_tree()?;
        if is_close(next) {
            let size = match token {
                TokenTree::Literal(_) => Expr::Lit(ahead.parse().ok()?),
                TokenTree::Ident(_) => Expr::Path(ahead.parse().ok()?),
                _ => return None,
            };
            sizes.push_value(size);
            input.advance_to(&ahead);
            return Some(sizes);
        }
        sizes.push_value(strict_as(&ahead).ok()?);
        sizes.push_punct(ahead.parse().ok()?);
    }
}

fn unclosed(open: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, open, "expected `>>>` and the kernel's arguments behind this `<<<`")
        .help("write `kernel<<<grid, block>>>(arguments);`")
}

/// `>>>` in front of `(…)`.
fn is_close(cursor: syn::buffer::Cursor<'_>) -> bool {
    let mut behind = cursor;
    if !at_run(cursor, '>', 3) {
        return false;
    }
    for _ in 0..3 {
        behind = behind.punct().map_or(behind, |(_, next)| next);
    }
    behind.group(Delimiter::Parenthesis).is_some()
}

/// `count` token trees further.
fn past(mut cursor: syn::buffer::Cursor<'_>, count: usize) -> syn::buffer::Cursor<'_> {
    for _ in 0..count {
        cursor = cursor.token_tree().map_or(cursor, |(_, next)| next);
    }
    cursor
}

fn sizes_between(tokens: &[TokenTree], close: Span) -> syn::Result<Sizes> {
    let sizes = |input: ParseStream<'_>| input.parse_terminated(<Expr as syn::parse::Parse>::parse, Token![,]);
    sizes.parse2(tokens.iter().cloned().collect()).or_else(|_| {
        // Once more within a group that has the close's span: that is where an expression that breaks off is reported.
        let mut group = Group::new(Delimiter::Parenthesis, tokens.iter().cloned().collect());
        group.set_span(close);
        let parser = |input: ParseStream<'_>| sizes(&parentheses(input)?.1);
        parser.parse2(TokenStream::from(TokenTree::Group(group)))
    })
}

/// Grid, block and bytes of shared memory.
fn sizes(geometry: Sizes, open: Span) -> Parsed<[Option<Expr>; 3]> {
    let mut sizes = [None, None, None];
    if geometry.is_empty() {
        return Err(no_geometry(open));
    }
    for (index, size) in geometry.into_iter().enumerate() {
        let size = expression::checked(size)?;
        let Some(place) = sizes.get_mut(index) else {
            return Err(Diagnostic::error(Code::SYNTAX, size.span(), "expected at most grid, block and shared memory")
                .help("sizes in two or three dimensions are tuples: `<<<(x, y), (32, 8)>>>`"));
        };
        *place = Some(size);
    }
    Ok(sizes)
}
