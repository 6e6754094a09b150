//! What a PTX file says of its kernels.

mod shared;
#[cfg(test)]
mod tests;
mod types;

use super::lex::{self, Kind, Token};
use super::written::{Bound, File, Parameter, SETTER, Setter, Type, Unread, Written};

/// The entries of a file by name, and its declarations of the function that sets conditions.
pub(super) fn read(path: &str, text: &str) -> File {
    let tokens = lex::tokens(text, 0);
    let all = (0..tokens.len()).filter(|at| is_directive(&tokens, *at, "entry"));
    let setters = (0..tokens.len()).filter(|at| is_directive(&tokens, *at, "func"));
    File {
        kernels: all.filter_map(|at| entry(path, &tokens, at)).collect(),
        unread: None,
        setters: setters.filter_map(|at| setter(path, &tokens, at)).collect(),
    }
}

/// Whether `.word` stands here.
fn is_directive(tokens: &[Token<'_>], at: usize, word: &str) -> bool {
    tokens[at].is('.') && tokens.get(at + 1).is_some_and(|token| token.is_word(word))
}

fn place(path: &str, token: &Token<'_>) -> String {
    format!("{path}:{}", token.place.line)
}

fn entry(path: &str, all: &[Token<'_>], at: usize) -> Option<(String, Result<Written, Unread>)> {
    let name = all.get(at + 2)?;
    let written = kernel(path, all, at + 2).ok_or_else(|| Unread::new(place(path, name), "the entry does not end"));
    Some((name.word()?.to_owned(), written))
}

fn kernel(path: &str, all: &[Token<'_>], name: usize) -> Option<Written> {
    let mut head = name + 1;
    let mut list: &[Token<'_>] = &[];
    if all.get(head).is_some_and(|token| token.is('(')) {
        let close = lex::closing(all, head)?;
        list = &all[head + 1..close];
        head = close + 1;
    }
    let open = head + all[head..].iter().position(|token| token.is('{') || token.is(';'))?;
    let body = lex::closing(all, open).map_or(&[][..], |close| &all[open + 1..close]);
    Some(Written {
        place: place(path, &all[name]),
        parameters: parameters(path, list)?,
        bound: bound(&all[head..open]),
        shared: shared::bytes(all, body),
    })
}

/// `.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);`
fn setter(path: &str, all: &[Token<'_>], at: usize) -> Option<Setter> {
    let mut name = at + 2;
    if all.get(name)?.is('(') {
        name = lex::closing(all, name)? + 1;
    }
    let open = name + 1;
    if !all.get(name)?.is_word(SETTER) || !all.get(open)?.is('(') {
        return None;
    }
    let list = &all[open + 1..lex::closing(all, open)?];
    let types: Option<Vec<Type>> = lex::parts(list)?.into_iter().map(types::declared).collect();
    Some(Setter { place: place(path, &all[name]), text: format!("{SETTER}({})", text(list)), types: types? })
}

/// `None` if brackets do not match.
fn parameters(path: &str, list: &[Token<'_>]) -> Option<Result<Vec<Parameter>, Unread>> {
    let unread = |part: &[Token<'_>]| {
        let at = part.first().map(|token| place(path, token)).unwrap_or_default();
        Unread::new(at, format!("`{}` is no parameter that could be read", text(part)))
    };
    let parts = lex::parts(list)?.into_iter();
    Some(parts.map(|part| parameter(part, path).ok_or_else(|| unread(part))).collect())
}

/// `.param .align 8 .b8 name[24]`
fn parameter(part: &[Token<'_>], path: &str) -> Option<Parameter> {
    let sized = types::declared(part)?;
    let is_pointer = (0..part.len()).any(|at| is_directive(part, at, "ptr"));
    let ty = if is_pointer && sized.bytes() == Some(8) {
        Type::Pointer { constant: None, to: Box::new(Type::Open) }
    } else {
        sized
    };
    let name = types::name(part).map(str::to_owned);
    Some(Parameter { ty, name, text: text(part), place: place(path, part.first()?) })
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
