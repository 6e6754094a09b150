//! Shared memory that a kernel declares itself: `__shared__ float tile[TILE][TILE + 1];`

use super::super::lex::{self, Kind, Token};
use super::super::written::Layout;
use super::items::{self, Condition};
use super::types::{Scope, declarator};

/// The bytes that are sure: what stands under an `#if`, what only a compiler can size, and what called functions have is not counted.
pub(super) fn bytes<'a>(body: &[Token<'a>], scope: &Scope<'_, 'a>) -> u64 {
    let (mut bytes, mut conditions) = (0_u64, 0_usize);
    for (at, token) in body.iter().enumerate() {
        match token.kind {
            Kind::Directive(text) => match items::condition(text) {
                Some(Condition::Begins) => conditions += 1,
                Some(Condition::Ends) => conditions = conditions.saturating_sub(1),
                _ => {}
            },
            Kind::Word("__shared__") if conditions == 0 => {
                bytes = bytes.saturating_add(declared(body, at, scope).unwrap_or(0));
            }
            _ => {}
        }
    }
    bytes
}

/// What the declaration around `at` takes.
fn declared<'a>(body: &[Token<'a>], at: usize, scope: &Scope<'_, 'a>) -> Option<u64> {
    let ends =
        |token: &Token<'_>| token.is(';') || token.is('{') || token.is('}') || matches!(token.kind, Kind::Directive(_));
    let from = body[..at].iter().rposition(ends).map_or(0, |before| before + 1);
    let end = at + body[at..].iter().position(|token| token.is(';'))?;
    let statement = &body[from..end];
    if statement.iter().any(|token| token.is_word("extern") || token.is('(') || matches!(token.kind, Kind::Open(_))) {
        return None;
    }
    let (ty, constant, length) = scope.specifiers(statement)?;
    let mut bytes = 0_u64;
    for part in lex::parts(&statement[length..])? {
        let declared = declarator(ty.clone(), constant, part)?;
        let Layout { bytes: size, .. } = scope.layout(&declared)?;
        bytes = bytes.checked_add(size)?;
    }
    Some(bytes)
}
