//! Types of host expressions that their text alone says.

use quote::ToTokens;
use syn::{BinOp, Expr, Lit, Type};

use super::text;

/// The type that casts give an expression: `u32` for `n as u32`, `2 * (n as u32)`, `(n as u32).div_ceil(64)`.
pub(crate) fn static_type(expression: &Expr) -> Option<&Type> {
    match text::bare(expression) {
        Expr::Cast(cast) => Some(&*cast.ty).filter(|ty| matches!(ty, Type::Path(_))),
        Expr::Binary(operation) if is_arithmetic(operation.op) => {
            let (left, right) = (static_type(&operation.left), static_type(&operation.right));
            match (left, right) {
                (Some(left), Some(right)) => same(left, right).then_some(left),
                (Some(known), None) => is_literal(&operation.right).then_some(known),
                (None, Some(known)) => is_literal(&operation.left).then_some(known),
                (None, None) => None,
            }
        }
        Expr::MethodCall(call) if ["div_ceil", "min", "max", "pow"].iter().any(|name| call.method == name) => {
            static_type(&call.receiver)
        }
        _ => None,
    }
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
    fn what_a_cast_does_not_say_is_not_guessed() {
        for written in ["n", "2 * n", "n as u32 * scale", "n as u32 + 1_u32", "(n as u32) < 1", "f(n as u32)", "n as _"]
        {
            assert_eq!(of(written), None, "{written}");
        }
    }
}
