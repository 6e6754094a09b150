//! `let`: a transient if brackets follow the colon, else a plain Rust binding on the host's side.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Token, Type};

use super::ast::StatementKind;
use super::stream::{next_span, strict_as};
use super::{Parsed, expression, transient};
use crate::diagnostic::Diagnostic;

/// A whole `let`, up to its `;`.
pub(super) fn let_statement(input: ParseStream<'_>) -> Parsed<StatementKind> {
    input.parse::<Token![let]>()?;
    let mutable: Option<Token![mut]> = input.parse()?;
    let name = name(input)?;
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return host_let(input, name, mutable, None);
    }
    if !transient::starts(input) {
        let ty = Box::new(strict_as::<Type>(input)?);
        return host_let(input, name, mutable, Some(ty));
    }
    if let Some(word) = mutable {
        return Err(Diagnostic::error(Code::SYNTAX, word.span(), format!("buffer `{name}` cannot be `mut`"))
            .help("remove `mut`: each use says what it does, `&mut x` or `&out x`"));
    }
    transient::transient(input, name)
}

fn name(input: ParseStream<'_>) -> Parsed<Ident> {
    let pattern = !input.is_empty() && !input.peek(Ident)
        || input.peek2(syn::token::Paren)
        || input.peek2(syn::token::Brace)
        || input.peek2(Token![::]) && !input.peek2(Token![:]);
    if pattern {
        return Err(Diagnostic::error(Code::SYNTAX, next_span(input), "expected one name behind `let`"));
    }
    Ok(input.parse()?)
}

fn host_let(
    input: ParseStream<'_>,
    name: Ident,
    mutable: Option<Token![mut]>,
    ty: Option<Box<Type>>,
) -> Parsed<StatementKind> {
    if !input.peek(Token![=]) {
        let expected = if ty.is_some() { "expected `=`" } else { "expected `:` or `=`" };
        return Err(input.error(expected).into());
    }
    input.parse::<Token![=]>()?;
    let value = expression::host(input)?;
    if let (Expr::Repeat(array), None) = (&value, &ty) {
        return Err(array_for_buffer(&name, array));
    }
    Ok(StatementKind::HostLet { name, mutable, ty, value })
}

/// `let x = [0.0; n];`
fn array_for_buffer(name: &Ident, array: &syn::ExprRepeat) -> Diagnostic {
    let text = |tokens: &Expr| quote::ToTokens::to_token_stream(tokens).to_string();
    let (value, length) = (text(&array.expr), text(&array.len));
    let element = match &*array.expr {
        Expr::Lit(literal) if literal.lit.suffix() != "" => literal.lit.suffix().to_owned(),
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(_), .. }) => "f32".to_owned(),
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(_), .. }) => "u32".to_owned(),
        _ => "T".to_owned(),
    };
    Diagnostic::error(Code::SYNTAX, array.span(), format!("`{name}` would be an array of the host's, not a buffer"))
        .help(format!("declare a buffer: `let {name}: [{element}; {length}] = {value};`"))
}
