//! Types of host expressions that their text alone says.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Expr, Lit, Type};

use super::text;

/// The type that casts give an expression: `u32` for `n as u32`, `2 * (n as u32)`, `(n as u32).div_ceil(64)`.
pub(crate) fn static_type(expression: &Expr) -> Option<&Type> {
    type_with(expression, &|_| None)
}

/// The same where the types of some names are known, all of which are primitive.
pub(crate) fn type_with<'a>(expression: &'a Expr, names: &impl Fn(&Ident) -> Option<&'a Type>) -> Option<&'a Type> {
    match text::bare(expression) {
        Expr::Path(path) => names(path.path.get_ident()?),
        Expr::Cast(cast) => Some(&*cast.ty).filter(|ty| matches!(ty, Type::Path(_))),
        Expr::Binary(operation) if is_arithmetic(operation.op) => {
            let (left, right) = (type_with(&operation.left, names), type_with(&operation.right, names));
            match (left, right) {
                (Some(left), Some(right)) => same(left, right).then_some(left),
                (Some(known), None) => is_literal(&operation.right).then_some(known),
                (None, Some(known)) => is_literal(&operation.left).then_some(known),
                (None, None) => None,
            }
        }
        Expr::MethodCall(call) if ["div_ceil", "min", "max", "pow"].iter().any(|name| call.method == name) => {
            type_with(&call.receiver, names)
        }
        _ => None,
    }
}

/// Rust's own types of one value, which are copied and whose methods and operators are known.
const PRIMITIVE: [&str; 16] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize",
];

/// Whether a type is one of Rust's own of one value.
pub(crate) fn is_primitive(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|name| PRIMITIVE.iter().any(|known| name == known)))
}

fn is_arithmetic(operator: BinOp) -> bool {
    matches!(operator, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_))
}

fn same(one: &Type, other: &Type) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// A number without a type of its own.
fn is_literal(expression: &Expr) -> bool {
    match text::bare(expression) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.suffix().is_empty(),
            Lit::Float(number) => number.suffix().is_empty(),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(written: &str) -> Option<String> {
        let expression: Expr = syn::parse_str(written).unwrap();
        static_type(&expression).map(|ty| ty.to_token_stream().to_string())
    }

    #[test]
    fn casts_say_the_type() {
        for written in
            ["n as u32", "2 * n as u32", "(n as u32 + 1) / 2", "w as u32 * h as u32", "(n as u32).div_ceil(64)"]
        {
            assert_eq!(of(written).as_deref(), Some("u32"), "{written}");
        }
    }

    #[test]
    fn names_say_the_type() {
        let (size, float): (Type, Type) = (syn::parse_quote!(usize), syn::parse_quote!(f32));
        let of = |written: &str| {
            let names = |name: &Ident| match name.to_string().as_str() {
                "n" => Some(&size),
                "a" => Some(&float),
                _ => None,
            };
            let expression: Expr = syn::parse_str(written).unwrap();
            type_with(&expression, &names).map(|ty| ty.to_token_stream().to_string())
        };
        for written in ["n", "n.div_ceil(256)", "2 * (n + 1) / n", "n.min(n / 2)"] {
            assert_eq!(of(written).as_deref(), Some("usize"), "{written}");
        }
        assert_eq!(of("2.0 * a").as_deref(), Some("f32"));
        for written in ["m", "n + m", "n * a", "n.len()", "n < 2", "path::n", "[n]"] {
            assert_eq!(of(written), None, "{written}");
        }
    }

    #[test]
    fn what_a_cast_does_not_say_is_not_guessed() {
        for written in ["n", "2 * n", "n as u32 * scale", "n as u32 + 1_u32", "(n as u32) < 1", "f(n as u32)", "n as _"]
        {
            assert_eq!(of(written), None, "{written}");
        }
    }
}
