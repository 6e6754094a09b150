//! Shared memory that entries use: their own, and that of the file that they name.

use super::super::lex::{Kind, Token};
use super::{is_directive, types};

/// The bytes of all `.shared` variables in the body, and of those outside entries that it names; none of `.extern` ones.
pub(super) fn bytes(all: &[Token<'_>], body: &[Token<'_>]) -> u64 {
    let mut bytes = declared(body).map(|(_, bytes)| bytes).sum::<u64>();
    let outside = outside(all);
    for (name, size) in declared(&outside) {
        if body.iter().any(|token| token.is_word(name)) {
            bytes = bytes.saturating_add(size);
        }
    }
    bytes
}

/// The tokens that stand in no braces.
fn outside<'a>(all: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut depth = 0_usize;
    let mut kept = Vec::new();
    for token in all {
        match token.kind {
            Kind::Mark('{') => depth += 1,
            Kind::Mark('}') => {
                depth = depth.saturating_sub(1);
                // What stands behind a body is another statement.
                kept.push(Token { kind: Kind::Mark(';'), ..*token });
            }
            _ if depth == 0 => kept.push(*token),
            _ => {}
        }
    }
    kept
}

/// Names and sizes of the variables.
fn declared<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = (&'a str, u64)> + use<'t, 'a> {
    tokens.split(|token| token.is(';')).filter_map(|statement| {
        let at = (0..statement.len()).find(|at| is_directive(statement, *at, "shared"))?;
        let external = (0..at).any(|at| is_directive(statement, at, "extern"));
        // An instruction like `ld.shared.f32`.
        let instruction = at > 0 && statement[at - 1].word().is_some_and(|word| !is_linkage(word));
        let variable = &statement[at..];
        (!external && !instruction)
            .then(|| Some((types::name(variable)?, types::declared(variable)?.bytes()?)))
            .flatten()
    })
}

fn is_linkage(word: &str) -> bool {
    matches!(word, "visible" | "weak" | "common")
}
