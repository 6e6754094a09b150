//! `pub graph Name<T: Element>(…) where … { … }`.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::{AttrStyle, Attribute, Generics, Ident, ReturnType, Token, Visibility};

use super::ast::Graph;
use super::block::expected_graph;
use super::stream::{at_group, braces, parentheses, strict_as, word};
use super::{Parsed, Parser, recovery};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// An error only where the head cannot be read; faults in parameters and in the body are reported and skipped.
    pub(super) fn graph(&mut self, input: ParseStream<'_>) -> Parsed<Graph> {
        let before = self.diagnostics.iter().len();
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = strict_as::<Visibility>(input)?;
        word(input, "graph").ok_or_else(|| expected_graph(input))?;
        let name: Ident = input.parse()?;
        let mut generics = strict_as::<Generics>(input)?;
        let (_, content) = parentheses(input)?;
        let parameters = self.parameters(&content);
        self.refuse_result(input)?;
        generics.where_clause = strict_as(input)?;
        let (inner, body) = self.graph_body(input);
        let attributes = self.accept(attributes.into_iter().chain(inner).collect());
        let salvage = std::mem::take(&mut self.salvage);
        let whole = self.diagnostics.iter().len() == before;
        Ok(Graph { attributes, visibility, name, generics, parameters, body, whole, salvage })
    }

    /// A graph has no `-> T`: results are `&mut` and `&out` parameters.
    fn refuse_result(&mut self, input: ParseStream<'_>) -> Parsed<()> {
        if input.peek(Token![->]) {
            self.diagnostics.push(
                Diagnostic::error(Code::SYNTAX, input.span(), "a graph returns nothing")
                    .help("write results to `&out` or `&mut` parameters"),
            );
            strict_as::<ReturnType>(input)?;
        }
        Ok(())
    }

    /// The body with the inner attributes at its top, which count as the graph's own.
    fn graph_body(&mut self, input: ParseStream<'_>) -> (Vec<Attribute>, Vec<super::ast::Statement>) {
        let content = match braces(input) {
            Ok((_, content)) => content,
            Err(error) => {
                self.diagnostics.push(error.into());
                return (Vec::new(), Vec::new());
            }
        };
        let mut inner = content.call(Attribute::parse_inner).unwrap_or_else(|error| {
            self.diagnostics.push(error.into());
            recovery::advance(&content, |cursor| cursor.token_tree().map_or(cursor, |(_, next)| next));
            Vec::new()
        });
        for attribute in &mut inner {
            attribute.style = AttrStyle::Outer;
        }
        (inner, self.statements(&content))
    }

    /// `{ … }` of a scope or a conditional.
    pub(super) fn body(&mut self, input: ParseStream<'_>) -> Parsed<Vec<super::ast::Statement>> {
        if !at_group(input.cursor(), proc_macro2::Delimiter::Brace) {
            return Err(Diagnostic::plain(input.span(), "expected `{`"));
        }
        let (_, content) = braces(input)?;
        Ok(self.statements(&content))
    }
}
