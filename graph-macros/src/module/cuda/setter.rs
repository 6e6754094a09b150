//! Declarations of the function that sets conditions: nobody but its caller knows what it is given (rule R183).

use super::super::lex::{self, Token};
use super::super::written::{SETTER, Setter, Type};
use super::told;
use super::types::Scope;

/// The declaration that an item is; `None` if it is none, or cannot be read.
pub(super) fn of<'a>(head: &[Token<'a>], scope: &Scope<'_, 'a>, paths: &[&str]) -> Option<Setter> {
    let at = head.iter().position(|token| token.is_word(SETTER))?;
    let close = lex::closing(head, at + 1).filter(|_| head[at + 1].is('('))?;
    let list = &head[at + 2..close];
    let parts = lex::parts(list)?;
    let types: Option<Vec<Type>> = parts.into_iter().map(|part| Some(scope.declaration(part)?.ty)).collect();
    Some(Setter { place: told(head[at].place, paths), text: format!("{SETTER}({})", lex::line(list)), types: types? })
}
