//! Assignments to single elements on the device: `s[0] = e;`, `s[0] += e;`.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{BinOp, Expr, Ident, Token};

use super::ast::{BufferPlace, Projection, Reduction, StatementKind};
use super::stream::brackets;
use super::{Parsed, argument, expression, host, reduction};
use crate::diagnostic::Diagnostic;

/// Whether `name[…]` stands here.
pub(super) fn starts(input: ParseStream<'_>) -> bool {
    input.peek(Ident) && (input.peek2(syn::token::Bracket) || input.peek2(Token![.]) && is_assignment(input))
}

/// A whole assignment, up to its `;`.
pub(super) fn assignment(input: ParseStream<'_>) -> Parsed<StatementKind> {
    if !is_assignment(input) {
        return Err(host::statement(input));
    }
    let name: Ident = input.parse()?;
    let mut path = Vec::new();
    let index = loop {
        if input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            path.push(Projection::Field(input.parse()?));
            continue;
        }
        let span = input.span();
        let index = argument::index(input)?;
        if !input.peek(syn::token::Bracket) && !input.peek(Token![.]) {
            break index;
        }
        path.push(Projection::Index(index, span));
    };
    let index = element(&name, index)?;
    let operator = operator(input)?;
    let equals = match &operator {
        Some(operator) => operator.span(),
        None => input.parse::<Token![=]>()?.span(),
    };
    let value = expression::host(input)?;
    let target = BufferPlace { name, path, index };
    match reduction::mapped(&value)? {
        Some(value) => Ok(StatementKind::Reduction(Box::new(Reduction { target, operator, value }))),
        None => Ok(StatementKind::Scalar { target, operator, equals, value }),
    }
}

/// Whether an assignment's operator follows the brackets.
fn is_assignment(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.parse::<Ident>().is_err() {
        return false;
    }
    let mut elements = false;
    loop {
        if ahead.peek(syn::token::Bracket) {
            elements = true;
            if brackets(&ahead).is_err() {
                return false;
            }
        } else if ahead.peek(Token![.]) && ahead.peek2(Ident) {
            elements = false;
            if ahead.parse::<Token![.]>().is_err() || ahead.parse::<Ident>().is_err() {
                return false;
            }
        } else {
            break;
        }
    }
    if !elements {
        return false;
    }
    let plain = ahead.peek(Token![=]) && !ahead.peek(Token![==]) && !ahead.peek(Token![=>]);
    plain || ahead.is_empty() || matches!(ahead.parse::<BinOp>(), Ok(operator) if is_compound(&operator))
}

/// `+=` and its like.
fn operator(input: ParseStream<'_>) -> Parsed<Option<BinOp>> {
    if input.is_empty() {
        return Err(input.error("expected `=`").into());
    }
    if input.peek(Token![=]) { Ok(None) } else { Ok(Some(input.parse()?)) }
}

pub(super) fn is_compound(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// The index, if it names one element.
fn element(name: &Ident, index: Expr) -> Parsed<Expr> {
    match index {
        Expr::Range(range) => {
            let text = quote::ToTokens::to_token_stream(&range);
            let fault = Diagnostic::error(Code::SYNTAX, range.span(), "a range cannot be assigned to");
            Err(fault.help(format!("write `fill(&out {name}[{text}], value);` or `copy(&from, &out {name}[{text}]);`")))
        }
        Expr::Tuple(tuple) => {
            argument::check_rank(&tuple, name)?;
            match tuple.elems.iter().find(|part| matches!(part, Expr::Range(_))) {
                Some(range) => {
                    let text = quote::ToTokens::to_token_stream(&tuple);
                    let fault = Diagnostic::error(Code::SYNTAX, range.span(), "a range cannot be assigned to");
                    Err(fault.help(format!("write `fill(&out {name}[{text}], value);`")))
                }
                None => Ok(Expr::Tuple(tuple)),
            }
        }
        index => Ok(index),
    }
}
