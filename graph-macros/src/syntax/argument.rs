//! Arguments: a buffer with its mode, or a host expression.
//!
//! Behind `&` stands `mut`, or `out` or `atomic` if another identifier follows that is not `as`; otherwise the word is the buffer's
//! name. So `&out[1..2]` reads a buffer named `out`, and `&out out[1..2]` overwrites it.

use graph_ir::code::Code;
use graph_ir::model::Mode as Kind;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprRange, ExprTuple, Ident, RangeLimits, Token};

use super::ast::{Argument, BufferArgument, Mode, Projection, Range, Ranges};
use super::stream::{at_group, brackets, next_span, second_word, strict, strict_as};
use super::{Parsed, expression, recovery};
use crate::diagnostic::Diagnostic;

/// Dimensions of a buffer, at most.
const MAX_RANK: usize = graph_ir::model::Shape::MAX_RANK;

/// Everything between the parentheses of a launch or a built-in.
pub(super) fn arguments(content: ParseStream<'_>) -> Parsed<Vec<Argument>> {
    let mut arguments = Vec::new();
    while !content.is_empty() {
        arguments.push(argument(content)?);
        if content.is_empty() {
            break;
        }
        if !content.peek(Token![,]) {
            return Err(content.error("expected `,`").into());
        }
        content.parse::<Token![,]>()?;
    }
    Ok(arguments)
}

/// One argument of a launch, or what a graph inside the graph is passed.
pub(super) fn argument(input: ParseStream<'_>) -> Parsed<Argument> {
    if input.peek(Token![&]) {
        return buffer(input).map(Argument::Buffer);
    }
    if let Some(fault) = mode_alone(input) {
        return Err(fault);
    }
    expression::host(input).map(Argument::Value)
}

/// `out x`, `mut x`: the `&` is missing.
fn mode_alone(input: ParseStream<'_>) -> Option<Diagnostic> {
    let (word, _) = input.cursor().ident()?;
    let name = second_word(input.cursor()).filter(|name| name != "as")?;
    ["mut", "out", "atomic"].iter().any(|mode| word == mode).then(|| {
        Diagnostic::error(Code::SYNTAX, word.span(), format!("expected `&` in front of `{word}`"))
            .help(format!("write `&{word} {name}`"))
    })
}

/// `&`, `&mut`, `&out` or `&atomic` in front of a buffer's name.
fn mode(input: ParseStream<'_>) -> Parsed<Mode> {
    let ampersand = input.parse::<Token![&]>()?;
    let followed = second_word(input.cursor()).is_some_and(|next| next != "as");
    Ok(mode_behind(input, ampersand, followed))
}

/// The same in a parameter's type, where a name or a bracket may follow.
pub(super) fn type_mode(input: ParseStream<'_>) -> Parsed<Mode> {
    let ampersand = input.parse::<Token![&]>()?;
    let followed =
        input.cursor().ident().is_some_and(|(_, next)| next.ident().is_some() || at_group(next, Delimiter::Bracket));
    Ok(mode_behind(input, ampersand, followed))
}

fn mode_behind(input: ParseStream<'_>, ampersand: Token![&], followed: bool) -> Mode {
    let word = input.cursor().ident().map(|(word, _)| word);
    let kind = word.as_ref().and_then(|word| match word.to_string().as_str() {
        "mut" => Some(Kind::Update),
        "out" if followed => Some(Kind::Overwrite),
        "atomic" if followed => Some(Kind::Atomic),
        _ => None,
    });
    if kind.is_some() {
        recovery::advance(input, |cursor| cursor.ident().map_or(cursor, |(_, next)| next));
    }
    let word = word.filter(|_| kind.is_some()).map(|word| word.span());
    Mode { kind: kind.unwrap_or(Kind::Read), ampersand: ampersand.spans[0], word }
}

/// A buffer with its mode and an optional range.
pub(super) fn buffer(input: ParseStream<'_>) -> Parsed<BufferArgument> {
    if !input.peek(Token![&]) {
        return Err(Diagnostic::error(Code::SYNTAX, next_span(input), "expected a buffer with its mode")
            .help("write `&x`, `&mut x`, `&out x` or `&atomic x`"));
    }
    let mode = mode(input)?;
    if let Some(fault) = no_name(input) {
        return Err(fault);
    }
    let name: Ident = input.parse()?;
    let (mut path, mut found) = (Vec::new(), None);
    while found.is_none() {
        if at_group(input.cursor(), Delimiter::Bracket) {
            let span = next_span(input);
            match index(input)? {
                Expr::Range(written) => found = Some(Ranges { ranges: vec![of_range(written)], tuple: false, span }),
                Expr::Tuple(tuple) => {
                    check_rank(&tuple, &name)?;
                    let ranges = tuple.elems.into_iter().map(of_index).collect();
                    found = Some(Ranges { ranges, tuple: true, span });
                }
                other => path.push(Projection::Index(other, span)),
            }
        } else if input.peek(Token![.]) && input.peek2(Ident) {
            input.parse::<Token![.]>()?;
            path.push(Projection::Field(input.parse()?));
        } else {
            break;
        }
    }
    Ok(BufferArgument { mode, name, path, range: found })
}

/// Why what stands behind `&` is no buffer's name, if it is none.
fn no_name(input: ParseStream<'_>) -> Option<Diagnostic> {
    let expected = Diagnostic::error(Code::SYNTAX, next_span(input), "expected a buffer's name");
    if input.peek(Token![&]) {
        return Some(expected.help("write one `&`"));
    }
    if !input.peek(Ident) {
        return Some(expected.note("`&`, `&mut`, `&out` and `&atomic` stand in front of a buffer"));
    }
    let (word, next) = input.cursor().ident()?;
    let raw = word == "raw" && next.ident().is_some_and(|(word, _)| word == "const" || word == "mut");
    if raw {
        return Some(expected.help("write `&x` or `&mut x`: the launch passes the address"));
    }
    let call =
        input.peek2(syn::token::Paren) || input.peek2(Token![!]) || input.peek2(Token![::]) || is_method_call(input);
    call.then(|| expected.help("a value of the host's is passed without `&`"))
}

/// `x.len()`
fn is_method_call(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    input.peek2(Token![.]) && matches!(ahead.parse::<Expr>(), Ok(Expr::MethodCall(_)))
}

fn of_range(range: ExprRange) -> Range {
    let ExprRange { start, limits, end, .. } = range;
    let inclusive = matches!(limits, RangeLimits::Closed(_));
    Range { start: start.map(|start| *start), end: end.map(|end| *end), inclusive }
}

/// One part of a box: a single index keeps its dimension, with one element.
fn of_index(part: Expr) -> Range {
    match part {
        Expr::Range(range) => of_range(range),
        Expr::Paren(inner) => of_index(*inner.expr),
        Expr::Group(inner) => of_index(*inner.expr),
        one => Range { start: Some(one.clone()), end: Some(one), inclusive: true },
    }
}

/// Two or three parts.
pub(super) fn check_rank(tuple: &ExprTuple, name: &Ident) -> Parsed<()> {
    if (2..=MAX_RANK).contains(&tuple.elems.len()) {
        return Ok(());
    }
    let fault = Diagnostic::error(Code::SYNTAX, tuple.span(), "a box has two or three dimensions");
    Err(fault.help(format!("write `{name}[(rows, columns)]`, or `{name}[range]` in one dimension")))
}

/// `[expression]`, at least one token in it.
pub(super) fn index(input: ParseStream<'_>) -> Parsed<Expr> {
    let ahead = input.fork();
    if let Ok((_, content)) = brackets(&ahead)
        && let Ok(expression) = strict_as::<Expr>(&content)
        && content.is_empty()
    {
        input.advance_to(&ahead);
        return expression::checked(expression);
    }
    // The same once more, for what syn says.
    let expression = strict(input, |input| {
        let (_, content) = brackets(input)?;
        if content.is_empty() {
            return Err(content.error("expected a range or an index"));
        }
        content.parse()
    })?;
    expression::checked(expression)
}
