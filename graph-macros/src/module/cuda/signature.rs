//! Kernels of a CUDA C++ file: `extern "C" __global__ void __launch_bounds__(256) sweep(const float *x, unsigned n)`.

use super::super::lex::{self, Kind, Token};
use super::super::written::{Bound, Parameter, Type, Written};
use super::items::{Item, is_attribute};
use super::names::without_template;
use super::shared;
use super::types::Scope;

/// A kernel, and how it is found.
pub(super) struct Found<'a> {
    pub(super) name: &'a str,
    pub(super) namespaces: Vec<&'a str>,
    /// Whether it has a body.
    pub(super) defined: bool,
    pub(super) written: Written,
}

/// The kernel that an item declares; `None` if it is none, or cannot be told.
pub(super) fn kernel<'a>(
    item: Item<'_, 'a>,
    namespaces: Vec<&'a str>,
    scope: &Scope<'_, 'a>,
    paths: &[&str],
) -> Option<Found<'a>> {
    let global = item.head.iter().position(|token| token.is_word("__global__"))?;
    let template = template(item.head);
    let scope = Scope { template: &template.names, ..*scope };
    let (at, close) = name(item.head, global)?;
    let name = &item.head[at];
    let list = &item.head[at + 2..close];
    let known = template.plain && !item.head[..at].iter().chain(&item.head[close..]).any(is_unsure);
    let parameters = known.then(|| parameters(list, &scope, paths)).flatten();
    let written = Written {
        place: place(name, paths),
        parameters,
        bound: bound(item.head, &scope),
        shared: item.body.map_or(0, |body| shared::bytes(body, &scope)),
    };
    Some(Found { name: name.word()?, namespaces, defined: item.body.is_some(), written })
}

/// The parameters of a template.
struct Template<'a> {
    names: Vec<&'a str>,
    /// Whether each is one type or value.
    plain: bool,
}

fn template<'a>(head: &[Token<'a>]) -> Template<'a> {
    let (rest, _) = without_template(head);
    let list = &head[..head.len() - rest.len()];
    let plain = !list.iter().any(|token| token.is('.') || is_unsure(token));
    Template { names: list.iter().filter_map(Token::word).collect(), plain }
}

fn is_unsure(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Directive(_) | Kind::Open(_))
}

/// The name in front of the parameters and the parenthesis behind them; `None` if there is more than one that it could be.
fn name(head: &[Token<'_>], global: usize) -> Option<(usize, usize)> {
    let (mut found, mut at) = (None, global + 1);
    while at + 1 < head.len() {
        if head[at + 1].is('(') {
            let close = lex::closing(head, at + 1)?;
            let word = head[at].word();
            if word.is_none_or(|word| !is_attribute(word)) && found.replace((at, close)).is_some() {
                return None;
            }
            at = close;
        }
        at += 1;
    }
    found.filter(|(at, _)| head[*at].word().is_some())
}

fn parameters<'a>(list: &[Token<'a>], scope: &Scope<'_, 'a>, paths: &[&str]) -> Option<Vec<Parameter>> {
    if matches!(list, [word] if word.is_word("void")) {
        return Some(Vec::new());
    }
    lex::parts(list)?.into_iter().map(|part| parameter(part, scope, paths)).collect()
}

/// `None` if it may be none, or several.
fn parameter<'a>(part: &[Token<'a>], scope: &Scope<'_, 'a>, paths: &[&str]) -> Option<Parameter> {
    if part.iter().any(|token| is_unsure(token) || token.is('.')) {
        return None;
    }
    let declared = scope.declaration(part)?;
    let ty = match declared.sizes.len() {
        0 => declared.ty,
        1 => Type::Pointer { constant: Some(declared.constant), to: Box::new(declared.ty) },
        _ => Type::Pointer { constant: Some(declared.constant), to: Box::new(Type::Open) },
    };
    // A name alone may be a macro that a header defines, and a type without a name is nobody's `void`.
    let alone = ty == Type::Void || ty == Type::Open && declared.name.is_none();
    let end = part.iter().position(|token| token.is('=')).unwrap_or(part.len());
    let text = lex::line(&part[..end]);
    (!alone).then(|| Parameter { ty, name: declared.name.map(str::to_owned), text, place: place(&part[0], paths) })
}

/// `__launch_bounds__(256, 2)`
fn bound<'a>(head: &[Token<'a>], scope: &Scope<'_, 'a>) -> Option<Bound> {
    let mut all = head.iter().enumerate().filter(|(_, token)| token.is_word("__launch_bounds__"));
    let (at, _) = all.next().filter(|_| all.next().is_none())?;
    let close = lex::closing(head, at + 1)?;
    let first = *lex::parts(&head[at + 2..close])?.first()?;
    let threads = scope.constant(first)?;
    Some(Bound { threads, text: lex::line(&head[at..=close]) })
}

/// `kernels/jacobi.cu:12`
fn place(token: &Token<'_>, paths: &[&str]) -> String {
    format!("{}:{}", paths.get(token.place.file).unwrap_or(&""), token.place.line)
}
