//! `Other { a: &a, b: &mut b[..n], n };`: a graph inside the graph.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, ExprPath, Ident, Token, parse_quote};

use super::ast::{Argument, GraphCall, GraphField, StatementKind};
use super::stream::{braces, next_span};
use super::{Parsed, Parser, argument};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// What stands behind the path.
    pub(super) fn graph_inside(&mut self, input: ParseStream<'_>, path: ExprPath) -> Parsed<StatementKind> {
        let (braces, content) = braces(input)?;
        let mut fields = Vec::new();
        while !content.is_empty() {
            fields.extend(self.field(&content, &path)?);
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
    fn field(&mut self, input: ParseStream<'_>, path: &ExprPath) -> Parsed<Option<GraphField>> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        if let Some(attribute) = attributes.first() {
            let fault =
                Diagnostic::error(Code::SYNTAX, attribute.path().span(), "unknown attribute in front of a field");
            self.diagnostics.push(fault.note("fields take `#[cfg]`"));
        }
        if input.peek(Token![..]) {
            let fault = Diagnostic::error(Code::SYNTAX, next_span(input), "a graph is passed each of its parameters");
            return Err(fault.help("name those that are missing, and remove the `..`"));
        }
        let name: Ident = input.parse().map_err(|_| expected(input, path, "expected the name of a parameter"))?;
        let argument = if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            argument::argument(input)?
        } else {
            Argument::Value(parse_quote!(#name))
        };
        Ok(there.then_some(GraphField { name, argument }))
    }
}

fn expected(input: ParseStream<'_>, path: &ExprPath, what: &str) -> Diagnostic {
    let name = path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
    let span = if input.is_empty() { path.span() } else { next_span(input) };
    Diagnostic::error(Code::SYNTAX, span, what).help(format!("write `{name} {{ a: &a, b: &mut b, n }};`"))
}
