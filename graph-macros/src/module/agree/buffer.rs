//! Buffers against pointers: `const`, and what they point to.

use graph_ir::model::Mode;
use syn::Type as RustType;

use super::super::ast::{Kernel, Parameter as Declared};
use super::super::written::{Class, Parameter, Scalar, Type};
use super::declared::{Known, known};
use super::size::{Rule, Size};
use super::value::class;
use super::{Answer, fault};
use crate::diagnostic::Diagnostic;

/// `&` for what the file may write, and the other way round.
pub(super) fn mode(declared: &Declared, mode: Mode, written: &Parameter) -> Option<Diagnostic> {
    let Type::Pointer { constant: Some(constant), .. } = written.ty else { return None };
    let name = &declared.name;
    let (message, help) = match (mode, constant) {
        (Mode::Read, false) => (
            format!("`{name}` is only read here, and the kernel file may write it"),
            format!("write `const` in front of the pointer's type in the file, or declare `{name}` as `&mut` or `Out`"),
        ),
        (Mode::Update | Mode::Overwrite | Mode::Atomic, true) => (
            format!("`{name}` is written here, and `const` in the kernel file"),
            format!("declare it as `{name}: &[…]`, or take `const` away in the file"),
        ),
        _ => return None,
    };
    Some(fault(declared, written, message).help(help))
}

pub(super) fn elements(declared: &Declared, element: &RustType, written: &Parameter, kernel: &Kernel) -> Answer {
    let name = &declared.name;
    let other = match &written.ty {
        Type::Pointer { to, .. } => &**to,
        Type::Void | Type::Open | Type::Bytes(8) => return Answer::Yes,
        Type::Struct { layout } if layout.is_none_or(|layout| layout.bytes == 8) => return Answer::Yes,
        Type::Scalar(scalar) => {
            let message =
                format!("`{name}` is a buffer here, and a number of {} bytes in the kernel file", scalar.bytes);
            return Answer::No(message, as_number(declared, *scalar));
        }
        ty => {
            let bytes = ty.bytes().unwrap_or_default();
            let message = format!("`{name}` is a buffer here, and {bytes} bytes by value in the kernel file");
            return Answer::No(message, "declare the value, or take a pointer in the file".to_owned());
        }
    };
    match known(element, &kernel.generics) {
        Known::Scalar(scalar) | Known::Array(scalar, _) => scalars(declared, scalar, other),
        Known::Parameter => Answer::Yes,
        Known::Other => size(declared, element, other, written),
    }
}

fn as_number(declared: &Declared, scalar: Scalar) -> String {
    match scalar.rust() {
        Some(ty) => format!("declare the number, `{}: {ty}`, or take a pointer in the file", declared.name),
        None => "declare the number, or take a pointer in the file".to_owned(),
    }
}

/// Elements that are made of one scalar, on both sides.
fn scalars(declared: &Declared, scalar: Scalar, other: &Type) -> Answer {
    let (one, fits) = match other {
        Type::Scalar(one) => (*one, one.holds(scalar) || one.class == Class::Bool && scalar.bytes == 1),
        // Integers may hold the bits of several.
        Type::Vector(one, count) => {
            let bits = matches!(scalar.class, Class::Unsigned | Class::Signed)
                && (one.bytes * count).is_multiple_of(scalar.bytes);
            (*one, one.holds(scalar) || bits)
        }
        _ => return Answer::Yes,
    };
    if fits {
        return Answer::Yes;
    }
    let name = &declared.name;
    let message = if one.bytes == scalar.bytes {
        format!("an element of `{name}` is {} here, and {} in the kernel file", class(scalar), class(one))
    } else {
        format!("an element of `{name}` has {} bytes, and {} in the kernel file", scalar.bytes, one.bytes)
    };
    let help = match one.rust() {
        Some(ty) => format!("declare its elements as `{ty}`"),
        None => "declare the file's elements".to_owned(),
    };
    Answer::No(message, help)
}

/// A struct of the user's against the file's; plain numbers in the file may be its fields.
fn size(declared: &Declared, element: &RustType, other: &Type, written: &Parameter) -> Answer {
    let (bytes, rule) = match other {
        Type::Struct { layout: Some(layout) } => (layout.bytes, Rule::Equal),
        Type::Scalar(one) | Type::Vector(one, _) if one.bytes > 1 => (one.bytes, Rule::Multiple),
        _ => return Answer::Yes,
    };
    Answer::Size(Box::new(Size::new(element, bytes, rule, &format!("an element of `{}`", declared.name), written)))
}
