//! `pub graph Name<T: Element>(…) where … { … }`.

use graph_ir::code::Code;
use syn::parse::{ParseStream, Parser as _};
use syn::visit_mut::VisitMut;
use syn::{AttrStyle, Attribute, GenericParam, Generics, Ident, Lifetime, ReturnType, Token, Type, Visibility};

use super::ast::{Graph, Parameter, ParameterKind};
use super::block::expected_graph;
use super::mention::Mentions;
use super::stream::{at_group, at_word, braces, parentheses, previous_span, second_word, strict_as, word};
use super::{Parsed, Parser, bounded, recovery, structs};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// An error only where the head cannot be read; faults in parameters and in the body are reported and skipped.
    pub(super) fn graph(&mut self, input: ParseStream<'_>) -> Parsed<Option<Graph>> {
        let before = self.diagnostics.iter().len();
        let mut attributes = input.call(Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        self.configured = false;
        let visibility = strict_as::<Visibility>(input)?;
        word(input, "graph").ok_or_else(|| expected_graph(input))?;
        if input.is_empty() || at_word(input, "graph") && second_word(input.cursor()).is_some() {
            return Err(Diagnostic::plain(previous_span(input), "expected the graph's name behind `graph`"));
        }
        let name: Ident = input.parse()?;
        let mut generics = strict_as::<Generics>(input)?;
        let (_, content) = parentheses(input)?;
        let mut mentions = Mentions::default();
        mentions.add(content.cursor());
        let mut parameters = self.parameters(&content);
        self.refuse_result(input)?;
        generics.where_clause = strict_as(input)?;
        if let Some((inside, ..)) = input.cursor().group(proc_macro2::Delimiter::Brace) {
            mentions.add(inside);
        }
        self.refuse_lifetimes(&mut generics, &mut parameters);
        self.bound_elements(&mut generics, &parameters);
        bounded::resolve_in_head(&mut parameters);
        let (inner, body) = self.graph_body(input, &bounded::names(&parameters));
        let attributes = self.accept_of_graph(attributes.into_iter().chain(inner).collect());
        structs::resolve(&mut parameters, &body);
        let salvage = std::mem::take(&mut self.salvage);
        let kernels = std::mem::take(&mut self.kernels);
        let whole = self.diagnostics.iter().len() == before;
        let configured = self.configured;
        Ok(there.then_some(Graph {
            attributes,
            visibility,
            name,
            generics,
            parameters,
            body,
            mentions,
            configured,
            whole,
            salvage,
            kernels,
        }))
    }

    /// A graph has the lifetime of what is bound to it, and no other: its host values are `'static`.
    fn refuse_lifetimes(&mut self, generics: &mut Generics, values: &mut [Parameter]) {
        let lifetimes: Vec<_> = generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect();
        for lifetime in &lifetimes {
            self.diagnostics.push(
                Diagnostic::error(Code::SYNTAX, lifetime.span(), "a graph has no lifetime parameters")
                    .note("buffers are borrowed for as long as the graph lives; host values are `'static`")
                    .help(format!("remove `{lifetime}`")),
            );
        }
        if !lifetimes.is_empty() {
            for parameter in values {
                if let ParameterKind::Value(ty) | ParameterKind::Reference { ty, .. } = &mut parameter.kind {
                    Static.visit_type_mut(ty);
                }
            }
            let parameters = std::mem::take(&mut generics.params).into_iter();
            generics.params = parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_))).collect();
        }
    }

    /// A type parameter without any bound cannot be an element; with the bound added, rustc does not report each use.
    fn bound_elements(&mut self, generics: &mut Generics, parameters: &[Parameter]) {
        let bounded = generics.where_clause.is_some();
        for ty in generics.type_params_mut().filter(|ty| ty.bounds.is_empty() && !bounded) {
            let is_element = |parameter: &Parameter| match &parameter.kind {
                ParameterKind::Buffer { element, .. } => {
                    matches!(&**element, Type::Path(path) if path.path.is_ident(&ty.ident))
                }
                _ => false,
            };
            if parameters.iter().any(is_element) {
                let name = &ty.ident;
                self.diagnostics.push(
                    Diagnostic::error(
                        Code::SYNTAX,
                        name.span(),
                        format!("`{name}` is the element of a buffer and has no bound"),
                    )
                    .note("an element is plain data: any bit pattern is a value")
                    .help(format!("write `{name}: Element`")),
                );
                ty.bounds.push(syn::parse_quote!(::graph_runtime::Element));
            }
        }
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
    fn graph_body(
        &mut self,
        input: ParseStream<'_>,
        bounded: &[String],
    ) -> (Vec<Attribute>, Vec<super::ast::Statement>) {
        let content = match braces(input) {
            Ok((_, content)) => content,
            Err(error) => {
                self.diagnostics.push(error.into());
                return (Vec::new(), Vec::new());
            }
        };
        if bounded.is_empty() {
            return self.graph_statements(&content);
        }
        let mut body = (Vec::new(), Vec::new());
        let tokens = content.parse().unwrap_or_default();
        let whole = |content: ParseStream<'_>| {
            body = self.graph_statements(content);
            Ok(())
        };
        // Every fault is in `diagnostics`; what syn adds here are tokens that recovery has skipped on purpose.
        let _ = whole.parse2(bounded::resolve(tokens, bounded));
        body
    }

    fn graph_statements(&mut self, content: ParseStream<'_>) -> (Vec<Attribute>, Vec<super::ast::Statement>) {
        let mut inner = content.call(Attribute::parse_inner).unwrap_or_else(|error| {
            self.diagnostics.push(error.into());
            recovery::advance(content, |cursor| cursor.token_tree().map_or(cursor, |(_, next)| next));
            Vec::new()
        });
        for attribute in &mut inner {
            attribute.style = AttrStyle::Outer;
        }
        (inner, self.statements(content))
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

/// Makes every lifetime `'static`: rustc does not report those that were refused again.
struct Static;

impl VisitMut for Static {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }
}
