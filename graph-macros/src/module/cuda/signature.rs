//! Kernels of a CUDA C++ file: `extern "C" __global__ void __launch_bounds__(256) sweep(const float *x, unsigned n)`.

use super::super::lex::{self, Kind, Token};
use super::super::written::{Bound, Parameter, Type, Unread, Written};
use super::items::{Item, is_attribute};
use super::names::without_template;
use super::types::Scope;
use super::{shared, told};

/// A kernel, and how it is found.
pub(super) struct Found<'a> {
    pub(super) name: &'a str,
    pub(super) namespaces: Vec<&'a str>,
    /// Whether it has a body.
    pub(super) defined: bool,
    pub(super) written: Result<Written, Unread>,
}

impl Found<'_> {
    /// What a second declaration of the same kernel adds.
    pub(super) fn join(&mut self, other: Self) {
        let bound = |found: &Self| found.written.as_ref().ok().and_then(|written| written.bound.clone());
        let bound = bound(self).or_else(|| bound(&other));
        if other.defined {
            *self = other;
        }
        if let Ok(written) = &mut self.written {
            written.bound = bound;
        }
    }
}

/// The kernel that an item declares; if it is not told which name is the kernel's, one that cannot be read for each.
pub(super) fn kernels<'a>(
    item: Item<'_, 'a>,
    namespaces: &[&'a str],
    scope: &Scope<'_, 'a>,
    paths: &[&str],
) -> Vec<Found<'a>> {
    let Some(global) = item.head.iter().position(|token| token.is_word("__global__")) else { return Vec::new() };
    let names = names(item.head, global);
    let defined = item.body.is_some();
    let found = |at: usize, written| {
        let name = item.head[at].word()?;
        Some(Found { name, namespaces: namespaces.to_vec(), defined, written })
    };
    if let [(at, close)] = names[..] {
        return found(at, Ok(kernel(item, (at, close), scope, paths))).into_iter().collect();
    }
    let reason = "more than one name in front of a parenthesis may be the kernel's";
    let unread = |at: usize| Unread::new(told(item.head[at].place, paths), reason);
    names.iter().filter_map(|(at, _)| found(*at, Err(unread(*at)))).collect()
}

fn kernel<'a>(item: Item<'_, 'a>, (at, close): (usize, usize), scope: &Scope<'_, 'a>, paths: &[&str]) -> Written {
    let template = template(item.head);
    let scope = Scope { template: &template.names, ..*scope };
    let list = &item.head[at + 2..close];
    let around = || item.head[..at].iter().chain(&item.head[close..]).find(|token| is_unsure(token));
    let unsure = template.unsure.as_ref().or_else(around);
    let parameters = match unsure {
        Some(token) => Err(Unread::new(told(token.place, paths), why(token))),
        None => parameters(list, &scope, paths),
    };
    Written {
        place: told(item.head[at].place, paths),
        parameters,
        bound: bound(item.head, &scope),
        shared: item.body.map_or(0, |body| shared::bytes(body, &scope)),
    }
}

/// The parameters of a template.
struct Template<'a> {
    names: Vec<&'a str>,
    /// What keeps each from being one type or value.
    unsure: Option<Token<'a>>,
}

fn template<'a>(head: &[Token<'a>]) -> Template<'a> {
    let (rest, _) = without_template(head);
    let list = &head[..head.len() - rest.len()];
    let unsure = list.iter().find(|token| token.is('.') || is_unsure(token)).copied();
    Template { names: list.iter().filter_map(Token::word).collect(), unsure }
}

fn is_unsure(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Directive(_) | Kind::Open(_))
}

/// Why such a token leaves open what stands around it.
fn why(token: &Token<'_>) -> String {
    match token.kind {
        Kind::Directive(text) => {
            format!("`#{}` may change the kernel's declaration", text.lines().next().unwrap_or_default().trim())
        }
        Kind::Open(name) => format!("macro `{name}` takes arguments, or stands for more than one text"),
        _ => "`...` stands for any number of parameters".to_owned(),
    }
}

/// What may be the name in front of the parameters, with the parenthesis behind them.
fn names(head: &[Token<'_>], global: usize) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), global + 1);
    while at + 1 < head.len() {
        if head[at + 1].is('(') {
            let Some(close) = lex::closing(head, at + 1) else { return Vec::new() };
            if head[at].word().is_none_or(|word| !is_attribute(word)) {
                found.push((at, close));
            }
            at = close;
        }
        at += 1;
    }
    found
}

fn parameters<'a>(list: &[Token<'a>], scope: &Scope<'_, 'a>, paths: &[&str]) -> Result<Vec<Parameter>, Unread> {
    if matches!(list, [word] if word.is_word("void")) {
        return Ok(Vec::new());
    }
    let unmatched = || {
        let place = list.first().map(|token| told(token.place, paths)).unwrap_or_default();
        Unread::new(place, "the brackets among its parameters do not match")
    };
    lex::parts(list).ok_or_else(unmatched)?.into_iter().map(|part| parameter(part, scope, paths)).collect()
}

fn parameter<'a>(part: &[Token<'a>], scope: &Scope<'_, 'a>, paths: &[&str]) -> Result<Parameter, Unread> {
    if let Some(token) = part.iter().find(|token| is_unsure(token) || token.is('.')) {
        return Err(Unread::new(told(token.place, paths), why(token)));
    }
    let end = part.iter().position(|token| token.is('=')).unwrap_or(part.len());
    let text = lex::line(&part[..end]);
    let place = part.first().map(|token| told(token.place, paths)).unwrap_or_default();
    let Some(declared) = scope.declaration(part) else {
        return Err(Unread::new(place, format!("`{text}` is no parameter that could be read")));
    };
    let ty = match declared.sizes.len() {
        0 => declared.ty,
        1 => Type::Pointer { constant: Some(declared.constant), to: Box::new(declared.ty) },
        _ => Type::Pointer { constant: Some(declared.constant), to: Box::new(Type::Open) },
    };
    // A name alone may be a macro that a header defines, and a type without a name is nobody's `void`.
    if ty == Type::Void || ty == Type::Open && declared.name.is_none() {
        return Err(Unread::new(
            place,
            format!("`{text}` may be a parameter's type, or a macro of a header that was not found"),
        ));
    }
    Ok(Parameter { ty, name: declared.name.map(str::to_owned), text, place })
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
