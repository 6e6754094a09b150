//! Host expressions as symbols: the same text in the same scope is one symbol, evaluated once.

use graph_ir::code::Code;
use graph_ir::model::{Extent, Symbol, SymbolId, SymbolOrigin};
use proc_macro2::Ident;
use rustc_hash::FxHashMap;
use syn::Expr;
use syn::spanned::Spanned;

use super::evaluation::Evaluation;
use super::scope::BindingId;
use super::text::Seen;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;

/// What a symbol is used as; the same text may be a length and an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SymbolUse {
    Extent,
    Dimensions,
    Value,
    /// A buffer of a list.
    Member,
    /// What a graph inside the graph is passed of a list or a struct.
    Passing,
    /// The value parameter of a kernel.
    Argument(u32, usize),
    /// A value with the element type of a buffer's name.
    Element(BindingId),
}

/// Text, use, and what each name in the text is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SymbolKey {
    text: String,
    usage: SymbolUse,
    names: Vec<BindingId>,
}

/// A key, with each name in the text as it is written; a text that a macro may format could mention more.
struct Named {
    key: SymbolKey,
    names: Option<Vec<Ident>>,
}

/// The symbols that are known to be evaluated where we are: one level per host branch that we are in.
pub(crate) struct Symbols {
    levels: Vec<FxHashMap<SymbolKey, SymbolId>>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self { levels: vec![FxHashMap::default()] }
    }
}

impl Symbols {
    pub(crate) fn enter_branch(&mut self) {
        self.levels.push(FxHashMap::default());
    }

    pub(crate) fn leave_branch(&mut self) {
        self.levels.pop();
    }

    fn find(&self, key: &SymbolKey) -> Option<SymbolId> {
        self.levels.iter().rev().find_map(|level| level.get(key)).copied()
    }

    fn insert(&mut self, key: SymbolKey, symbol: SymbolId) {
        if let Some(level) = self.levels.last_mut() {
            level.insert(key, symbol);
        }
    }
}

impl Lowering<'_> {
    /// The symbol of an expression; `evaluate` makes the evaluator's step of it if it is new.
    pub(crate) fn symbol(
        &mut self,
        expression: &Expr,
        usage: SymbolUse,
        evaluate: impl FnOnce(SymbolId, Expr) -> Evaluation,
    ) -> SymbolId {
        let (symbol, names) = self.symbol_and_names(expression, usage, evaluate);
        self.mentions.extend(names.map(|names| (symbol, names)));
        symbol
    }

    /// The symbol of an expression, and what names are in it if it is new and they are known; the step that `evaluate` makes may have
    /// others.
    pub(crate) fn symbol_and_names(
        &mut self,
        expression: &Expr,
        usage: SymbolUse,
        evaluate: impl FnOnce(SymbolId, Expr) -> Evaluation,
    ) -> (SymbolId, Option<Vec<Ident>>) {
        let Named { key, names } = self.named_key(text::bare(expression), usage);
        if let Some(symbol) = self.symbols.find(&key) {
            return (symbol, None);
        }
        let is_bare = std::ptr::eq(expression, text::bare(expression));
        let written = if is_bare { key.text.clone() } else { text::of_expression(expression) };
        let help = match usage {
            SymbolUse::Dimensions => "launch for the largest size, pass `&{name}`, and let the kernel compare with it",
            SymbolUse::Argument(..) => "pass `&{name}` to the kernel and read the element there",
            _ => "pass the value to the graph as a parameter",
        };
        let refused = self.mentions_broken(expression)
            || self.refuse_device_read(expression, help)
            || self.refuse_exclusive(expression);
        let symbol = self.new_symbol(written, text::span(expression), self.origin(expression));
        self.symbols.insert(key, symbol);
        if !refused {
            let value = self.checked(expression);
            self.evaluate(evaluate(symbol, value));
        }
        (symbol, names)
    }

    /// An amount: a number if a literal is written, else a symbol.
    pub(crate) fn extent(&mut self, expression: &Expr) -> Extent {
        if let Some(value) = integer(expression) {
            return Extent::Known(value);
        }
        if self.refuse_negative(expression) {
            return Extent::ZERO;
        }
        let key = self.key(expression, SymbolUse::Extent);
        if let Some(known) = self.aliases.get(&key) {
            return *known;
        }
        let expression = text::bare(expression);
        Extent::Symbol(self.symbol(expression, SymbolUse::Extent, |symbol, value| Evaluation::Extent { symbol, value }))
    }

    /// The extent that an expression is known to be, if it has been one before.
    pub(crate) fn known_extent(&self, expression: &Expr) -> Option<Extent> {
        let key = self.key(expression, SymbolUse::Extent);
        let symbol = || self.symbols.find(&key).map(Extent::Symbol);
        integer(expression).map(Extent::Known).or_else(|| self.aliases.get(&key).copied()).or_else(symbol)
    }

    /// The symbol of a generated amount, which messages show as `text`.
    pub(crate) fn named_symbol(&mut self, value: Expr, origin: SymbolOrigin, text: String) -> SymbolId {
        let key = self.key(&value, SymbolUse::Extent);
        if let Some(symbol) = self.symbols.find(&key) {
            return symbol;
        }
        let symbol = self.new_symbol(text, text::span(&value), origin);
        self.symbols.insert(key, symbol);
        self.evaluate(Evaluation::Extent { symbol, value });
        symbol
    }

    /// Reports `-1` where an amount is expected.
    pub(crate) fn refuse_negative(&mut self, expression: &Expr) -> bool {
        let negative = matches!(ast::signed_literal(text::bare(expression)), Some((true, syn::Lit::Int(_))));
        if negative {
            let message = format!("`{}` is negative, and this is an amount", text::of(expression));
            self.diagnose(Diagnostic::error(Code::SYNTAX, expression.span(), message));
        }
        negative
    }

    /// Makes `expression` mean `extent` from here on: `x.len()`, or a length name.
    pub(crate) fn alias(&mut self, expression: &Expr, extent: Extent) {
        let key = self.key_of(expression, SymbolUse::Extent);
        self.aliases.insert(key, extent);
    }

    pub(crate) fn new_symbol(&mut self, text: String, span: proc_macro2::Span, origin: SymbolOrigin) -> SymbolId {
        let place = self.place(span);
        let id = SymbolId(self.program.symbols.len() as u32);
        self.program.symbols.push(Symbol { text, place, origin });
        id
    }

    fn key(&self, expression: &Expr, usage: SymbolUse) -> SymbolKey {
        self.key_of(text::bare(expression), usage)
    }

    fn key_of(&self, expression: &Expr, usage: SymbolUse) -> SymbolKey {
        self.named_key(expression, usage).key
    }

    fn named_key(&self, expression: &Expr, usage: SymbolUse) -> Named {
        let (mut bound, mut names, mut formats) = (Vec::new(), Vec::new(), false);
        let text = text::with_names(expression, &mut |seen| match seen {
            Seen::Name(name, text) => {
                if let Some(binding) = self.scopes.find(text) {
                    bound.push(binding.id);
                    names.push(name.clone());
                }
            }
            Seen::Literal(text) => formats |= text.contains('{'),
        });
        Named { key: SymbolKey { text, usage, names: bound }, names: (!formats).then_some(names) }
    }
}

/// The value of an integer literal.
pub(crate) fn integer(expression: &Expr) -> Option<u64> {
    match text::bare(expression) {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        _ => None,
    }
}
