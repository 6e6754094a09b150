//! Small readers on top of syn's, all of which see through invisible groups and never look at the spacing of punctuation.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseBuffer, ParseStream, Parser as _};
use syn::{Token, token};

use super::Parsed;
use crate::diagnostic::Diagnostic;

/// A pair of parentheses and what stands in it.
pub(super) fn parentheses<'a>(input: &ParseBuffer<'a>) -> syn::Result<(token::Paren, ParseBuffer<'a>)> {
    let content;
    let token = syn::parenthesized!(content in input);
    Ok((token, content))
}

/// A pair of brackets and what stands in it.
pub(super) fn brackets<'a>(input: &ParseBuffer<'a>) -> syn::Result<(token::Bracket, ParseBuffer<'a>)> {
    let content;
    let token = syn::bracketed!(content in input);
    Ok((token, content))
}

/// A pair of braces and what stands in it.
pub(super) fn braces<'a>(input: &ParseBuffer<'a>) -> syn::Result<(token::Brace, ParseBuffer<'a>)> {
    let content;
    let token = syn::braced!(content in input);
    Ok((token, content))
}

/// An error unless everything in a group has been read.
pub(super) fn finished(content: ParseStream<'_>, expected: &str) -> Parsed<()> {
    if content.is_empty() { Ok(()) } else { Err(Diagnostic::plain(content.span(), format!("expected {expected}"))) }
}

/// The tokens between two positions.
pub(super) fn between(mut begin: Cursor<'_>, end: Cursor<'_>) -> TokenStream {
    let mut tokens = Vec::new();
    while begin < end {
        let Some((token, next)) = begin.token_tree() else { break };
        tokens.push(token);
        begin = next;
    }
    tokens.into_iter().collect()
}

/// Parses with syn, and refuses tokens left over in groups: syn itself reports those only when the whole input has been read.
pub(super) fn strict<T>(input: ParseStream<'_>, parse: fn(ParseStream<'_>) -> syn::Result<T>) -> Parsed<T> {
    let ahead = input.fork();
    let value = parse(&ahead)?;
    if may_leave_tokens(input.cursor(), ahead.cursor()) {
        parse.parse2(between(input.cursor(), ahead.cursor()))?;
    }
    input.advance_to(&ahead);
    Ok(value)
}

/// Whether syn may have left tokens of a group between two positions. It reads at least one, and all of an expression in parentheses and
/// of the arguments of a call; of a type it may leave some.
fn may_leave_tokens(mut begin: Cursor<'_>, end: Cursor<'_>) -> bool {
    let mut may_be_type = false;
    while begin < end {
        if let Some((inside, delimiter, _, next)) = begin.any_group() {
            let whole = delimiter == Delimiter::Parenthesis && !may_be_type;
            if (!whole && has_two_tokens(inside)) || may_leave_tokens(inside, next) {
                return true;
            }
            (begin, may_be_type) = (next, false);
            continue;
        }
        let Some((token, next)) = begin.token_tree() else { return false };
        may_be_type = match token {
            TokenTree::Ident(word) => {
                matches!(word.to_string().as_str(), "as" | "dyn" | "for" | "impl" | "in" | "mut")
            }
            TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '<' | '>' | ',' | '&'),
            _ => false,
        };
        begin = next;
    }
    false
}

fn has_two_tokens(cursor: Cursor<'_>) -> bool {
    cursor.token_tree().is_some_and(|(_, next)| !next.eof())
}

/// [`strict`] by the type's own parser.
pub(super) fn strict_as<T: Parse>(input: ParseStream<'_>) -> Parsed<T> {
    strict(input, T::parse)
}

/// Whether the next token is this word.
pub(super) fn at_word(input: ParseStream<'_>, word: &str) -> bool {
    input.cursor().ident().is_some_and(|(ident, _)| ident == word)
}

/// The next token, if it is this word.
pub(super) fn word(input: ParseStream<'_>, word: &str) -> Option<Ident> {
    input
        .step(|cursor| match cursor.ident() {
            Some((ident, rest)) if ident == word => Ok((ident, rest)),
            _ => Err(cursor.error(word)),
        })
        .ok()
}

/// Whether the next tokens are `count` times this character.
pub(super) fn at_run(mut cursor: Cursor<'_>, character: char, count: usize) -> bool {
    (0..count).all(|_| match cursor.punct() {
        Some((punct, next)) if punct.as_char() == character => {
            cursor = next;
            true
        }
        _ => false,
    })
}

/// The identifier behind the next token, if both are identifiers.
pub(super) fn second_word(cursor: Cursor<'_>) -> Option<Ident> {
    let (_, next) = cursor.ident()?;
    next.ident().map(|(ident, _)| ident)
}

/// Whether the next token opens this group.
pub(super) fn at_group(cursor: Cursor<'_>, delimiter: Delimiter) -> bool {
    cursor.group(delimiter).is_some()
}

/// Skips any number of `;`.
pub(super) fn semicolons(input: ParseStream<'_>) {
    while input.peek(Token![;]) {
        // Just seen.
        let _ = input.parse::<Token![;]>();
    }
}

/// The span of the next token; of a group, with everything in it.
pub(super) fn next_span(input: ParseStream<'_>) -> Span {
    if input.is_empty() { input.span() } else { input.cursor().span() }
}

/// The span of the token before the next one.
pub(super) fn previous_span(input: ParseStream<'_>) -> Span {
    input.cursor().prev_span()
}

/// Whether rustc takes this for a name, not a keyword.
pub(crate) fn is_name(ident: &Ident) -> bool {
    syn::parse2::<Ident>(TokenTree::Ident(ident.clone()).into()).is_ok()
}
