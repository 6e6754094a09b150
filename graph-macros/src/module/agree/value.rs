//! What is passed by value against the file's parameter: class and size.

use syn::Type as RustType;

use super::super::ast::{Kernel, Parameter as Declared};
use super::super::written::{Class, Parameter, Scalar, Type};
use super::declared::{Known, known};
use super::size::{Rule, Size};
use super::{Answer, declaration};

/// Bytes of a list's table.
const LIST: u64 = 16;

pub(super) fn of(declared: &Declared, ty: &RustType, written: &Parameter, kernel: &Kernel) -> Answer {
    let wrong = |what: String| Answer::No(format!("`{}` {what}", declaration(declared, ty)), cure(declared, written));
    let (scalar, bytes) = match known(ty, &kernel.generics) {
        Known::Scalar(scalar) => (Some(scalar), scalar.bytes),
        Known::Array(scalar, count) => (None, scalar.bytes.saturating_mul(count)),
        Known::Parameter => return Answer::Yes,
        Known::Other => return size(declared, ty, written),
    };
    match (&written.ty, scalar) {
        (Type::Pointer { .. }, _) => wrong("is a pointer in the kernel file".to_owned()),
        (ty, _) if ty.bytes().is_some_and(|other| other != bytes) => {
            let other = ty.bytes().unwrap_or_default();
            wrong(format!("has {bytes} bytes, and {other} in the kernel file"))
        }
        (Type::Scalar(other), Some(scalar)) if !other.holds(scalar) => {
            wrong(format!("is {} in the kernel file", class(*other)))
        }
        (Type::Vector(other, count), Some(scalar)) if *count > 1 || !other.holds(scalar) => {
            wrong("is a vector in the kernel file".to_owned())
        }
        _ => Answer::Yes,
    }
}

fn size(declared: &Declared, ty: &RustType, written: &Parameter) -> Answer {
    match (&written.ty, written.ty.bytes()) {
        (Type::Pointer { .. }, _) | (_, None) => Answer::Yes,
        (_, Some(bytes)) => Answer::Size(Box::new(Size::new(
            ty,
            bytes,
            Rule::Equal,
            &format!("`{}`", declaration(declared, ty)),
            written,
        ))),
    }
}

/// A list is a table: an address and a count.
pub(super) fn list(declared: &Declared, written: &Parameter) -> Answer {
    let what = match &written.ty {
        Type::Pointer { .. } => "a pointer".to_owned(),
        Type::Scalar(scalar) => format!("a number of {} bytes", scalar.bytes),
        Type::Struct { .. } | Type::Bytes(_) | Type::Vector(..) => match written.ty.bytes() {
            Some(bytes) if bytes != LIST => format!("a struct of {bytes} bytes"),
            _ => return Answer::Yes,
        },
        Type::Void | Type::Open => return Answer::Yes,
    };
    Answer::No(
        format!("`{}` is a list here, and {what} in the kernel file", declared.name),
        "take a struct of a pointer to the items and an `unsigned long long` count, by value".to_owned(),
    )
}

/// The handle of a condition is a number of 8 bytes.
pub(super) fn condition(declared: &Declared, written: &Parameter) -> Answer {
    let what = match &written.ty {
        Type::Scalar(Scalar { class: Class::Unsigned | Class::Signed, bytes: 8 }) | Type::Void | Type::Open => {
            return Answer::Yes;
        }
        Type::Pointer { .. } => "a pointer".to_owned(),
        ty => match ty.bytes() {
            Some(bytes) if bytes != 8 => format!("of {bytes} bytes"),
            _ => return Answer::Yes,
        },
    };
    Answer::No(
        format!("`{}` is a condition here, and {what} in the kernel file", declared.name),
        format!("take `cudaGraphConditionalHandle {}` in the file", declared.name),
    )
}

pub(super) fn class(scalar: Scalar) -> &'static str {
    match scalar.class {
        Class::Bool => "a `bool`",
        Class::Unsigned | Class::Signed => "an integer",
        Class::Float => "a floating-point number",
        Class::Brain => "a `bfloat16`",
    }
}

fn cure(declared: &Declared, written: &Parameter) -> String {
    let name = &declared.name;
    let of = |scalar: &Scalar| scalar.rust().unwrap_or("_");
    match &written.ty {
        Type::Scalar(scalar) => format!("declare it as `{name}: {}`", of(scalar)),
        Type::Vector(scalar, count) => format!("declare it as `{name}: [{}; {count}]`", of(scalar)),
        Type::Pointer { constant: Some(true), .. } => format!("declare a buffer that is read: `{name}: &[T; n]`"),
        Type::Pointer { .. } => format!("declare a buffer: `{name}: &mut [T; n]`, `Out<[T; n]>` or `Atomic<[T; n]>`"),
        ty => match ty.bytes() {
            Some(bytes) => format!("declare a type of {bytes} bytes"),
            None => "declare the file's type".to_owned(),
        },
    }
}
