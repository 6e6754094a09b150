//! Types of declarations, as far as their names tell.

use syn::{Expr, Generics, Lit, PathArguments, Type};

use super::super::written::{Class, Scalar};

/// A Rust type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Scalar(Scalar),
    Array(Scalar, u64),
    /// A parameter of the template.
    Parameter,
    /// Any other: rustc knows.
    Other,
}

pub(super) fn known(ty: &Type, generics: &Generics) -> Known {
    match ty {
        Type::Group(inner) => known(&inner.elem, generics),
        Type::Paren(inner) => known(&inner.elem, generics),
        Type::Array(array) => match (known(&array.elem, generics), &array.len) {
            (Known::Scalar(scalar), Expr::Lit(literal)) => match &literal.lit {
                Lit::Int(count) => count.base10_parse().map_or(Known::Other, |count| Known::Array(scalar, count)),
                _ => Known::Other,
            },
            (Known::Parameter, _) => Known::Parameter,
            _ => other(generics),
        },
        Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else { return other(generics) };
            let name = last.ident.to_string();
            let plain = matches!(last.arguments, PathArguments::None);
            let half = matches!(name.as_str(), "f16" | "bf16");
            let named =
                |scalar: Scalar| if plain && (path.path.segments.len() == 1 || half) { Some(scalar) } else { None };
            scalar(&name).and_then(named).map_or_else(|| other(generics), Known::Scalar)
        }
        _ => other(generics),
    }
}

/// In a template any type may depend on its parameters.
fn other(generics: &Generics) -> Known {
    if generics.params.is_empty() { Known::Other } else { Known::Parameter }
}

fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "bool" => Scalar::new(Class::Bool, 1),
        "u8" => Scalar::new(Class::Unsigned, 1),
        "u16" => Scalar::new(Class::Unsigned, 2),
        "u32" => Scalar::new(Class::Unsigned, 4),
        "u64" | "usize" => Scalar::new(Class::Unsigned, 8),
        "i8" => Scalar::new(Class::Signed, 1),
        "i16" => Scalar::new(Class::Signed, 2),
        "i32" => Scalar::new(Class::Signed, 4),
        "i64" | "isize" => Scalar::new(Class::Signed, 8),
        "f16" => Scalar::new(Class::Float, 2),
        "bf16" => Scalar::new(Class::Brain, 2),
        "f32" => Scalar::new(Class::Float, 4),
        "f64" => Scalar::new(Class::Float, 8),
        _ => return None,
    })
}
