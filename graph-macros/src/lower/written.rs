//! The usual expressions as text, straight from the syntax tree: an expression's tokens are made anew each time, and read back one by one.
//!
//! The text is that of [`text::of`], which reads tokens; the tests compare the two.

use syn::{BinOp, Expr, ExprLit, ExprMethodCall, ExprPath, Lit, Member, Path, Type};

use super::text::{Seen, literal, name};

/// Whether [`write`] can write it.
pub(super) fn is_usual(expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => is_name(path),
        Expr::Lit(ExprLit { attrs, lit: Lit::Int(_) | Lit::Float(_) }) => attrs.is_empty(),
        Expr::Paren(inner) => inner.attrs.is_empty() && is_usual(&inner.expr),
        Expr::Binary(inner) => {
            let sides = is_usual(&inner.left) && is_usual(&inner.right);
            sides && inner.attrs.is_empty() && operator(&inner.op).is_some()
        }
        Expr::Cast(inner) => inner.attrs.is_empty() && is_usual(&inner.expr) && type_name(&inner.ty).is_some(),
        Expr::Field(inner) => {
            inner.attrs.is_empty() && matches!(inner.member, Member::Named(_)) && is_usual(&inner.base)
        }
        Expr::Index(inner) => inner.attrs.is_empty() && is_usual(&inner.expr) && is_usual(&inner.index),
        Expr::MethodCall(inner) => {
            let plain = inner.attrs.is_empty() && inner.turbofish.is_none() && !inner.args.trailing_punct();
            plain && is_usual(&inner.receiver) && inner.args.iter().all(is_usual)
        }
        _ => false,
    }
}

fn is_name(path: &ExprPath) -> bool {
    path.attrs.is_empty() && path.qself.is_none() && path.path.get_ident().is_some()
}

fn type_name(ty: &Type) -> Option<&syn::Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

fn operator(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => " + ",
        BinOp::Sub(_) => " - ",
        BinOp::Mul(_) => " * ",
        BinOp::Div(_) => " / ",
        BinOp::Rem(_) => " % ",
        _ => return None,
    })
}

/// Writes an expression of a usual form.
pub(super) fn write(expression: &Expr, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    match expression {
        Expr::Path(ExprPath { path: Path { segments, .. }, .. }) => name(&segments[0].ident, text, seen),
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => literal(number, text, seen),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => literal(number, text, seen),
        Expr::Paren(inner) => between("(", &inner.expr, ")", text, seen),
        Expr::Binary(inner) => {
            write(&inner.left, text, seen);
            text.push_str(operator(&inner.op).unwrap_or_default());
            write(&inner.right, text, seen);
        }
        Expr::Cast(inner) => {
            write(&inner.expr, text, seen);
            text.push_str(" as ");
            type_name(&inner.ty).into_iter().for_each(|ty| name(ty, text, seen));
        }
        Expr::Field(inner) => {
            write(&inner.base, text, seen);
            text.push('.');
            if let Member::Named(field) = &inner.member {
                name(field, text, seen);
            }
        }
        Expr::Index(inner) => {
            write(&inner.expr, text, seen);
            between("[", &inner.index, "]", text, seen);
        }
        Expr::MethodCall(inner) => call(inner, text, seen),
        _ => {}
    }
}

fn between(open: &str, inner: &Expr, close: &str, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    text.push_str(open);
    write(inner, text, seen);
    text.push_str(close);
}

fn call(call: &ExprMethodCall, text: &mut String, seen: &mut dyn FnMut(Seen<'_>)) {
    write(&call.receiver, text, seen);
    text.push('.');
    name(&call.method, text, seen);
    text.push('(');
    for (index, argument) in call.args.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        write(argument, text, seen);
    }
    text.push(')');
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    /// All that is seen, in order.
    fn texts(expression: &Expr) -> (String, Vec<String>) {
        let mut names = Vec::new();
        let mut text = String::new();
        write(expression, &mut text, &mut |seen| {
            names.push(match seen {
                Seen::Name(_, text) | Seen::Literal(text) => text.to_owned(),
            });
        });
        (text, names)
    }

    #[test]
    fn the_text_is_that_of_the_tokens() {
        let atoms = ["n", "w.len()", "(a + 1)", "2", "0.5", "a[i]", "p.x", "n.div_ceil(256)", "n.max(k, 1) as u32"];
        let operators = ["+", "-", "*", "/", "%"];
        for left in atoms {
            for right in atoms {
                for operator in operators {
                    let source = format!("({left}) {operator} {right} + f.g(({left}), {right}) as usize");
                    let expression: Expr = syn::parse_str(&source).unwrap();
                    assert!(is_usual(&expression), "{source}");
                    let (text, seen) = texts(&expression);
                    assert_eq!(text, text::of(&expression), "{source}");
                    let names: Vec<_> = seen.into_iter().filter(|text| !text.starts_with(char::is_numeric)).collect();
                    let expected = text::identifiers(&expression);
                    assert_eq!(names, expected.into_iter().filter(|name| name != "as").collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn other_forms_are_left_to_tokens() {
        for source in
            ["-n", "f(n)", "n.get::<3>()", "a::B", "!n", "n..m", "x.0", "max!(n)", "&n", "n as &str", "a << 1"]
        {
            assert!(!is_usual(&syn::parse_str(source).unwrap()), "{source}");
        }
    }
}
