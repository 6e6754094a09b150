//! `host(…)`, `capture(…)`, `record(…)` and `wait(…)`: buffers and objects with their modes, then a closure in Rust.

use graph_ir::code::Code;
use graph_ir::model::Mode as Kind;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprClosure, Ident, Pat, Token};

use super::ast::{BufferArgument, Call, Closure, StatementKind};
use super::stream::{at_group, at_word, finished, next_span, parentheses, strict, word};
use super::{Parsed, argument};
use crate::diagnostic::Diagnostic;

const HOST: &str = "host(&a, &mut b, |a, b| { … })";
const CAPTURE: &str = "capture(&a, &out b, |stream, a, b| { … })";

/// The statement that stands here, if it is one of these.
pub(super) fn call(input: ParseStream<'_>) -> Parsed<Option<StatementKind>> {
    let Some((name, next)) = input.cursor().ident() else { return Ok(None) };
    let form = match name.to_string().as_str() {
        "host" => HOST,
        "capture" => CAPTURE,
        "record" => "record(&event)",
        "wait" => "wait(&event)",
        _ => return Ok(None),
    };
    if !at_group(next, Delimiter::Parenthesis) {
        return Ok(None);
    }
    input.parse::<Ident>()?;
    let (_, content) = parentheses(input)?;
    if content.is_empty() {
        return Err(expected(&content, form));
    }
    let kind = match name.to_string().as_str() {
        "host" => StatementKind::Host(closure_call(&content, name, form)?),
        "capture" => StatementKind::Capture(closure_call(&content, name, form)?),
        _ => event(&content, name, form)?,
    };
    finished(&content, "`)`").map_err(|fault| fault.help(format!("write `{form}`")))?;
    Ok(Some(kind))
}

fn expected(content: ParseStream<'_>, form: &str) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, next_span(content), format!("expected `{form}`"))
}

/// Arguments, the closure, and for a capture `cpu = |…| …` behind it.
fn closure_call(content: ParseStream<'_>, word: Ident, form: &str) -> Parsed<Call> {
    let mut arguments = Vec::new();
    while content.peek(Token![&]) {
        arguments.push(passed(content, &word)?);
        comma(content, form)?;
    }
    let closure = closure(content, form)?;
    let stream = usize::from(word == "capture");
    counted(&closure, arguments.len() + stream, if stream == 1 { "the stream and " } else { "" })?;
    last_comma(content);
    let cpu = cpu(content, &word)?;
    if let Some(cpu) = &cpu {
        counted(cpu, arguments.len(), "")?;
        last_comma(content);
    }
    Ok(Call { word, loaded: false, arguments, closure, cpu })
}

/// What a closure can be given: not what only kernels can do.
fn passed(content: ParseStream<'_>, word: &Ident) -> Parsed<BufferArgument> {
    let argument = argument::buffer(content)?;
    if argument.mode.kind != Kind::Atomic {
        return Ok(argument);
    }
    let (span, name) = (argument.mode.word.unwrap_or(argument.mode.ampersand), &argument.name);
    let fault = Diagnostic::error(Code::SYNTAX, span, format!("`{word}` is given `&atomic {name}`"));
    Err(fault.note("`&atomic` is for kernels").help(format!("write `&mut {name}`")))
}

fn closure(content: ParseStream<'_>, form: &str) -> Parsed<Closure> {
    let starts = content.peek(Token![|]) || content.peek(Token![||]) || content.peek(Token![move]);
    if !starts {
        return Err(expected(content, form));
    }
    let span = next_span(content);
    match strict(content, <Expr as syn::parse::Parse>::parse)? {
        Expr::Closure(ExprClosure { asyncness: None, inputs, output, body, .. }) => {
            Ok(Closure { parameters: inputs.into_iter().collect(), output, body, span })
        }
        other => Err(Diagnostic::error(Code::SYNTAX, other.span(), "expected a closure that is not `async`")),
    }
}

/// One parameter for each argument.
fn counted(closure: &Closure, wanted: usize, first: &str) -> Parsed<()> {
    let found = closure.parameters.len();
    if found == wanted {
        return Ok(());
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let message = format!("the closure takes {found} parameter{} and is given {wanted}", plural(found));
    let span = closure.parameters.last().map_or(closure.span, Pat::span);
    let note = format!("a closure takes {first}one parameter for each argument, in their order");
    Err(Diagnostic::error(Code::SYNTAX, span, message).note(note))
}

/// `cpu = |a, c| …`
fn cpu(content: ParseStream<'_>, statement: &Ident) -> Parsed<Option<Closure>> {
    if !at_word(content, "cpu") {
        return Ok(None);
    }
    if statement == "host" {
        let fault = Diagnostic::error(Code::SYNTAX, content.span(), "a host callback is the same on every device");
        return Err(fault.help("remove `cpu = …`"));
    }
    word(content, "cpu");
    content.parse::<Token![=]>()?;
    closure(content, "cpu = |a, b| { … }").map(Some)
}

/// `record(&e)`, `wait(&e, &x, &y)`
fn event(content: ParseStream<'_>, word: Ident, form: &str) -> Parsed<StatementKind> {
    let mut arguments = Vec::new();
    while !content.is_empty() {
        let argument = argument::buffer(content)?;
        if argument.mode.kind != Kind::Read {
            let (span, name) = (argument.mode.word.unwrap_or(argument.mode.ampersand), &argument.name);
            let fault = Diagnostic::error(Code::SYNTAX, span, format!("expected `&{name}`"));
            return Err(fault.note(format!("`{word}` orders the uses of a buffer and touches none of its elements")));
        }
        arguments.push(argument);
        if !content.is_empty() {
            content.parse::<Token![,]>().map_err(|_| expected(content, form))?;
        }
    }
    let event = arguments.remove(0);
    match event.range {
        Some(range) => Err(Diagnostic::error(Code::SYNTAX, range.span, "an event has no elements")),
        None => Ok(StatementKind::Event { word, event: event.name, buffers: arguments }),
    }
}

fn comma(content: ParseStream<'_>, form: &str) -> Parsed<()> {
    if content.is_empty() || !content.peek(Token![,]) {
        return Err(expected(content, form));
    }
    content.parse::<Token![,]>()?;
    if content.is_empty() { Err(expected(content, form)) } else { Ok(()) }
}

fn last_comma(content: ParseStream<'_>) {
    // One is allowed; if there is none, that is fine too.
    let _ = content.parse::<Option<Token![,]>>();
}
