//! Expressions as text, for messages and to tell equal ones from others.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Path};

use crate::syntax::written_bound;

/// Tokens as a person would write them: `w * h`, `n.div_ceil(256)`.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    write(tokens.to_token_stream(), &mut text, &mut |_| {});
    text
}

/// The same of an expression, without its tokens where it has one of the usual forms.
pub(crate) fn of_expression(expression: &Expr) -> String {
    with_names(expression, &mut |_| {})
}

/// The same, and calls `seen` on each name, as [`identifiers`] has them, and on each literal.
pub(crate) fn with_names(expression: &Expr, seen: &mut dyn FnMut(Seen<'_>)) -> String {
    let mut text = String::new();
    if super::written::is_usual(expression) {
        super::written::write(expression, &mut text, seen);
    } else {
        write(expression.to_token_stream(), &mut text, seen);
    }
    text
}

/// What an expression is made of, with its text.
pub(crate) enum Seen<'a> {
    Name(&'a Ident, &'a str),
    Literal(&'a str),
}

fn write(tokens: TokenStream, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    let (mut glued, mut joint) = (true, false);
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                if !glued && text.ends_with(|c: char| "+-*/%&|^=<>,".contains(c)) {
                    text.push(' ');
                }
                text.push_str(open);
                write(group.stream(), text, seen);
                text.push_str(close);
                glued = false;
            }
            TokenTree::Punct(punct) => {
                let prefix = !joint && matches!(punct.as_char(), '-' | '*' | '&') && expects_operand(text);
                let tight = matches!(punct.as_char(), '.' | ',' | ';' | ':' | '?' | '!' | '\'');
                if !tight && !glued {
                    text.push(' ');
                }
                text.push(punct.as_char());
                joint = punct.spacing() == Spacing::Joint;
                glued = joint || prefix || matches!(punct.as_char(), '.' | ':' | '!' | '\'');
                if matches!(punct.as_char(), ',' | ';') {
                    glued = false;
                }
            }
            other => {
                if !glued && !text.is_empty() {
                    text.push(' ');
                }
                match &other {
                    TokenTree::Ident(ident) => name(ident, text, seen),
                    _ => literal(&other, text, seen),
                }
                glued = false;
            }
        }
    }
}

/// A name, as it is written.
pub(super) fn name(ident: &Ident, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    let begin = text.len();
    // Writing to a string cannot fail.
    let _ = write!(text, "{ident}");
    seen(Seen::Name(ident, &text[begin..]));
    if let Some(bound) = written_bound(&text[begin..]) {
        text.replace_range(begin.., &bound);
    }
}

pub(super) fn literal(literal: &dyn std::fmt::Display, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    let begin = text.len();
    // Writing to a string cannot fail.
    let _ = write!(text, "{literal}");
    seen(Seen::Literal(&text[begin..]));
}

/// Whether an operator behind this text has nothing in front of it.
fn expects_operand(text: &str) -> bool {
    text.trim_end().chars().next_back().is_none_or(|last| "([{=<>+-*/%&|^,;".contains(last))
}

/// The span of an expression's last token; of a group, with everything in it.
pub(crate) fn last_span(expression: &Expr) -> Span {
    match expression {
        Expr::Binary(inner) => last_span(&inner.right),
        Expr::Call(inner) => inner.paren_token.span.join(),
        Expr::Index(inner) => inner.bracket_token.span.join(),
        Expr::MethodCall(inner) => inner.paren_token.span.join(),
        Expr::Paren(inner) => inner.paren_token.span.join(),
        Expr::Lit(inner) => inner.lit.span(),
        other => {
            let last = other.to_token_stream().into_iter().last();
            last.map_or_else(|| span(other), |token| token.span())
        }
    }
}

/// Where an expression begins: the span of its first token.
pub(crate) fn span(expression: &Expr) -> Span {
    match expression {
        Expr::Binary(inner) => span(&inner.left),
        Expr::Call(inner) => span(&inner.func),
        Expr::Cast(inner) => span(&inner.expr),
        Expr::Field(inner) => span(&inner.base),
        Expr::Index(inner) => span(&inner.expr),
        Expr::MethodCall(inner) => span(&inner.receiver),
        Expr::Lit(inner) => inner.lit.span(),
        Expr::Match(inner) => inner.match_token.span,
        Expr::Paren(inner) => inner.paren_token.span.join(),
        Expr::Reference(inner) => inner.and_token.spans[0],
        Expr::Path(ExprPath { qself: None, path: Path { leading_colon: None, segments }, .. }) => {
            segments[0].ident.span()
        }
        other => other.span(),
    }
}

/// An expression without the parentheses and invisible groups around it.
pub(crate) fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}

/// The single identifier that an expression is.
pub(crate) fn identifier(expression: &Expr) -> Option<&Ident> {
    match bare(expression) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// Every identifier in some tokens, in macro arguments and closures too: an over-approximation of what they depend on.
pub(crate) fn identifiers(tokens: &impl ToTokens) -> Vec<String> {
    fn collect(tokens: TokenStream, found: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => found.push(ident.to_string()),
                TokenTree::Group(group) => collect(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(tokens.to_token_stream(), &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn text_reads_as_written() {
        for written in ["w * h", "n.div_ceil(256)", "f(a, b)", "x.len() - 1", "(n + 1) / 2", "SIZE::<T>(n)", "-n"] {
            let tokens: TokenStream = written.parse().unwrap();
            assert_eq!(of(&tokens).replace(' ', ""), written.replace(' ', ""));
        }
        assert_eq!(of(&quote!(w * h)), "w * h");
        assert_eq!(of(&quote!(n.div_ceil(256))), "n.div_ceil(256)");
        assert_eq!(of(&quote!(-1)), "-1");
        assert_eq!(of(&quote!(a - -b && f(*c, -(d)))), "a - -b && f(*c, -(d))");
    }
}
