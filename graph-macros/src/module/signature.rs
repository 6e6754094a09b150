//! A kernel's declaration: `pub fn sweep(b: &[f32; n], next: Out<[f32; n]>, n: u32)`.

use std::collections::HashSet;

use graph_ir::code::Code;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Abi, Attribute, Generics, LitStr, Receiver, ReturnType, Token, Type, Visibility};

use super::ast::{Facts, Form, Kernel, Parameter, Symbol};
use super::settings::Settings;
use super::{early, form, length, level};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Whether a function stands here, behind its attributes and its visibility.
pub(super) fn is_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while ahead.peek(Token![const])
        || ahead.peek(Token![async])
        || ahead.peek(Token![unsafe])
        || ahead.peek(Token![extern])
    {
        if ahead.parse::<TokenTree>().is_err() {
            return false;
        }
        if ahead.peek(LitStr) {
            // The ABI behind `extern`.
            let _ = ahead.parse::<LitStr>();
        }
    }
    ahead.peek(Token![fn])
}

/// Whether the function that stands here is a kernel: all are but private ones with a body and parameters like any Rust function's.
pub(super) fn is_kernel(input: ParseStream<'_>, visibility: &Visibility) -> bool {
    if !matches!(visibility, Visibility::Inherited) {
        return true;
    }
    let Ok(function) = input.fork().parse::<syn::ItemFn>() else { return true };
    let types: Vec<&Type> = function
        .sig
        .inputs
        .iter()
        .filter_map(|input| match input {
            syn::FnArg::Typed(input) => Some(&*input.ty),
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    let names = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(syn::PatType { pat, .. }) => match &**pat {
            syn::Pat::Ident(name) => Some(name.ident.to_string()),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    let names: Vec<String> = names.collect();
    types.iter().any(|ty| form::is_of_a_kernel(ty, &names))
}

/// The kernel that stands here. Faults that leave its parameters known are reported; an `Err` is one after which nothing is known.
pub(super) fn kernel(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> syn::Result<Kernel> {
    let mut attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    let mut faults = Diagnostics::default();
    let settings = Settings::take(&mut attributes, &mut faults);
    let unread = level::take(&mut attributes);
    qualifiers(input, &mut faults)?;
    input.parse::<Token![fn]>()?;
    let name: Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    refuse_lifetimes(&generics, &mut faults);
    let list: Group = parenthesized(input)?;
    let mut parameters = parameters(list.stream(), &settings, &mut faults);
    refuse_return(&input.parse()?, &mut faults);
    generics.where_clause = input.parse()?;
    let body = body(input, &name, &mut faults)?;
    refuse_duplicates(&mut parameters, &mut faults);
    refuse_conditions(&mut parameters, &mut faults);
    length::check(&mut parameters, &mut faults);
    early::check(&settings, &parameters, &mut faults);
    let broken = faults.has_error();
    diagnostics.extend(faults);
    let (symbol, facts) = (Symbol::Plain, Facts::default());
    Ok(Kernel { attributes, visibility, name, generics, settings, unread, symbol, facts, parameters, body, broken })
}

fn parenthesized(input: ParseStream<'_>) -> syn::Result<Group> {
    if input.peek(syn::token::Paren) { input.parse() } else { Err(input.error("expected `(`")) }
}

fn body(input: ParseStream<'_>, name: &Ident, faults: &mut Diagnostics) -> syn::Result<Option<Group>> {
    if input.peek(syn::token::Brace) {
        return input.parse().map(Some);
    }
    if input.parse::<Option<Token![;]>>()?.is_none() {
        let fault = format!("expected `;` or a body for the CPU behind the declaration of `{name}`");
        faults.push(Diagnostic::plain(if input.is_empty() { name.span() } else { input.span() }, fault));
    }
    Ok(None)
}

/// `const`, `async`, `unsafe`, `extern "C"`.
fn qualifiers(input: ParseStream<'_>, faults: &mut Diagnostics) -> syn::Result<()> {
    let mut refuse = |span: Span, word: &str, note: &str| {
        let fault = Diagnostic::error(Code::DECLARATION, span, format!("a kernel's declaration cannot be `{word}`"));
        faults.push(fault.note(note).help(format!("remove `{word}`")));
    };
    if let Some(word) = input.parse::<Option<Token![const]>>()? {
        refuse(word.span(), "const", "a kernel runs on the device, when its graph is launched");
    }
    if let Some(word) = input.parse::<Option<Token![async]>>()? {
        refuse(word.span(), "async", "launches of graphs are asynchronous already");
    }
    if let Some(word) = input.parse::<Option<Token![unsafe]>>()? {
        refuse(word.span(), "unsafe", "the `unsafe` of the module is the promise for all its kernels");
    }
    if let Some(abi) = input.parse::<Option<Abi>>()? {
        refuse(abi.span(), "extern", "all kernels are called in CUDA's own way");
    }
    Ok(())
}

fn refuse_lifetimes(generics: &Generics, faults: &mut Diagnostics) {
    if let Some(lifetime) = generics.lifetimes().next() {
        let lifetime = &lifetime.lifetime;
        let fault = Diagnostic::error(Code::DECLARATION, lifetime.span(), "a kernel has no lifetimes");
        faults.push(fault.help(format!("remove `{lifetime}`")));
    }
}

/// A loop has one condition.
fn refuse_conditions(parameters: &mut [Parameter], faults: &mut Diagnostics) {
    let mut first: Option<Span> = None;
    for parameter in parameters {
        let Form::Condition(span) = parameter.form else { continue };
        if let Some(first) = first {
            let fault = Diagnostic::error(Code::DECLARATION, span, "a kernel has one condition at most");
            faults.push(fault.note_at(first, "the first one is here"));
            parameter.form = Form::Unknown;
        }
        first = first.or(Some(span));
    }
}

fn refuse_return(output: &ReturnType, faults: &mut Diagnostics) {
    let ReturnType::Type(arrow, ty) = output else { return };
    if matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()) {
        return;
    }
    faults.push(
        Diagnostic::error(Code::DECLARATION, arrow.span(), "a kernel returns nothing")
            .help("write the result to a buffer: `result: Out<[f32; 1]>`"),
    );
}

/// Faults in one parameter leave the others, and their number, known.
fn parameters(list: TokenStream, settings: &Settings, faults: &mut Diagnostics) -> Vec<Parameter> {
    let measured = settings.measured();
    let mut parameters = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let span = input.span();
            let parsed = parameter(input, &measured, faults);
            let known = parsed.is_ok();
            parameters.push(parsed.unwrap_or_else(|fault| {
                faults.push(fault);
                let name = Ident::new(&format!("__unknown{}", parameters.len()), span);
                Parameter { attributes: Vec::new(), mutable: None, name, form: Form::Unknown }
            }));
            skip(input, known, faults);
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(list) {
        faults.push(error.into());
    }
    parameters
}

/// Past the comma behind a parameter.
fn skip(input: ParseStream<'_>, report: bool, faults: &mut Diagnostics) {
    if report && !input.is_empty() && !input.peek(Token![,]) {
        faults.push(Diagnostic::plain(input.span(), "expected `,`"));
    }
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
    // Absent at the end of the list.
    let _ = input.parse::<Option<Token![,]>>();
}

fn parameter(
    input: ParseStream<'_>,
    measured: &HashSet<String>,
    faults: &mut Diagnostics,
) -> Result<Parameter, Diagnostic> {
    let attributes = input.call(Attribute::parse_outer)?;
    if let Some(dots) = input.parse::<Option<Token![...]>>()? {
        return Err(Diagnostic::error(Code::DECLARATION, dots.span(), "a kernel's parameters must all be named")
            .help("declare each parameter: `name: type`"));
    }
    if input.fork().parse::<Receiver>().is_ok() {
        return Err(Diagnostic::error(Code::DECLARATION, input.span(), "a kernel has no `self`")
            .help("declare what the kernel receives: `x: &[f32; n], n: u32`"));
    }
    let mutable = input.parse()?;
    if !input.peek(syn::Ident) || input.peek2(Token![::]) {
        return Err(Diagnostic::error(Code::DECLARATION, input.span(), "expected the name of a parameter")
            .note("errors, plans and lengths speak of parameters by name"));
    }
    let name: Ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let form = form::parse(input, &name, measured.contains(&name.to_string()), faults).map_err(|fault| *fault)?;
    Ok(Parameter { attributes, mutable, name, form })
}

/// The second gets another name, so that rustc does not report it again.
fn refuse_duplicates(parameters: &mut [Parameter], faults: &mut Diagnostics) {
    for index in 0..parameters.len() {
        let (before, behind) = parameters.split_at_mut(index);
        let Some(parameter) = behind.first_mut() else { continue };
        let Some(first) = before.iter().find(|other| other.name == parameter.name) else { continue };
        faults.push(
            Diagnostic::error(
                Code::DUPLICATE_NAME,
                parameter.name.span(),
                format!("two parameters are named `{}`", parameter.name),
            )
            .note_at(first.name.span(), "the first one is here"),
        );
        parameter.name = Ident::new(&format!("__duplicate{index}"), parameter.name.span());
    }
}
