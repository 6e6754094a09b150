//! The forms of a kernel's parameter: four of a buffer, and anything that is passed by value.

use graph_ir::code::Code;
use graph_ir::model::Mode;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, PointerMutability, Token, Type, TypePath};

use super::ast::{Ends, Form};
use super::attribute::not_yet;
use super::length::Length;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lower::text;

type Parsed = Result<Form, Box<Diagnostic>>;

/// The type behind `name:`.
/// `measured`: a requirement speaks of the buffer's length, which may then be left out.
pub(super) fn parse(input: ParseStream<'_>, name: &Ident, measured: bool, faults: &mut Diagnostics) -> Parsed {
    if let Some(fault) = mode_of_an_argument(input, name) {
        return Err(Box::new(fault));
    }
    let ty: Type = input.parse().map_err(|error| Box::new(Diagnostic::from(error)))?;
    of(&ty, name, measured, faults)
}

/// `&out [f32; n]` is how an argument is written, not a parameter.
fn mode_of_an_argument(input: ParseStream<'_>, name: &Ident) -> Option<Diagnostic> {
    let (_, next) = input.peek(Token![&]).then(|| input.cursor().punct())??;
    let (word, next) = next.ident()?;
    let (list, _, _) = next.group(proc_macro2::Delimiter::Bracket)?;
    let wrapper = match word.to_string().as_str() {
        "out" => "Out",
        "atomic" => "Atomic",
        _ => return None,
    };
    let inner = text::of(&list.token_stream());
    Some(
        Diagnostic::error(
            Code::DECLARATION,
            word.span(),
            format!("`&{word}` is the mode of an argument, not of a parameter"),
        )
        .help(format!("declare it as `{name}: {wrapper}<[{inner}]>`")),
    )
}

/// Whether a private function with such a parameter is meant as a kernel.
pub(super) fn is_of_a_kernel(ty: &Type, parameters: &[String]) -> bool {
    match bare(ty) {
        Type::Reference(reference) => match bare(&reference.elem) {
            inner if listed(inner).is_some() => true,
            Type::Array(array) => text::identifiers(&array.len).iter().any(|name| parameters.contains(name)),
            _ => false,
        },
        Type::Path(path) => wrapper(path)
            .is_some_and(|(_, argument)| matches!(bare(argument), Type::Array(_)) || listed(argument).is_some()),
        _ => false,
    }
}

fn of(ty: &Type, name: &Ident, measured: bool, faults: &mut Diagnostics) -> Parsed {
    match bare(ty) {
        Type::Reference(reference) => {
            if let Some(lifetime) = &reference.lifetime {
                return refuse(
                    lifetime.span(),
                    "a kernel's parameter needs no lifetime",
                    format!("remove `{lifetime}`"),
                );
            }
            let mode = if reference.mutability.is_some() { Mode::Update } else { Mode::Read };
            buffer(Contents { mode, inner: &reference.elem, measured }, ty, name, faults)
        }
        Type::Path(path) => of_path(path, ty, name, measured, faults),
        Type::Ptr(pointer) => {
            let mode = if matches!(pointer.mutability, PointerMutability::Mut(_)) { Mode::Update } else { Mode::Read };
            let cure = declaration(mode, name, &text::of(&pointer.elem));
            refuse(pointer.star_token.span(), "a pointer does not say what the kernel touches", cure)
        }
        Type::Slice(slice) => {
            let cure = declaration(Mode::Read, name, &text::of(&slice.elem));
            refuse(slice.bracket_token.span.join(), "a buffer needs a mode", cure)
        }
        Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_) | Type::Never(_) | Type::Infer(_) => {
            Err(Box::new(expected(first(ty)).note("a value is plain data: a number, `bool`, or an array of them")))
        }
        _ => Ok(Form::Value(Box::new(ty.clone()))),
    }
}

fn of_path(path: &TypePath, ty: &Type, name: &Ident, measured: bool, faults: &mut Diagnostics) -> Parsed {
    let Some(last) = path.path.segments.last() else { return Ok(Form::Value(Box::new(ty.clone()))) };
    match (last.ident.to_string().as_str(), wrapper(path)) {
        (_, Some((mode, contents))) => buffer(Contents { mode, inner: contents, measured }, ty, name, faults),
        ("List", _) if let Some(element) = listed(ty) => {
            let element = text::of(element);
            let cure = format!(
                "write it as `{name}: &List<[{element}]>`, `&mut List<…>`, `Out<List<…>>` or `Atomic<List<…>>`"
            );
            refuse(last.ident.span(), "a list needs a mode", cure)
        }
        ("Condition", _) if path.path.segments.len() == 1 => Ok(Form::Condition(last.ident.span())),
        (word @ ("Out" | "Atomic"), None) => {
            let wrong = format!("`{word}` does not say of what");
            refuse(
                last.ident.span(),
                &wrong,
                format!("write it as `{name}: {word}<[f32; n]>`, where `n` is a value parameter"),
            )
        }
        _ => Ok(Form::Value(Box::new(ty.clone()))),
    }
}

/// `Out<X>` or `Atomic<X>`, with the mode and `X`.
fn wrapper(path: &TypePath) -> Option<(Mode, &Type)> {
    let last = path.path.segments.last()?;
    let mode = match last.ident.to_string().as_str() {
        "Out" => Mode::Overwrite,
        "Atomic" => Mode::Atomic,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(argument)) if arguments.args.len() == 1 => Some((mode, argument)),
        _ => None,
    }
}

/// The element of `List<[T]>`.
fn listed(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = bare(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "List")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Slice(slice))) if arguments.args.len() == 1 => Some(&slice.elem),
        _ => None,
    }
}

/// What stands behind a mode.
#[derive(Clone, Copy)]
struct Contents<'a> {
    mode: Mode,
    inner: &'a Type,
    measured: bool,
}

/// A buffer with these contents: `[T; length]`.
fn buffer(of: Contents<'_>, ty: &Type, name: &Ident, faults: &mut Diagnostics) -> Parsed {
    let Contents { mode, inner: contents, measured } = of;
    let spans = Ends { first: first(ty), last: last(ty) };
    if let Some(element) = listed(contents) {
        return Ok(Form::List { mode, element: Box::new(element.clone()), spans });
    }
    match bare(contents) {
        Type::Array(array) => {
            let length = Some(Box::new(Length::new(array.len.clone()).map_err(Box::new)?));
            if mode == Mode::Atomic && length.as_ref().is_some_and(|length| length.dimensions() > 1) {
                let fault = not_yet(array.len.span(), "an `Atomic` buffer with a shape");
                return Err(Box::new(fault.help("declare the number of elements: `Atomic<[T; h * w]>`")));
            }
            Ok(Form::Buffer { mode, element: array.elem.clone(), length, spans })
        }
        Type::Slice(slice) if measured => Ok(Form::Buffer { mode, element: slice.elem.clone(), length: None, spans }),
        Type::Slice(slice) => {
            let cure = declaration(mode, name, &text::of(&slice.elem));
            let headline = format!("buffer `{name}` has no length");
            faults.push(
                Diagnostic::error(Code::DECLARATION, slice.bracket_token.span.join(), headline)
                    .note("the length says how many elements the kernel touches, in its own value parameters")
                    .help(cure),
            );
            Ok(Form::Buffer { mode, element: slice.elem.clone(), length: None, spans })
        }
        other => Err(Box::new(expected(first(other)).help(declaration(mode, name, &text::of(other))))),
    }
}

/// `write it as …`
fn declaration(mode: Mode, name: &Ident, element: &str) -> String {
    let form = match mode {
        Mode::Read => format!("&[{element}; n]"),
        Mode::Update => format!("&mut [{element}; n]"),
        Mode::Overwrite => format!("Out<[{element}; n]>"),
        Mode::Atomic => format!("Atomic<[{element}; n]>"),
    };
    format!("write it as `{name}: {form}`, where `n` is a value parameter")
}

fn expected(span: Span) -> Diagnostic {
    let forms = "expected `&[T; n]`, `&mut [T; n]`, `Out<[T; n]>`, `Atomic<[T; n]>` or a value";
    Diagnostic::error(Code::DECLARATION, span, forms)
}

fn refuse(span: Span, message: &str, help: String) -> Parsed {
    Err(Box::new(Diagnostic::error(Code::DECLARATION, span, message).help(help)))
}

/// Without parentheses and invisible groups.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(inner) => bare(&inner.elem),
        Type::Paren(inner) => bare(&inner.elem),
        other => other,
    }
}

fn first(ty: &Type) -> Span {
    ty.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

fn last(ty: &Type) -> Span {
    let tokens: TokenStream = ty.to_token_stream();
    tokens.into_iter().last().map_or_else(Span::call_site, |token| match token {
        proc_macro2::TokenTree::Group(group) => group.span_close(),
        token => token.span(),
    })
}
