//! `static s: [T; n] = value;`: a buffer that keeps its contents from launch to launch.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::{Ident, Token};

use super::ast::StatementKind;
use super::{Parsed, transient};
use crate::diagnostic::Diagnostic;

/// A whole `static`, up to its `;`.
pub(super) fn static_statement(input: ParseStream<'_>) -> Parsed<StatementKind> {
    input.parse::<Token![static]>()?;
    if let Some(word) = input.parse::<Option<Token![mut]>>()? {
        return Err(Diagnostic::error(Code::SYNTAX, word.span, "a `static` buffer cannot be `mut`")
            .help("remove `mut`: each use says what it does, `&mut s` or `&out s`"));
    }
    let name: Ident = input.parse()?;
    let colon = input.parse::<Option<Token![:]>>()?;
    if colon.is_none() || !transient::starts(input) {
        return Err(Diagnostic::error(Code::SYNTAX, input.span(), "expected a buffer's type: `[T; n]`")
            .note("a `static` is a buffer that keeps its contents from launch to launch"));
    }
    let StatementKind::Transient(buffer) = transient::transient(input, name)? else { return Ok(StatementKind::Error) };
    if buffer.value.is_some() {
        return Ok(StatementKind::Static(buffer));
    }
    let name = &buffer.name;
    Err(Diagnostic::error(Code::SYNTAX, name.span(), format!("`static {name}` has no value"))
        .note("the first launch finds this value in it, every other what the one before has left")
        .help("write one behind the type: `= 0`"))
}
