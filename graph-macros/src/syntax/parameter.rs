//! A graph's parameters. A type that starts with `&` is a buffer, one that starts with `[&` a list, anything else a host value; so
//! `d: [u32; 3]` is a value.

use graph_ir::code::Code;
use graph_ir::model::Mode as Kind;
use proc_macro2::{Delimiter, Span};
use quote::ToTokens as _;
use rustc_hash::{FxHashMap, FxHashSet};
use syn::buffer::Cursor;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, Token, Type};

use super::ast::{Mode, Parameter, ParameterKind};
use super::stream::{at_group, at_word, between, brackets, finished, next_span, strict_as, word};
use super::transient::buffer_type;
use super::{Parsed, Parser, argument, bounded, recovery};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Those that can be parsed; the others are reported and their names kept.
    pub(super) fn parameters(&mut self, content: ParseStream<'_>) -> Vec<Parameter> {
        let (mut parameters, mut known) = (Vec::new(), Known::new());
        while !content.is_empty() {
            let begin = content.cursor();
            match self.parameter(content) {
                Ok(Some(parameter)) => parameters.extend(self.kept(parameter, &mut known)),
                Ok(None) => {}
                Err(fault) => {
                    self.diagnostics.push(fault);
                    recovery::advance(content, |cursor| past_parameter(cursor, begin == cursor));
                    self.keep_names(between(begin, content.cursor()));
                }
            }
        }
        parameters
    }

    /// Without a second one of the same name: rustc would report each of its methods.
    fn kept(&mut self, parameter: Parameter, known: &mut Known) -> Option<Parameter> {
        if let Some(first) = known.names.get(&parameter.name.to_string()) {
            self.diagnostics.push(duplicate(&parameter.name, first));
            return None;
        }
        let methods = methods(&parameter);
        if let Some(method) = methods.iter().find(|method| known.methods.contains(*method)) {
            let message = format!("the graph would have two methods named `{method}`");
            let fault = Diagnostic::error(Code::DUPLICATE_NAME, parameter.name.span(), message);
            self.diagnostics.push(
                fault
                    .note("a buffer `x` has the methods `x`, `x_mut` and `rebind_x`, a host value `n` has `set_n`")
                    .help("rename the parameter"),
            );
            self.salvage.push(parameter.name);
            return None;
        }
        known.names.insert(parameter.name.to_string(), parameter.name.clone());
        known.methods.extend(methods);
        Some(parameter)
    }

    fn parameter(&mut self, input: ParseStream<'_>) -> Parsed<Option<Parameter>> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        let attributes = self.accept(attributes);
        let name: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let less = self.less(input, &name)?;
        let (less, meant) = less.map_or((None, None), |(ty, bound)| (Some(ty), Some(bound)));
        let (mut kind, mut listed, lists) = match (less, list(input)) {
            (Some(ty), _) => (ParameterKind::Value(Box::new(ty)), None, 0),
            (None, Some(depth)) => (listed_buffer(input, depth)?, None, depth),
            (None, None) if input.peek(Token![&]) => (buffer(input)?, None, 0),
            (None, None) => (ParameterKind::Value(Box::new(value(input)?)), None, 0),
        };
        if let ParameterKind::Value(ty) = &mut kind
            && let Type::Slice(slice) = &**ty
        {
            let element = slice.elem.clone();
            **ty = syn::parse_quote_spanned!(ty.span()=> ::std::vec::Vec<#element>);
            listed = Some(element);
        }
        let bound = if meant.is_some() { meant } else { bounded::bound(input)? };
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let parameter = Parameter { attributes, name, kind, listed, bound, lists, structure: false };
        Ok(there.then_some(parameter))
    }
}

/// What the parameters so far have taken.
struct Known {
    names: FxHashMap<String, Ident>,
    methods: FxHashSet<String>,
}

impl Known {
    fn new() -> Self {
        Self { names: FxHashMap::default(), methods: OWN_METHODS.map(str::to_owned).into_iter().collect() }
    }
}

/// The methods of every graph that a parameter's would hide.
const OWN_METHODS: [&str; 16] = [
    "outline",
    "into_parts",
    "launch",
    "launch_on",
    "launch_on_raw",
    "ticket",
    "synchronize",
    "run_eager",
    "iterations",
    "exit",
    "plan",
    "timings",
    "memory",
    "enable",
    "disable",
    "is_enabled",
];

/// The methods that a graph has for a parameter.
fn methods(parameter: &Parameter) -> Vec<String> {
    let name = parameter.name.unraw();
    match parameter.kind {
        ParameterKind::Value(_) if parameter.listed.is_some() => vec![format!("set_{name}"), format!("set_all_{name}")],
        ParameterKind::Value(_) => vec![format!("set_{name}")],
        ParameterKind::Reference { .. } | ParameterKind::Event(_) => Vec::new(),
        ParameterKind::Buffer { .. } => {
            let of_structs = ["rebind_in", "rebind_all"].map(|word| format!("{word}_{name}"));
            let own = [name.to_string(), format!("{name}_mut"), format!("rebind_{name}")];
            own.into_iter()
                .chain(of_structs.into_iter().filter(|_| parameter.lists > 0 || parameter.structure))
                .collect()
        }
    }
}

/// The methods of a graph with these parameters.
pub(crate) fn graph_methods(parameters: &[Parameter]) -> Vec<String> {
    parameters.iter().flat_map(methods).chain(OWN_METHODS.map(str::to_owned)).collect()
}

/// One name for two parameters, or for two graphs.
pub(super) fn duplicate(name: &Ident, first: &Ident) -> Diagnostic {
    Diagnostic::error(Code::DUPLICATE_NAME, name.span(), format!("`{name}` is declared twice"))
        .note_at(first.span(), format!("`{name}` is first declared here"))
        .help("rename one of them")
}

fn value(input: ParseStream<'_>) -> Parsed<Type> {
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Diagnostic::error(Code::SYNTAX, input.span(), "expected the type of the parameter")
            .note("a buffer is `&[T; n]`, `&mut [T; n]` or `&out [T; n]`; any other type is a host value"));
    }
    strict_as::<Type>(input)
}

/// How many lists are around the `&` of `[&[T]]`, `[[&mut [T]]]`; none if this is no list of buffers.
fn list(input: ParseStream<'_>) -> Option<usize> {
    let (mut inside, _, _) = input.cursor().group(Delimiter::Bracket)?;
    let mut depth = 1;
    while let Some((nested, _, _)) = inside.group(Delimiter::Bracket) {
        inside = nested;
        depth += 1;
    }
    inside.punct().is_some_and(|(punct, _)| punct.as_char() == '&').then_some(depth)
}

fn listed_buffer(input: ParseStream<'_>, depth: usize) -> Parsed<ParameterKind> {
    let (_, content) = brackets(input)?;
    let kind = if depth > 1 { listed_buffer(&content, depth - 1)? } else { buffer(&content)? };
    if let ParameterKind::Buffer { memory: Some(word), .. } = &kind
        && word == "mailbox"
    {
        let fault = Diagnostic::error(Code::NOT_YET, word.span(), "a list of mailboxes is not supported yet");
        return Err(fault.help("declare one mailbox with several elements: `&mut mailbox [T; n]`"));
    }
    finished(&content, "`]`")?;
    Ok(kind)
}

/// `&[T; n]`, `&mut host [T; n]`, `&out [T]`.
fn buffer(input: ParseStream<'_>) -> Parsed<ParameterKind> {
    let mode = argument::type_mode(input)?;
    if mode.kind == Kind::Atomic {
        let fault =
            Diagnostic::error(Code::SYNTAX, mode.word.unwrap_or(mode.ampersand), "a parameter cannot be `&atomic`");
        return Err(fault.help("a buffer that kernels update is `&mut [T; n]`; `&atomic` is written at the launch"));
    }
    let kind = ["host", "mailbox"].into_iter().find(|kind| at_word(input, kind) && opens_bracket(input));
    let memory = kind.and_then(|kind| word(input, kind));
    if let (Some(memory), Kind::Overwrite) = (memory.as_ref().filter(|memory| *memory == "mailbox"), mode.kind) {
        let fault = Diagnostic::error(Code::SYNTAX, mode.word.unwrap_or(mode.ampersand), "a mailbox cannot be `&out`");
        return Err(fault
            .note_at(memory.span(), "the host may look at it before the graph has written it")
            .help("declare it `&mut mailbox [T; n]`"));
    }
    if !at_group(input.cursor(), Delimiter::Bracket) {
        return reference(input, mode);
    }
    let (_, content) = brackets(input)?;
    let (element, length) = buffer_type(&content)?;
    if memory.as_ref().is_some_and(|memory| memory == "mailbox")
        && NEVER_WHOLE.iter().any(|name| is_named(&element, name))
    {
        let message = format!("`{}` cannot be the element of a mailbox", element.to_token_stream());
        return Err(Diagnostic::error(Code::SYNTAX, element.span(), message)
            .note("host and device look at it at once, so it must be a number that both read and write as a whole")
            .help("use `u32`, `i32`, `f32`, `u64`, `i64` or `f64`"));
    }
    Ok(ParameterKind::Buffer { mode, memory, element, length })
}

/// Types that no mailbox has as elements; rustc looks at what is no primitive.
const NEVER_WHOLE: [&str; 10] = ["u8", "i8", "u16", "i16", "u128", "i128", "usize", "isize", "bool", "char"];

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

/// Whether `[` follows the next token.
fn opens_bracket(input: ParseStream<'_>) -> bool {
    input.cursor().ident().is_some_and(|(_, next)| at_group(next, Delimiter::Bracket))
}

/// `&Logger`, `&mut Comm`, `&Event`, or something that is no parameter at all.
fn reference(input: ParseStream<'_>, mode: Mode) -> Parsed<ParameterKind> {
    let span = next_span(input);
    let named = input.peek(Ident::peek_any);
    let Ok(Type::Path(path)) = input.fork().parse::<Type>() else { return Err(expected_buffer(span)) };
    if !named {
        return Err(expected_buffer(span));
    }
    if mode.kind == Kind::Overwrite {
        let fault = Diagnostic::error(Code::SYNTAX, mode.word.unwrap_or(span), "an object cannot be `&out`");
        return Err(fault.help("an object of the host's is `&T`, or `&mut T` if its uses must keep their order"));
    }
    let event = path.path.segments.last().is_some_and(|last| last.ident == "Event" && last.arguments.is_none());
    let ty = Box::new(strict_as::<Type>(input)?);
    if !event {
        return Ok(ParameterKind::Reference { mutable: mode.kind == Kind::Update, ty });
    }
    match mode.word {
        Some(word) => Err(Diagnostic::error(Code::SYNTAX, word, "an event is `&Event`").help("remove `mut`")),
        None => Ok(ParameterKind::Event(ty)),
    }
}

fn expected_buffer(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, span, "expected a buffer's type behind `&`").note(
        "a buffer is `&[T; n]`, `&mut [T; n]` or `&out [T; n]`, with `host` in front of `[` for pinned host memory, \
         with `mailbox` for elements that the host looks at meanwhile, or without `; n` for any length",
    )
}

/// Past the comma behind which the next parameter, `name: …`, begins.
fn past_parameter(mut cursor: Cursor<'_>, at_start: bool) -> Cursor<'_> {
    let mut behind_comma = false;
    let mut first = at_start;
    while let Some((token, next)) = cursor.token_tree() {
        if behind_comma && !first && begins_parameter(cursor) {
            return cursor;
        }
        first = false;
        behind_comma = matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ',');
        cursor = next;
    }
    cursor
}

/// `name:` or `#[…]`.
fn begins_parameter(cursor: Cursor<'_>) -> bool {
    let colon = |next: Cursor<'_>| next.punct().is_some_and(|(punct, _)| punct.as_char() == ':');
    cursor.ident().is_some_and(|(_, next)| colon(next))
        || cursor.punct().is_some_and(|(punct, _)| punct.as_char() == '#')
}
