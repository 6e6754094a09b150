//! `assert!(condition, "message {value}");`: the condition is looked at on the device.

use graph_ir::code::Code;
use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{Ident, Token};

use super::ast::StatementKind;
use super::stream::parentheses;
use super::{Parsed, expression};
use crate::diagnostic::Diagnostic;

/// Whether `assert!` stands here.
pub(super) fn starts(input: ParseStream<'_>) -> bool {
    let assert = input.cursor().ident().is_some_and(|(word, _)| word == "assert");
    assert && input.peek2(Token![!]) && !input.peek2(Token![!=])
}

/// A whole assertion, up to its `;`.
pub(super) fn assertion(input: ParseStream<'_>) -> Parsed<StatementKind> {
    let word: Ident = input.parse()?;
    input.parse::<Token![!]>()?;
    let (_, content) = parentheses(input)?;
    if content.is_empty() {
        return Err(Diagnostic::error(Code::SYNTAX, content.span(), "expected a condition"));
    }
    let condition = expression::host(&content)?;
    if content.parse::<Option<Token![,]>>()?.is_none() && !content.is_empty() {
        return Err(Diagnostic::error(Code::SYNTAX, content.span(), "expected `,` behind the condition"));
    }
    let message: TokenStream = content.parse()?;
    let message = Some(message).filter(|message| !message.is_empty());
    Ok(StatementKind::Assert { word, condition, message })
}
