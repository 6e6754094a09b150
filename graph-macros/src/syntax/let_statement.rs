//! `let`: a transient if brackets follow the colon, else a plain Rust binding on the host's side.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Pat, PatIdent, Token, Type};

use super::ast::StatementKind;
use super::stream::{strict, strict_as};
use super::{Parsed, expression, transient};
use crate::diagnostic::Diagnostic;

/// A whole `let`, up to its `;`.
pub(super) fn let_statement(input: ParseStream<'_>) -> Parsed<StatementKind> {
    input.parse::<Token![let]>()?;
    if begins_pattern(input) {
        let pattern = strict(input, Pat::parse_single)?;
        let ty = match input.parse::<Option<Token![:]>>()? {
            Some(_) => Some(Box::new(strict_as::<Type>(input)?)),
            None => None,
        };
        return host_let(input, pattern, ty);
    }
    let mutable: Option<Token![mut]> = input.parse()?;
    let name: Ident = input.parse()?;
    let pattern = || {
        let (by_ref, ident, mutability) = (None, name.clone(), mutable);
        Pat::Ident(PatIdent { attrs: Vec::new(), by_ref, mutability, ident, subpat: None })
    };
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return host_let(input, pattern(), None);
    }
    if !transient::starts(input) {
        let ty = Box::new(strict_as::<Type>(input)?);
        return host_let(input, pattern(), Some(ty));
    }
    if let Some(word) = mutable {
        return Err(Diagnostic::error(Code::SYNTAX, word.span(), format!("buffer `{name}` cannot be `mut`"))
            .help("remove `mut`: each use says what it does, `&mut x` or `&out x`"));
    }
    transient::transient(input, name)
}

/// Whether something other than one name stands behind `let`.
fn begins_pattern(input: ParseStream<'_>) -> bool {
    let named = input.peek(Ident) || input.peek(Token![mut]);
    !input.is_empty() && !named
        || input.peek2(syn::token::Paren)
        || input.peek2(syn::token::Brace)
        || input.peek2(Token![::])
        || input.peek2(Token![@])
}

fn host_let(input: ParseStream<'_>, pattern: Pat, ty: Option<Box<Type>>) -> Parsed<StatementKind> {
    if !input.peek(Token![=]) {
        let expected = if ty.is_some() { "expected `=`" } else { "expected `:` or `=`" };
        return Err(input.error(expected).into());
    }
    input.parse::<Token![=]>()?;
    let value = expression::host(input)?;
    if let (Pat::Ident(name), Expr::Repeat(array), None) = (&pattern, &value, &ty) {
        return Err(array_for_buffer(&name.ident, array));
    }
    if input.peek(Token![else]) {
        let leaves = Some(input.span());
        input.parse::<Token![else]>()?;
        input.parse::<syn::Block>()?;
        return Ok(StatementKind::HostLet { pattern: Box::new(pattern), ty, value, leaves });
    }
    Ok(StatementKind::HostLet { pattern: Box::new(pattern), ty, value, leaves: None })
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
