//! What a PTX file says of its kernels.

mod shared;
#[cfg(test)]
mod tests;
mod types;

use super::lex::{self, Kind, Token};
use super::written::{Bound, Parameter, Type, Written};

/// The entries of a file by name.
pub(super) fn kernels(path: &str, text: &str) -> Vec<(String, Written)> {
    let tokens = lex::tokens(text, 0);
    let entries = tokens.iter().enumerate().filter(|(at, token)| is_directive(&tokens, *at, "entry") && token.is('.'));
    entries.filter_map(|(at, _)| kernel(path, &tokens, at)).collect()
}

/// Whether `.word` stands here.
fn is_directive(tokens: &[Token<'_>], at: usize, word: &str) -> bool {
    tokens[at].is('.') && tokens.get(at + 1).is_some_and(|token| token.is_word(word))
}

fn kernel(path: &str, all: &[Token<'_>], at: usize) -> Option<(String, Written)> {
    let name = all.get(at + 2)?;
    let mut head = at + 3;
    let mut list: &[Token<'_>] = &[];
    if all.get(head).is_some_and(|token| token.is('(')) {
        let close = lex::closing(all, head)?;
        list = &all[head + 1..close];
        head = close + 1;
    }
    let open = head + all[head..].iter().position(|token| token.is('{') || token.is(';'))?;
    let body = lex::closing(all, open).map_or(&[][..], |close| &all[open + 1..close]);
    let place = |token: &Token<'_>| format!("{path}:{}", token.place.line);
    let parameters: Option<Vec<Parameter>> = lex::parts(list)?.into_iter().map(|part| parameter(part, place)).collect();
    let written =
        Written { place: place(name), parameters, bound: bound(&all[head..open]), shared: shared::bytes(all, body) };
    Some((name.word()?.to_owned(), written))
}

/// `.param .align 8 .b8 name[24]`
fn parameter(part: &[Token<'_>], place: impl Fn(&Token<'_>) -> String) -> Option<Parameter> {
    let sized = types::declared(part)?;
    let is_pointer = (0..part.len()).any(|at| is_directive(part, at, "ptr"));
    let ty = if is_pointer && sized.bytes() == Some(8) {
        Type::Pointer { constant: None, to: Box::new(Type::Open) }
    } else {
        sized
    };
    let name = types::name(part).map(str::to_owned);
    Some(Parameter { ty, name, text: text(part), place: place(part.first()?) })
}

/// `.maxntid 256, 1, 1` or `.reqntid`.
fn bound(head: &[Token<'_>]) -> Option<Bound> {
    let at = (0..head.len()).find(|at| is_directive(head, *at, "maxntid") || is_directive(head, *at, "reqntid"))?;
    let end = at + 2 + head[at + 2..].iter().position(|token| token.is('.')).unwrap_or(head.len() - at - 2);
    let mut threads = 1_u64;
    for size in head[at + 2..end].split(|token| token.is(',')) {
        let [token] = size else { return None };
        let Kind::Number(number) = token.kind else { return None };
        threads = threads.checked_mul(number.parse().ok()?)?;
    }
    Some(Bound { threads, text: text(&head[at..end]) })
}

/// As one line; a dot stands at its word.
fn text(tokens: &[Token<'_>]) -> String {
    lex::line(tokens).replace(". ", ".")
}
