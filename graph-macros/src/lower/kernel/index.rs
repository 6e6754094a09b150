//! Indices of elements: `x[i + 1]`, `p[column[k]]`, `v[(i, j)]`.

use graph_ir::code::Code;
use graph_ir::model::{Expression, Index};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;
use syn::spanned::Spanned;

use super::Body;
use super::access::NewUse;
use super::polynomial::{Polynomial, of};
use crate::diagnostic::Diagnostic;
use crate::lower::expression::{Both, scalar_type};
use crate::lower::member::Named;
use crate::lower::{structs, text};

/// An element in a body.
pub(super) struct Element {
    /// Which of the body's uses it belongs to.
    pub(super) used: usize,
    pub(super) index: Index,
    /// The index as Rust.
    pub(super) rust: TokenStream,
    /// No name of the body's own is in the index.
    pub(super) fixed: bool,
}

impl Body<'_, '_> {
    /// The element that `name[index]` is, unless there is none: then that has been reported.
    pub(super) fn element(&mut self, base: &Base, written: &syn::ExprIndex) -> Option<Element> {
        let name = &base.name;
        if self.find(&name.to_string()).is_some() {
            let message = format!("`{name}` is a number in this body and has no elements");
            let diagnostic = Diagnostic::error(Code::BODY, written.span(), message);
            self.refuse(diagnostic.help("give the `let` or the index another name than the buffer's"));
            return None;
        }
        let member = base.member.as_ref().map(|member| member.buffer);
        let Some(buffer) = member.or_else(|| self.lowering.buffer_named(name)) else {
            self.failed = true;
            return None;
        };
        let parts = coordinates(&written.index);
        self.refuse_dimensions(&text::of(&written.expr), buffer, &parts, text::span(&written.index))?;
        let polynomials = parts.iter().map(|part| self.index_polynomial(part)).collect();
        let fixed = !parts.iter().any(|part| self.on_device(part));
        let (data, rust): (Vec<Expression>, Vec<TokenStream>) =
            parts.iter().map(|part| self.value(part)).map(|both| (both.data, both.rust)).unzip();
        let (list, index) = (text::of_expression(&written.expr), text::of_expression(&written.index));
        let text = format!("{list}[{index}]");
        let place = self.lowering.place(written.bracket_token.span.join());
        let begin = text::span(&written.expr);
        let span = begin.join(written.bracket_token.span.join()).unwrap_or(begin);
        let new = NewUse { buffer, name, text, span, coordinates: polynomials };
        let used = self.used(new);
        if fixed {
            self.note_fixed(used);
        }
        let rust = if let [single] = rust.as_slice() { single.clone() } else { quote!((#(#rust),*)) };
        Some(Element { used, index: Index { coordinates: data, proved: false, place }, rust, fixed })
    }

    /// One coordinate for each dimension.
    fn refuse_dimensions(
        &mut self,
        name: &str,
        buffer: graph_ir::model::BufferId,
        parts: &[&Expr],
        span: Span,
    ) -> Option<()> {
        let rank = self.lowering.program.buffer(buffer).shape.rank();
        if parts.len() == rank {
            return Some(());
        }
        let dimensions =
            |count: usize| if count == 1 { "1 dimension".to_owned() } else { format!("{count} dimensions") };
        let message = format!("`{name}` has {}, and is indexed by {}", dimensions(rank), parts.len());
        let place = self.lowering.program.buffer(buffer).place;
        let declared = self.lowering.places[place.0 as usize];
        let index = ["i", "(i, j)", "(i, j, k)"][rank.clamp(1, 3) - 1];
        let diagnostic =
            Diagnostic::error(Code::BODY, span, message).note_at(declared, format!("`{name}` is declared here"));
        self.refuse(diagnostic.help(format!("write `{name}[{index}]`")));
        None
    }

    /// What is known about an index.
    fn index_polynomial(&mut self, index: &Expr) -> Option<Polynomial> {
        of(index, &mut |leaf| self.leaf_polynomial(leaf))
    }

    fn leaf_polynomial(&mut self, leaf: &Expr) -> Option<Polynomial> {
        if let Some(name) = text::identifier(leaf).and_then(|name| self.find(&name.to_string())) {
            return name.polynomial.clone();
        }
        if let Expr::Cast(cast) = leaf
            && scalar_type(&text::of(&cast.ty)).is_some_and(|ty| {
                use graph_ir::model::ScalarType::{I64, U64};
                matches!(ty, U64 | I64)
            })
        {
            return self.widened(&cast.expr);
        }
        (!self.on_device(leaf)).then(|| self.host_polynomial(leaf))
    }

    /// What `as usize` keeps: an index on its own, and what the host computes. Arithmetic in a narrow type may have wrapped.
    fn widened(&mut self, inner: &Expr) -> Option<Polynomial> {
        if let Some(name) = text::identifier(inner) {
            return self.leaf_polynomial(&Expr::Path(syn::parse_quote!(#name)));
        }
        (!self.on_device(inner)).then(|| self.host_polynomial(text::bare(inner)))
    }

    /// `let j = i + 1;` may stand in an index.
    pub(super) fn value_polynomial(&mut self, value: &Expr) -> Option<Polynomial> {
        let float = |expression: &Expr| {
            matches!(text::bare(expression), Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(_), .. }))
        };
        if float(value) { None } else { self.index_polynomial(value) }
    }

    /// `x[i]` as a value.
    pub(super) fn load(&mut self, base: &Base, written: &syn::ExprIndex) -> Both {
        let Some(element) = self.element(base, written) else { return failed() };
        let name = base.evaluated();
        self.note_load(element.used);
        self.mentioned.add(name);
        let (access, end) = (element.used as u32, written.bracket_token.span.join());
        if element.fixed {
            let rust = call(name, "at", &quote!(#access), end);
            return Both { data: Expression::Element(access), rust };
        }
        let index = element.rust;
        let rust = call(name, "load", &quote!(#access, #index), end);
        Both { data: Expression::Load { access, index: Box::new(element.index) }, rust }
    }
}

/// A method of a buffer's on the elements, as the expression from the name to `end`.
pub(super) fn call(name: &Ident, method: &str, arguments: &TokenStream, end: Span) -> TokenStream {
    let place = Span::mixed_site().located_at(name.span());
    let (elements, method) = (Ident::new("__elements", place), Ident::new(method, place));
    let mut list = Group::new(Delimiter::Parenthesis, quote!(#elements, #arguments));
    list.set_span(end);
    quote!(#name.#method #list)
}

fn failed() -> Both {
    Both { data: Expression::Boolean(false), rust: TokenStream::new() }
}

/// `i`, or each of `(i, j)`.
fn coordinates(index: &Expr) -> Vec<&Expr> {
    match text::bare(index) {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        _ => vec![index],
    }
}

/// What stands in front of the brackets of an element.
pub(super) struct Base {
    /// As written, the first name.
    pub(super) name: Ident,
    /// The buffer of a list or a struct.
    member: Option<Named>,
}

impl Base {
    /// Whether it is a buffer of a list or a struct.
    pub(super) fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// What the buffer is called in the evaluator.
    pub(super) fn evaluated(&self) -> &Ident {
        self.member.as_ref().map_or(&self.name, |member| &member.name)
    }
}

impl Body<'_, '_> {
    /// What stands in front of the brackets, if it may be a buffer.
    pub(super) fn base(&mut self, index: &syn::ExprIndex) -> Option<Base> {
        let name = structs::root(&index.expr)?;
        let item = self.find(&name.to_string()).is_none() && self.lowering.is_item(&index.expr);
        if !item {
            let name = text::identifier(&index.expr)?.clone();
            return Some(Base { name, member: None });
        }
        if self.names_own(&index.expr) {
            let (list, span) = (text::of(&index.expr), index.expr.span());
            let diagnostic =
                Diagnostic::error(Code::BODY, span, format!("the device cannot choose the buffer `{list}`"));
            let help = format!(
                "choose it on the host: put a `for` around the `kernel for`, or pass the list `{name}` to a kernel"
            );
            self.refuse(diagnostic.note("which buffer of a list is meant is known when the graph is built").help(help));
            return None;
        }
        let member = self.lowering.member_of(&index.expr);
        Some(Base { name, member })
    }
}
