//! Forms of the language that are refused by name, with the way to say it today.

use graph_ir::code::Code;
use proc_macro2::{Ident, Span};
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use crate::diagnostic::Diagnostic;

/// `form` is not supported yet.
pub(super) fn form(span: Span, form: &str) -> Diagnostic {
    Diagnostic::error(Code::NOT_YET, span, format!("{form} is not supported yet"))
}

/// The form that the statement here begins with, if it is one of those.
pub(super) fn statement(input: ParseStream<'_>) -> Option<Diagnostic> {
    let (word, next) = input.cursor().ident()?;
    by_keyword(&word, next)
}

fn by_keyword(word: &Ident, next: Cursor<'_>) -> Option<Diagnostic> {
    let span = word.span();
    let follows = |wanted: &str| next.ident().is_some_and(|(word, _)| word == wanted);
    let found = match word.to_string().as_str() {
        "while" if follows("let") => form(span, "`while let`").help("compare with `==`"),
        _ => return None,
    };
    Some(found)
}

/// `[[T; n]; m]`, `[&[T]]`
pub(super) fn list(span: Span) -> Diagnostic {
    form(span, "a list of buffers").help("use one buffer for each, or ranges of a single one")
}
