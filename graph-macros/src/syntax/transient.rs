//! Buffers that a `let` declares: `let t: [T; n];`, `let t: host [T; n] = value;`. In a `let` the bracket always means a buffer.

use graph_ir::code::Code;
use graph_ir::model::Shape;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Token, Type};

use super::ast::{Length, StatementKind, Transient};
use super::stream::{at_group, brackets, finished, strict_as, word};
use super::{Parsed, expression, not_yet};
use crate::diagnostic::Diagnostic;

/// Whether a buffer's type follows: `[`, or `host [`.
pub(super) fn starts(input: ParseStream<'_>) -> bool {
    let cursor = input.cursor();
    let host = cursor.ident().filter(|(word, _)| word == "host").map(|(_, next)| next);
    at_group(host.unwrap_or(cursor), Delimiter::Bracket)
}

/// What stands behind `let name:`.
pub(super) fn transient(input: ParseStream<'_>, name: Ident) -> Parsed<StatementKind> {
    let host = word(input, "host");
    let (bracket, content) = brackets(input)?;
    let ((element, length), count) = if at_group(content.cursor(), Delimiter::Bracket) && !is_element(&content) {
        let (_, inner) = brackets(&content)?;
        let buffer = buffer_type(&inner)?;
        content.parse::<Token![;]>()?;
        let count = expression::host(&content)?;
        finished(&content, "`]`")?;
        (buffer, Some(count))
    } else {
        (buffer_type(&content)?, None)
    };
    let Some(length) = length else {
        return Err(Diagnostic::error(Code::SYNTAX, bracket.span.join(), format!("buffer `{name}` has no length"))
            .help("write it behind the element's type: `[T; n]`"));
    };
    let value = if input.parse::<Option<Token![=]>>()?.is_some() { Some(fill(input)?) } else { None };
    Ok(StatementKind::Transient(Transient { name, host, element, length, count, value }))
}

/// Whether the brackets that come are an element's own: nothing follows them.
fn is_element(content: ParseStream<'_>) -> bool {
    content.cursor().group(Delimiter::Bracket).is_some_and(|(_, _, behind)| behind.eof())
}

/// The value that every element gets.
fn fill(input: ParseStream<'_>) -> Parsed<Expr> {
    let value = expression::host(input)?;
    match &value {
        Expr::Repeat(array) => {
            let one = quote::ToTokens::to_token_stream(&array.expr);
            Err(Diagnostic::error(Code::SYNTAX, array.span(), "a buffer is filled with one value, not with an array")
                .help(format!("write the value alone: `= {one};`")))
        }
        Expr::Array(array) => {
            Err(Diagnostic::error(Code::SYNTAX, array.span(), "a buffer is filled with one value, not with an array")
                .help("take the elements as a parameter, `&[T; n]`"))
        }
        _ => Ok(value),
    }
}

/// `T; n` or `T`, between the brackets.
pub(super) fn buffer_type(content: ParseStream<'_>) -> Parsed<(Box<Type>, Option<Length>)> {
    let element = element(content)?;
    if content.is_empty() {
        return Ok((element, None));
    }
    if content.peek(Token![,]) {
        return Err(Diagnostic::error(
            Code::SYNTAX,
            content.span(),
            "expected `;` between the element's type and the length",
        ));
    }
    content.parse::<Token![;]>()?;
    if content.is_empty() {
        return Err(content.error("expected the buffer's length").into());
    }
    let expression = expression::host(content)?;
    finished(content, "`]`")?;
    if let Expr::Tuple(tuple) = &expression
        && !(2..=Shape::MAX_RANK).contains(&tuple.elems.len())
    {
        return Err(Diagnostic::error(Code::SYNTAX, tuple.span(), "a buffer has one to three dimensions")
            .help("write `[T; n]`, `[T; (height, width)]` or `[T; (depth, height, width)]`"));
    }
    Ok((element, Some(Length { expression })))
}

fn element(content: ParseStream<'_>) -> Parsed<Box<Type>> {
    let nested = content.peek(Token![&]) || at_group(content.cursor(), Delimiter::Bracket);
    let element = strict_as::<Type>(content)?;
    if let Type::Path(path) = &element
        && let Some(word) = ["bool", "char"].into_iter().find(|word| path.path.is_ident(word))
    {
        return Err(Diagnostic::error(
            Code::SYNTAX,
            path.span(),
            format!("`{word}` cannot be the element of a buffer"),
        )
        .note("an element is plain data: any bit pattern is a value")
        .help(if word == "bool" { "use `u8` for flags" } else { "use `u32`" }));
    }
    if !nested {
        return Ok(Box::new(element));
    }
    let list = not_yet::list(element.span());
    let array = matches!(element, Type::Array(_));
    Err(if array { list.note("an element that is an array itself needs a name: `type Rgb = [u8; 3];`") } else { list })
}
