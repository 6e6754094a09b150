//! `copy`, `fill`, `swap` and `drop`: built-in only as a single word in front of `(`. `fill<<<…>>>` is a kernel.

use graph_ir::code::Code;
use graph_ir::model::Mode as Kind;
use proc_macro2::Delimiter;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, Token};

use super::ast::{BufferArgument, StatementKind};
use super::stream::{at_group, finished, parentheses};
use super::{Parsed, argument, expression};
use crate::diagnostic::Diagnostic;

/// Each built-in with the form that it takes.
const FORMS: [(&str, &str); 4] = [
    ("copy", "copy(&from, &out to)"),
    ("fill", "fill(&out x, value)"),
    ("swap", "swap(&mut a, &mut b)"),
    ("drop", "drop(x)"),
];

/// The built-in that stands here, if one does.
pub(super) fn builtin(input: ParseStream<'_>) -> Parsed<Option<StatementKind>> {
    let Some((word, next)) = input.cursor().ident() else { return Ok(None) };
    let name = word.to_string();
    let Some((_, form)) = FORMS.iter().find(|(known, _)| name == *known) else { return Ok(None) };
    if !at_group(next, Delimiter::Parenthesis) {
        return Ok(None);
    }
    input.parse::<Ident>()?;
    let (_, content) = parentheses(input)?;
    if content.is_empty() {
        return Err(misses(&content, form));
    }
    let kind = match name.as_str() {
        "copy" => copy(&content, word, form)?,
        "fill" => fill(&content, word, form)?,
        "swap" => swap(&content, word, form)?,
        _ => drop_buffer(&content)?,
    };
    last_comma(&content);
    finished(&content, "`)`").map_err(|fault| fault.help(format!("write `{form}`")))?;
    Ok(Some(kind))
}

fn misses(content: ParseStream<'_>, form: &str) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, content.span(), format!("expected `{form}`"))
}

fn copy(content: ParseStream<'_>, word: Ident, form: &str) -> Parsed<StatementKind> {
    let from = buffer(content, Kind::Read)?;
    comma(content, form)?;
    let to = buffer(content, Kind::Overwrite)?;
    Ok(StatementKind::Copy { word, from, to })
}

fn fill(content: ParseStream<'_>, word: Ident, form: &str) -> Parsed<StatementKind> {
    let target = buffer(content, Kind::Overwrite)?;
    comma(content, form)?;
    if content.is_empty() {
        return Err(misses(content, form));
    }
    let value = expression::host(content)?;
    Ok(StatementKind::Fill { word, target, value })
}

fn swap(content: ParseStream<'_>, word: Ident, form: &str) -> Parsed<StatementKind> {
    let left = whole(content)?;
    comma(content, form)?;
    let right = whole(content)?;
    Ok(StatementKind::Swap { word, left, right })
}

fn drop_buffer(content: &ParseBuffer<'_>) -> Parsed<StatementKind> {
    if content.peek(Token![&]) {
        return Err(Diagnostic::error(Code::SYNTAX, content.span(), "`drop` takes a buffer's name without `&`"));
    }
    let name = content.parse()?;
    Ok(StatementKind::Drop { name })
}

/// A comma, with something behind it.
fn comma(content: ParseStream<'_>, form: &str) -> Parsed<()> {
    if !content.peek(Token![,]) {
        return Err(misses(content, form));
    }
    content.parse::<Token![,]>()?;
    if content.is_empty() { Err(misses(content, form)) } else { Ok(()) }
}

fn last_comma(content: ParseStream<'_>) {
    // One is allowed; if there is none, that is fine too.
    let _ = content.parse::<Option<Token![,]>>();
}

/// A buffer in the one mode that fits.
fn buffer(content: ParseStream<'_>, wanted: Kind) -> Parsed<Box<BufferArgument>> {
    let span = content.span();
    let buffer = argument::buffer(content)?;
    if buffer.mode.kind == wanted {
        return Ok(Box::new(buffer));
    }
    let (sigil, name) = (wanted.sigil(), &buffer.name);
    let space = if wanted == Kind::Read { "" } else { " " };
    let fault =
        Diagnostic::error(Code::SYNTAX, span, format!("expected `{sigil}`, found `{}`", buffer.mode.kind.sigil()));
    Err(fault.help(format!("write `{sigil}{space}{name}`")))
}

/// One side of a `swap`: names are exchanged, so it has no range.
fn whole(content: ParseStream<'_>) -> Parsed<Box<BufferArgument>> {
    let buffer = buffer(content, Kind::Update)?;
    match &buffer.range {
        Some(range) => Err(Diagnostic::error(Code::SYNTAX, range.span, "`swap` exchanges whole buffers")
            .help("exchange ranges with three `copy`s through a third buffer")),
        None => Ok(buffer),
    }
}
