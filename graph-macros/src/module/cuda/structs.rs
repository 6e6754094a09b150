//! The layout of structs that kernels take by value. Of one that is not plain fields it is open.

use super::super::lex::{self, Kind, Token};
use super::super::written::Layout;
use super::names::Struct;
use super::types::{Scope, declarator};

/// Size and alignment, as C++ lays fields out.
pub(super) fn layout<'a>(structure: &Struct<'a>, scope: &Scope<'_, 'a>) -> Option<Layout> {
    let unsure = |token: &Token<'_>| matches!(token.kind, Kind::Directive(_) | Kind::Open(_) | Kind::Word("virtual"));
    if scope.packed || structure.fields.iter().any(unsure) {
        return None;
    }
    let least = alignment(&structure.head, scope)?;
    let mut whole = Layout { bytes: 0, align: least };
    for statement in statements(&structure.fields)? {
        add(statement, scope, &mut whole)?;
    }
    let bytes = whole.bytes.max(1).checked_next_multiple_of(whole.align)?;
    Some(Layout { bytes, ..whole })
}

/// What the head asks for; `None` if it says what would move fields.
fn alignment<'a>(head: &[Token<'a>], scope: &Scope<'_, 'a>) -> Option<u64> {
    let mut at = 0;
    let mut align = 1;
    while let Some(token) = head.get(at) {
        match token.word()? {
            "__align__" | "alignas" => {
                let close = lex::closing(head, at + 1)?;
                align = align.max(scope.constant(&head[at + 2..close])?);
                at = close;
            }
            "__attribute__" | "__declspec" => return None,
            _ => {}
        }
        at += 1;
    }
    align.is_power_of_two().then_some(align)
}

/// The declarations of fields; functions and what is static take no place.
fn statements<'t, 'a>(fields: &'t [Token<'a>]) -> Option<Vec<&'t [Token<'a>]>> {
    let (mut statements, mut from, mut at) = (Vec::new(), 0, 0);
    while at < fields.len() {
        let statement = &fields[from..at];
        let next = if fields[at].is(';') {
            statements.push(statement);
            at + 1
        } else if fields[at].is('{') && is_function(statement) {
            lex::closing(fields, at)? + 1
        } else if fields[at].is('{') {
            return None;
        } else if fields[at].is(':') && is_access(statement) {
            at + 1
        } else {
            at += 1;
            continue;
        };
        (from, at) = (next, next);
    }
    (from == fields.len()).then(|| {
        statements.retain(|statement| !is_function(statement));
        statements
    })
}

fn is_access(statement: &[Token<'_>]) -> bool {
    matches!(statement, [word] if matches!(word.word(), Some("public" | "private" | "protected")))
}

fn is_function(statement: &[Token<'_>]) -> bool {
    let equals = statement.iter().position(|token| token.is('=')).unwrap_or(statement.len());
    let operator = statement.iter().any(|token| token.is_word("operator"));
    let aligned = statement.iter().any(|token| token.is_word("__align__") || token.is_word("alignas"));
    operator || !aligned && statement[..equals].iter().any(|token| token.is('('))
}

/// Adds the fields of one declaration: `float x, y[2]`.
fn add<'a>(statement: &[Token<'a>], scope: &Scope<'_, 'a>, whole: &mut Layout) -> Option<()> {
    let moves = ["using", "typedef", "union", "enum", "alignas", "__align__", "template"];
    if statement.iter().any(|token| token.word().is_some_and(|word| moves.contains(&word))) {
        return None;
    }
    if statement.is_empty() || statement.iter().any(|token| token.is_word("static") || token.is_word("friend")) {
        return Some(());
    }
    let (ty, constant, length) = scope.specifiers(statement)?;
    for part in lex::parts(&statement[length..])? {
        let declared = declarator(ty.clone(), constant, part)?;
        declared.name?;
        let field = scope.layout(&declared)?;
        let at = whole.bytes.checked_next_multiple_of(field.align)?;
        *whole = Layout { bytes: at.checked_add(field.bytes)?, align: whole.align.max(field.align) };
    }
    Some(())
}
