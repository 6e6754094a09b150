//! After a fault: skip to where the next statement begins, keep the names of what was skipped.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::Parser;
use super::stream::{at_group, between, is_name};
use crate::diagnostic::Diagnostic;

/// Words that begin a statement which ends with its block.
const BLOCK_WORDS: [&str; 9] = ["if", "while", "loop", "match", "for", "fn", "struct", "enum", "mod"];

/// Words that are never part of a statement which ends with `;`.
const NEXT_WORDS: [&str; 5] = ["let", "while", "loop", "for", "static"];

impl Parser<'_> {
    /// Reports `fault` in the statement that starts at `begin`, skips the rest of it and keeps its names.
    pub(super) fn skip_statement(&mut self, input: ParseStream<'_>, begin: Cursor<'_>, fault: Diagnostic) {
        if !std::mem::take(&mut self.spilled) {
            self.diagnostics.push(fault);
        }
        let block = opens_block(begin);
        let at_start = begin == input.cursor();
        advance(input, |cursor| if block { past_block(cursor) } else { past_semicolon(cursor, at_start) });
        if begin == input.cursor() {
            advance(input, |cursor| cursor.token_tree().map_or(cursor, |(_, next)| next));
        }
        self.keep_names(between(begin, input.cursor()));
    }

    /// Keeps the identifiers of skipped tokens, and the paths of kernels.
    pub(super) fn keep_names(&mut self, tokens: TokenStream) {
        kernels(tokens.clone(), &mut self.kernels);
        names(tokens, &mut self.salvage);
    }
}

/// All complete identifiers, without keywords and labels.
fn names(tokens: TokenStream, into: &mut Vec<Ident>) {
    let mut behind_quote = false;
    for token in tokens {
        let quote =
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'' && punct.spacing() == Spacing::Joint);
        match token {
            TokenTree::Group(group) => names(group.stream(), into),
            TokenTree::Ident(ident) if !behind_quote && is_name(&ident) => into.push(ident),
            _ => {}
        }
        behind_quote = quote;
    }
}

/// All paths of more than one segment in front of `<<<`.
fn kernels(tokens: TokenStream, into: &mut Vec<TokenStream>) {
    let mut path: Vec<TokenTree> = Vec::new();
    let is = |token: &TokenTree, character| matches!(token, TokenTree::Punct(punct) if punct.as_char() == character);
    let mut opening = 0;
    for token in tokens {
        opening = if is(&token, '<') { opening + 1 } else { 0 };
        let continues = path.len() >= 2 && path[path.len() - 2..].iter().all(|token| is(token, ':'));
        match token {
            TokenTree::Group(group) => kernels(group.stream(), into),
            TokenTree::Ident(_) if continues => path.push(token),
            TokenTree::Ident(_) => path = vec![token],
            _ if is(&token, ':') => path.push(token),
            _ if opening == 3 && path.len() > 1 && !continues => into.push(path.drain(..).collect()),
            _ if opening > 0 => {}
            _ => path.clear(),
        }
    }
}

/// Moves the stream to where `to` says.
pub(super) fn advance(input: ParseStream<'_>, to: impl for<'c> FnOnce(Cursor<'c>) -> Cursor<'c>) {
    // The step cannot fail: `to` always answers.
    let _ = input.step(|cursor| Ok(((), to(*cursor))));
}

/// Whether the statement that starts here ends with its block: `while …`, `kernel for …`, `{ … }`.
pub(super) fn opens_block(mut cursor: Cursor<'_>) -> bool {
    while let Some((punct, next)) = cursor.punct() {
        match next.group(Delimiter::Bracket) {
            Some((_, _, next)) if punct.as_char() == '#' => cursor = next,
            _ => return false,
        }
    }
    if let Some((_, next)) = cursor.lifetime() {
        cursor = next.punct().map_or(next, |(_, next)| next);
    }
    match cursor.ident() {
        Some((word, next)) if word == "kernel" => next.ident().is_some_and(|(word, _)| word == "for"),
        Some((word, _)) => BLOCK_WORDS.iter().any(|known| word == known),
        None => at_group(cursor, Delimiter::Brace),
    }
}

/// Past the closing `}` of a block statement, its `else` arms and its `after`; or past a `;` if that comes first.
fn past_block(mut cursor: Cursor<'_>) -> Cursor<'_> {
    while let Some((token, next)) = cursor.token_tree() {
        cursor = next;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return cursor,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match cursor.ident() {
                Some((word, next)) if word == "else" => cursor = next,
                Some((word, next)) if word == "after" && next.lifetime().is_some() => {}
                _ => return cursor,
            },
            _ => {}
        }
    }
    cursor
}

/// Past the next `;`, or to where a new statement evidently begins: a half-typed line has no `;` of its own.
fn past_semicolon(mut cursor: Cursor<'_>, at_start: bool) -> Cursor<'_> {
    let mut first = at_start;
    while let Some((token, next)) = cursor.token_tree() {
        if !first && begins_statement(cursor) {
            return cursor;
        }
        first = false;
        cursor = next;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return cursor,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && begins_line(cursor) => return cursor,
            _ => {}
        }
    }
    cursor
}

/// Whether a statement certainly begins here: `'label: …`, `while`, `kernel for`.
fn begins_statement(cursor: Cursor<'_>) -> bool {
    if let Some((_, next)) = cursor.lifetime() {
        return next.punct().is_some_and(|(punct, _)| punct.as_char() == ':');
    }
    match cursor.ident() {
        Some((word, next)) if word == "kernel" => next.ident().is_some_and(|(word, _)| word == "for"),
        Some((word, _)) => NEXT_WORDS.iter().any(|known| word == known),
        None => false,
    }
}

/// Whether what stands here may begin a statement, and does not continue an expression.
pub(super) fn begins_line(cursor: Cursor<'_>) -> bool {
    if let Some((word, _)) = cursor.ident() {
        return !["as", "else", "after"].iter().any(|known| word == known);
    }
    let attribute = cursor.punct().is_some_and(|(punct, _)| punct.as_char() == '#');
    attribute || cursor.lifetime().is_some() || at_group(cursor, Delimiter::Brace)
}
