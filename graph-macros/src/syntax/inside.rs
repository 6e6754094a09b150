//! `Other { a: &a, b: &mut b[..n], n };`: a graph inside the graph.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprPath, Ident, Token, parse_quote};

use super::ast::{Argument, GraphCall, GraphField, StatementKind};
use super::stream::{braces, next_span};
use super::{Parsed, argument};
use crate::diagnostic::Diagnostic;

/// What stands behind the path.
pub(super) fn graph(input: ParseStream<'_>, path: ExprPath) -> Parsed<StatementKind> {
    let (braces, content) = braces(input)?;
    let mut fields = Vec::new();
    while !content.is_empty() {
        fields.push(field(&content, &path)?);
        if content.is_empty() {
            break;
        }
        if !content.peek(Token![,]) {
            return Err(expected(&content, &path, "expected `,`"));
        }
        content.parse::<Token![,]>()?;
    }
    Ok(StatementKind::Graph(GraphCall { path, fields, braces: braces.span.join() }))
}

/// `a: &a`, `n: 2 * n`, `n`
fn field(input: ParseStream<'_>, path: &ExprPath) -> Parsed<GraphField> {
    if input.peek(Token![..]) {
        let fault = Diagnostic::error(Code::SYNTAX, next_span(input), "a graph is passed each of its parameters");
        return Err(fault.help("name those that are missing, and remove the `..`"));
    }
    let name: Ident = input.parse().map_err(|_| expected(input, path, "expected the name of a parameter"))?;
    if !input.peek(Token![:]) {
        let value: Expr = parse_quote!(#name);
        return Ok(GraphField { name, argument: Argument::Value(value) });
    }
    input.parse::<Token![:]>()?;
    Ok(GraphField { name, argument: argument::argument(input)? })
}

fn expected(input: ParseStream<'_>, path: &ExprPath, what: &str) -> Diagnostic {
    let name = path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
    let span = if input.is_empty() { path.span() } else { next_span(input) };
    Diagnostic::error(Code::SYNTAX, span, what).help(format!("write `{name} {{ a: &a, b: &mut b, n }};`"))
}
