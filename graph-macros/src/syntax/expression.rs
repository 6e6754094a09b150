//! Host expressions and conditions: any Rust expression, as long as it does not leave the function that will evaluate it.

use graph_ir::code::Code;
use proc_macro2::Span;
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, Lifetime, Lit};

use super::stream::strict;
use super::{Parsed, not_yet};
use crate::diagnostic::Diagnostic;

/// An expression up to a token that cannot continue it.
pub(super) fn host(input: ParseStream<'_>) -> Parsed<Expr> {
    checked(strict(input, <Expr as syn::parse::Parse>::parse)?)
}

/// An expression in front of a block: `{` does not belong to it, and a word behind it may be `limit` or `every`.
pub(super) fn before_block(input: ParseStream<'_>) -> Parsed<Expr> {
    checked(strict(input, Expr::parse_without_eager_brace)?)
}

/// The expression, unless something in it leaves its evaluator.
pub(super) fn checked(expression: Expr) -> Parsed<Expr> {
    let mut check = Check { fault: None, loops: 0, labels: Vec::new() };
    check.visit_expr(&expression);
    check.fault.map_or(Ok(expression), Err)
}

struct Check {
    fault: Option<Diagnostic>,
    /// Loops around the current place, within the expression.
    loops: usize,
    /// Their labels.
    labels: Vec<Lifetime>,
}

impl Check {
    fn leaves(&mut self, span: Span, form: &str) {
        self.report(
            Diagnostic::error(Code::SYNTAX, span, format!("`{form}` in a host expression"))
                .note("host expressions are evaluated when the graph is built; there is no function to leave")
                .help("take the finished value as a parameter"),
        );
    }

    fn report(&mut self, fault: Diagnostic) {
        self.fault.get_or_insert(fault);
    }

    /// Whether a `break` or `continue` stays within the expression.
    fn stays(&self, label: Option<&Lifetime>) -> bool {
        label.map_or(self.loops > 0, |label| self.labels.contains(label))
    }

    fn inside_loop(&mut self, label: Option<&syn::Label>, visit: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.labels.extend(label.map(|label| label.name.clone()));
        visit(self);
        if label.is_some() {
            self.labels.pop();
        }
        self.loops -= 1;
    }

    fn literal(&mut self, literal: &Lit) {
        let word = literal.suffix();
        if matches!(word, "limit" | "every" | "after") {
            let text = literal.to_token_stream().to_string();
            let number = text.trim_end_matches(word);
            self.report(
                Diagnostic::error(Code::SYNTAX, literal.span(), format!("expected a space in front of `{word}`"))
                    .help(format!("write `{number} {word}`")),
            );
        }
    }
}

impl<'a> Visit<'a> for Check {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Return(inner) => self.leaves(inner.return_token.span, "return"),
            Expr::Try(inner) => self.leaves(inner.question_token.span(), "?"),
            Expr::Await(inner) => self.leaves(inner.await_token.span, ".await"),
            Expr::Yield(inner) => self.leaves(inner.yield_token.span, "yield"),
            Expr::Break(inner) if !self.stays(inner.label.as_ref()) => self.leaves(inner.break_token.span, "break"),
            Expr::Continue(inner) if !self.stays(inner.label.as_ref()) => {
                self.leaves(inner.continue_token.span, "continue");
            }
            Expr::Closure(_) | Expr::Async(_) => {}
            Expr::Loop(inner) => self.inside_loop(inner.label.as_ref(), |check| visit::visit_expr_loop(check, inner)),
            Expr::While(inner) => self.inside_loop(inner.label.as_ref(), |check| visit::visit_expr_while(check, inner)),
            Expr::ForLoop(inner) => {
                self.inside_loop(inner.label.as_ref(), |check| visit::visit_expr_for_loop(check, inner));
            }
            Expr::Lit(inner) => self.literal(&inner.lit),
            _ => visit::visit_expr(self, expression),
        }
    }

    /// Functions and closures' bodies return for themselves.
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// A condition with `let` in it, outside of blocks: `a && let Some(b) = c`.
pub(super) fn refuse_let(condition: &Expr) -> Parsed<()> {
    match condition {
        Expr::Let(inner) => Err(not_yet::form(inner.let_token.span, "`let` in a condition").help("compare with `==`")),
        Expr::Binary(inner) => refuse_let(&inner.left).and_then(|()| refuse_let(&inner.right)),
        Expr::Paren(inner) => refuse_let(&inner.expr),
        Expr::Group(inner) => refuse_let(&inner.expr),
        _ => Ok(()),
    }
}
