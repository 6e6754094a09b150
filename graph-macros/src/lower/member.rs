//! Buffers of lists: `&w[i + 1]`, `a[i][k][0]`.

use graph_ir::code::Code;
use graph_ir::model::{Buffer, BufferId, Extent, Family, Shape, SymbolId, SymbolOrigin};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote};

use super::evaluation::Evaluation;
use super::symbols::{SymbolUse, integer};
use super::{Lowering, structs, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{BufferArgument, Projection};

/// A buffer that is named, and what it is called in the evaluator.
pub(crate) struct Named {
    pub(crate) buffer: BufferId,
    pub(crate) name: Ident,
}

impl Lowering<'_> {
    /// The buffer that an argument names; reports it if it names none.
    pub(crate) fn named(&mut self, argument: &BufferArgument) -> Option<Named> {
        if self.leads_on(&argument.name) {
            return self.of_item(argument);
        }
        if self.salvaged.contains(&argument.name.to_string()) {
            return None;
        }
        if let Some(Projection::Field(field)) = argument.path.iter().find(|step| matches!(step, Projection::Field(_))) {
            let message = format!("`{}` has no fields: it is no struct of buffers", argument.name);
            self.diagnose(Diagnostic::error(Code::SYNTAX, field.span(), message));
            return None;
        }
        let buffer = self.buffer_or_list(&argument.name)?;
        let lists = self.lists(&argument.name);
        let indices = argument.path.iter().filter_map(|step| match step {
            Projection::Index(index, span) => Some((index, *span)),
            Projection::Field(_) => None,
        });
        let indices: Vec<_> = indices.collect();
        if let Some((index, _)) = indices.get(lists) {
            let (name, index_text) = (text::of(&written(&argument.name, &indices[..lists])), text::of(*index));
            let message = format!("`{name}` is one buffer, and this is an index");
            let fault = Diagnostic::error(Code::SYNTAX, index.span(), message);
            self.diagnose(fault.help(format!("a single element is a range: `{name}[{index_text}..={index_text}]`")));
            return None;
        }
        if indices.len() < lists {
            self.refuse_whole_list(&argument.name);
            return None;
        }
        if lists == 0 {
            return Some(Named { buffer, name: argument.name.clone() });
        }
        let end = indices.last().map_or(argument.name.span(), |(_, span)| *span);
        self.member(buffer, &written(&argument.name, &indices), end)
    }

    /// Whether an argument of a launch names a list, or a list in a list.
    pub(crate) fn names_list(&self, argument: &BufferArgument) -> bool {
        let plain = argument.path.iter().all(|step| matches!(step, Projection::Index(..))) && argument.range.is_none();
        plain && argument.path.len() < self.lists(&argument.name) && !self.leads_on(&argument.name)
    }

    /// The list that such an argument names; reports what cannot be passed.
    pub(crate) fn whole_list(&mut self, argument: &BufferArgument) -> Option<Named> {
        let indices = argument.path.iter().filter_map(|step| match step {
            Projection::Index(index, span) => Some((index, *span)),
            Projection::Field(_) => None,
        });
        let indices: Vec<_> = indices.collect();
        let list = self.buffer_or_list(&argument.name)?;
        if indices.len() + 1 < self.lists(&argument.name) {
            let place = text::of(&written(&argument.name, &indices));
            let message = format!("`{place}` is a list of lists, and a kernel takes one list");
            let fault = Diagnostic::error(Code::SYNTAX, argument.name.span(), message);
            self.diagnose(fault.help(format!("name one of its lists: `{place}[0]`")));
            return None;
        }
        let end = indices.last().map_or(argument.name.span(), |(_, span)| *span);
        self.member(list, &written(&argument.name, &indices), end)
    }

    pub(crate) fn refuse_whole_list(&mut self, name: &Ident) {
        let message = format!("`{name}` is a list, and this takes one buffer");
        let fault = Diagnostic::error(Code::SYNTAX, name.span(), message);
        self.diagnose(fault.help(format!("name one of its buffers: `{name}[0]`; a whole list is passed to a kernel")));
    }

    /// How many indices lead from a name to a buffer; 0 if it is no list.
    pub(crate) fn lists(&self, name: &Ident) -> usize {
        self.scopes.buffer(&name.to_string()).map_or(0, |buffer| buffer.lists)
    }

    /// The buffer of a list that an expression like `a[i][k]` names, if it is one.
    pub(crate) fn member_of(&mut self, place: &Expr) -> Option<Named> {
        if self.is_field(place) {
            let name = structs::root(place)?;
            let buffer = self.family(&name)?;
            return self.member(buffer, place, place.span());
        }
        let (name, depth) = root(place)?;
        if depth == 0 || self.lists(&name) != depth {
            return None;
        }
        let buffer = self.buffer_or_list(&name)?;
        self.member(buffer, place, place.span())
    }

    /// Whether an expression is an item of a list, or one of the lists in it: a thing of the host's.
    pub(crate) fn is_item(&self, place: &Expr) -> bool {
        root(place).is_some_and(|(name, depth)| (1..=self.lists(&name)).contains(&depth)) || self.is_field(place)
    }

    pub(super) fn member(&mut self, list: BufferId, place: &Expr, end: Span) -> Option<Named> {
        if self.mentions_broken(place) {
            return None;
        }
        let symbol = self.symbol(place, SymbolUse::Member, |symbol, value| Evaluation::Member {
            symbol,
            local: format_ident!("__member_{}", symbol.0, span = Span::mixed_site()),
            value,
        });
        let local = format_ident!("__member_{}", symbol.0, span = Span::mixed_site());
        let known = self.members.get(&symbol).copied();
        if known.is_some() {
            // It may have been evaluated in a block that has ended.
            let value = self.checked(place);
            self.evaluate(Evaluation::Member { symbol, local: local.clone(), value });
        }
        let buffer = known.unwrap_or_else(|| self.new_member(list, symbol, place));
        let mut name = local;
        name.set_span(name.span().located_at(end));
        Some(Named { buffer, name })
    }

    /// A list, a struct, or a buffer of one, for a graph inside the graph: rustc knows which.
    pub(super) fn passed(&mut self, argument: &BufferArgument) -> Option<Named> {
        let family = if self.leads_on(&argument.name) {
            self.family(&argument.name)?
        } else {
            self.buffer_or_list(&argument.name)?
        };
        let place = structs::place(&argument.name, &argument.path);
        if self.mentions_broken(&place) {
            return None;
        }
        let local = |symbol: SymbolId| format_ident!("__passed_{}", symbol.0, span = Span::mixed_site());
        let mut is_new = false;
        let symbol = self.symbol(&place, SymbolUse::Passing, |symbol, value| {
            is_new = true;
            Evaluation::Passing { symbol, local: local(symbol), value }
        });
        if !is_new {
            let value = self.checked(&place);
            self.evaluate(Evaluation::Passing { symbol, local: local(symbol), value });
        }
        let known = self.members.get(&symbol).copied();
        // What it has of elements is known when the graph is built, if it is one buffer.
        let shape = self.program.buffer(family).shape;
        let buffer = known.unwrap_or_else(|| self.add_member(family, (symbol, &place), shape, false));
        let mut name = local(symbol);
        name.set_span(name.span().located_at(argument.name.span()));
        Some(Named { buffer, name })
    }

    fn new_member(&mut self, list: BufferId, symbol: SymbolId, place: &Expr) -> BufferId {
        let declared = self.program.buffer(list).clone();
        let length = match declared.shape.line() {
            Some(Extent::Symbol(each)) if self.program.symbol(each).origin == SymbolOrigin::EachLength => {
                // Of the buffer that the place turned out to be: rustc says once what is none.
                let local = format_ident!("__member_{}", symbol.0, span = Span::mixed_site());
                let length: Expr = parse_quote!(#place.len());
                let extent = |symbol, _| Evaluation::Extent { symbol, value: parse_quote!(#local.len()) };
                Extent::Symbol(self.symbol_and_names(&length, SymbolUse::Extent, extent).0).into()
            }
            _ => declared.shape,
        };
        let whole = matches!(text::bare(place), Expr::Path(_));
        let fixed = structs::root(place).is_none_or(|name| !self.exchanged.contains(&name.to_string()));
        self.add_member(list, (symbol, place), length, !whole && fixed && literal(place))
    }

    fn add_member(
        &mut self,
        list: BufferId,
        (symbol, place): (SymbolId, &Expr),
        shape: Shape,
        literal: bool,
    ) -> BufferId {
        let id = BufferId(self.program.buffers.len() as u32);
        let declared = self.program.buffer(list).clone();
        let element = self.elements[list.0 as usize].clone();
        let family = Family::Member { list, symbol, literal };
        self.program.buffers.push(Buffer { name: text::of_expression(place), shape, family, ..declared });
        self.elements.push(element);
        self.members.insert(symbol, id);
        id
    }
}

/// `a[i][k]`
fn written(name: &Ident, indices: &[(&Expr, Span)]) -> Expr {
    let mut place: Expr = parse_quote!(#name);
    for (index, _) in indices {
        place = parse_quote!(#place[#index]);
    }
    place
}

/// The name that indices are behind, and how many.
fn root(place: &Expr) -> Option<(Ident, usize)> {
    match text::bare(place) {
        Expr::Index(index) => root(&index.expr).map(|(name, depth)| (name, depth + 1)),
        other => text::identifier(other).map(|name| (name.clone(), 0)),
    }
}

fn literal(place: &Expr) -> bool {
    match text::bare(place) {
        Expr::Index(index) => integer(&index.index).is_some() && literal(&index.expr),
        Expr::Field(field) => literal(&field.base),
        Expr::Path(_) => true,
        _ => false,
    }
}
