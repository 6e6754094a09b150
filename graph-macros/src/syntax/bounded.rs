//! `n: u32 <= capacity`, and `n.bound()` in host expressions.
//!
//! The bound is a value of its own in the evaluator. `n.bound()` is put in its place before the body is parsed, so it may stand
//! wherever a host expression may, also in the arguments of macros.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::format_ident;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Lit, Token, Type};

use super::ast::{Parameter, ParameterKind};
use super::{Parsed, Parser, expression};
use crate::diagnostic::Diagnostic;

/// What the bound of `n` is called in the evaluator.
pub(crate) fn bound_name(value: &Ident) -> Ident {
    format_ident!("{PREFIX}{value}", span = value.span())
}

/// A name of [`bound_name`] as the user wrote it.
pub(crate) fn written(name: &str) -> Option<String> {
    name.strip_prefix(PREFIX).map(|value| format!("{value}.bound()"))
}

const PREFIX: &str = "__bound_";

/// `<= capacity` behind a host value's type.
pub(super) fn bound(input: ParseStream<'_>) -> Parsed<Option<Expr>> {
    if input.parse::<Option<Token![<=]>>()?.is_none() {
        return Ok(None);
    }
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Diagnostic::error(Code::SYNTAX, input.span(), "expected the bound behind `<=`"));
    }
    expression::host(input).map(Some)
}

impl Parser<'_> {
    /// `u32 < 64`: meant as a bound, and a type with generic arguments for syn. It is taken as `u32 <= 64`.
    pub(super) fn less(&mut self, input: ParseStream<'_>, name: &Ident) -> Parsed<Option<(Type, Expr)>> {
        let number = input.peek(Ident) && input.peek2(Token![<]) && input.peek3(Lit);
        if !number || input.peek2(Token![<=]) {
            return Ok(None);
        }
        let ty: Ident = input.parse()?;
        let less: Token![<] = input.parse()?;
        let bound = expression::host(input)?;
        let text = quote::ToTokens::to_token_stream(&bound);
        self.diagnostics.push(
            Diagnostic::error(Code::SYNTAX, less.span(), "expected `<=` in front of the bound")
                .help(format!("write `{name}: {ty} <= {text}`")),
        );
        Ok(Some((syn::parse_quote!(#ty), bound)))
    }
}

/// The values that have a bound.
pub(super) fn names(parameters: &[Parameter]) -> Vec<String> {
    let bounded = parameters.iter().filter(|parameter| parameter.bound.is_some());
    bounded.map(|parameter| parameter.name.to_string()).collect()
}

/// Puts bounds in the place of `n.bound()` in what is parsed already.
pub(super) fn resolve_in_head(parameters: &mut [Parameter]) {
    let names = names(parameters);
    if names.is_empty() {
        return;
    }
    let resolve = |expression: &mut Expr| {
        let tokens = resolve(quote::ToTokens::to_token_stream(expression), &names);
        // What was an expression still is one.
        if let Ok(resolved) = syn::parse2(tokens) {
            *expression = resolved;
        }
    };
    for parameter in parameters {
        if let ParameterKind::Buffer { length: Some(length), .. } = &mut parameter.kind {
            resolve(&mut length.expression);
        }
        parameter.bound.iter_mut().for_each(resolve);
    }
}

/// Puts bounds in the place of `n.bound()`.
pub(super) fn resolve(tokens: TokenStream, names: &[String]) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut resolved = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let field = at > 0 && is_dot(&tokens[at - 1]) && !(at > 1 && is_dot(&tokens[at - 2]));
        let name = (!field).then(|| bounded(&tokens[at..], names)).flatten();
        at += if name.is_some() { 4 } else { 1 };
        resolved.push(match (name, token) {
            (Some(name), _) => TokenTree::Ident(bound_name(&name)),
            (None, TokenTree::Group(group)) => TokenTree::Group(inside(group, names)),
            (None, other) => other.clone(),
        });
    }
    resolved.into_iter().collect()
}

fn inside(group: &Group, names: &[String]) -> Group {
    let mut resolved = Group::new(group.delimiter(), resolve(group.stream(), names));
    resolved.set_span(group.span());
    resolved
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '.')
}

/// `n.bound()` at the start of some tokens.
fn bounded(tokens: &[TokenTree], names: &[String]) -> Option<Ident> {
    let [TokenTree::Ident(name), dot, TokenTree::Ident(method), TokenTree::Group(arguments), ..] = tokens else {
        return None;
    };
    let call = method == "bound" && arguments.delimiter() == Delimiter::Parenthesis && arguments.stream().is_empty();
    (call && is_dot(dot) && names.iter().any(|known| name == known)).then(|| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_found_wherever_they_stand() {
        let resolved = |tokens: &str| resolve(tokens.parse().unwrap(), &["n".to_owned()]).to_string();
        let names = |tokens: &str| resolved(tokens).matches("__bound_n").count();
        assert_eq!(names("f(n.bound(), m.bound(), [n . bound () + 1])"), 2);
        assert_eq!(names("format!(\"{}\", n.bound())"), 1);
        assert_eq!(names("x.n.bound() + n.bound(1) + n.bound"), 0);
        assert_eq!(names("0..n.bound()"), 1);
        assert_eq!(written("__bound_n").as_deref(), Some("n.bound()"));
    }
}
