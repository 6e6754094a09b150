//! Expressions as text, for messages and to tell equal ones from others.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Path};

use crate::syntax::written_bound;

/// An expression as a person would write it: `w * h`, `n.div_ceil(256)`.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    write(tokens.to_token_stream(), &mut text, &mut |_, _| {});
    text
}

/// The same, and calls `seen` on each identifier, as [`identifiers`] has them, and on each literal.
pub(crate) fn with_names(tokens: &impl ToTokens, seen: &mut dyn FnMut(&TokenTree, &str)) -> String {
    let mut text = String::new();
    write(tokens.to_token_stream(), &mut text, seen);
    text
}

fn write(tokens: TokenStream, text: &mut String, seen: &mut dyn FnMut(&TokenTree, &str)) {
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
                let begin = text.len();
                // Writing to a string cannot fail.
                let _ = std::fmt::Write::write_fmt(text, format_args!("{other}"));
                seen(&other, &text[begin..]);
                if let Some(bound) = written_bound(&text[begin..]) {
                    text.replace_range(begin.., &bound);
                }
                glued = false;
            }
        }
    }
}

/// Whether an operator behind this text has nothing in front of it.
fn expects_operand(text: &str) -> bool {
    text.trim_end().chars().next_back().is_none_or(|last| "([{=<>+-*/%&|^,;".contains(last))
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
pub(crate) fn identifier(expression: &Expr) -> Option<&proc_macro2::Ident> {
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
