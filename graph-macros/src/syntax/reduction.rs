//! `(a..b).map(|i| …).sum()`: a chain of methods on a range, which the device reduces.

use graph_ir::code::Code;
use graph_ir::model::Combine;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprMethodCall, Ident, Pat};

use super::Parsed;
use super::ast::Mapped;
use super::kernel_for::axes;
use crate::diagnostic::Diagnostic;

/// How a reduction is written.
const FORM: &str = "write `(a..b).map(|i| …).sum()`, or `product`, `min`, `max`";

/// The reduction that an expression is, if it is a chain of methods on a range.
pub(crate) fn mapped(value: &Expr) -> Parsed<Option<Mapped>> {
    let Expr::MethodCall(outermost) = value else { return Ok(None) };
    if !on_range(&outermost.receiver) {
        return Ok(None);
    }
    let Some(combine) = combine(&outermost.method).filter(|_| outermost.args.is_empty()) else {
        return Err(refuse(&outermost.method));
    };
    let Expr::MethodCall(map) = bare(&outermost.receiver) else {
        let text = format!("expected `.map(|i| …)` in front of `.{}()`", outermost.method);
        return Err(Diagnostic::error(Code::SYNTAX, outermost.method.span(), text).help(FORM));
    };
    let (pattern, value) = closure(map)?;
    let axes = axes(pattern, &map.receiver)?;
    Ok(Some(Mapped { axes, value: value.clone(), method: outermost.method.clone(), combine }))
}

/// `.map(|i| value)`
fn closure(map: &ExprMethodCall) -> Parsed<(&Pat, &Expr)> {
    let is_map = map.method == "map" && matches!(&*map.receiver, Expr::Paren(_) | Expr::Tuple(_) | Expr::Group(_));
    let closure = match map.args.first() {
        Some(Expr::Closure(closure)) if is_map && map.args.len() == 1 => closure,
        _ => return Err(refuse(&map.method)),
    };
    match closure.inputs.first() {
        Some(pattern) if closure.inputs.len() == 1 => Ok((pattern, &closure.body)),
        _ => {
            let span = closure.span();
            Err(Diagnostic::error(Code::SYNTAX, span, "expected one name, or several in parentheses: `|(i, j)|`"))
        }
    }
}

/// Whether a chain of methods starts at a range, or at a tuple of them.
fn on_range(receiver: &Expr) -> bool {
    match receiver {
        Expr::MethodCall(call) => on_range(&call.receiver),
        Expr::Paren(inner) => on_range(&inner.expr),
        Expr::Group(inner) => on_range(&inner.expr),
        Expr::Tuple(tuple) => tuple.elems.first().is_some_and(|first| matches!(first, Expr::Range(_))),
        other => matches!(other, Expr::Range(_)),
    }
}

fn combine(method: &Ident) -> Option<Combine> {
    Some(match method.to_string().as_str() {
        "sum" => Combine::Sum,
        "product" => Combine::Product,
        "min" => Combine::Min,
        "max" => Combine::Max,
        _ => return None,
    })
}

fn refuse(method: &Ident) -> Diagnostic {
    let message = format!("`.{method}(…)` is no part of a reduction");
    Diagnostic::error(Code::SYNTAX, method.span(), message)
        .note("a reduction is a range, `.map(…)` with a closure, and how its values are combined")
        .help(FORM)
}

fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}
