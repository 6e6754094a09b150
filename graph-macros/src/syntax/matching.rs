//! `match s[0] { 0 => { … } 1 | 2 => { … } k @ 3..n => { … } _ => { … } }`: integers, ranges of them and `_`; any pattern over host values.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Span, TokenTree};
use quote::ToTokens as _;
use syn::buffer::Cursor;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprRange, Ident, Lit, Pat, RangeLimits, Token};

use super::ast::{ArmPattern, Match, MatchArm};
use super::stream::{at_group, between, braces, strict};
use super::{Parsed, Parser, expression, recovery};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    pub(super) fn match_statement(&mut self, input: ParseStream<'_>) -> Parsed<Match> {
        let keyword = input.parse()?;
        let value = expression::before_block(input)?;
        if !at_group(input.cursor(), Delimiter::Brace) {
            return Err(Diagnostic::plain(input.span(), "expected `{`"));
        }
        let (_, content) = braces(input)?;
        let mut arms = Vec::new();
        while !content.is_empty() {
            let begin = content.cursor();
            match self.arm(&content) {
                Ok(arm) => arms.extend(arm),
                Err(fault) => {
                    self.diagnostics.push(fault);
                    recovery::advance(&content, |cursor| past_arm(cursor, begin == cursor));
                    self.keep_names(between(begin, content.cursor()));
                }
            }
        }
        Ok(Match { keyword, value, arms })
    }

    fn arm(&mut self, input: ParseStream<'_>) -> Parsed<Option<MatchArm>> {
        let mut attributes = input.call(syn::Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        let attributes = self.accept(attributes);
        let span = input.span();
        let pattern = strict(input, Pat::parse_multi_with_leading_vert)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(keyword) => Some((keyword, expression::host(input)?)),
            None => None,
        };
        input.parse::<Token![=>]>()?;
        if !at_group(input.cursor(), Delimiter::Brace) {
            return Err(Diagnostic::error(Code::SYNTAX, input.span(), "the body of an arm needs braces")
                .help("write `=> { … }`"));
        }
        let body = self.body(input)?;
        input.parse::<Option<Token![,]>>()?;
        Ok(there.then_some(MatchArm { attributes, pattern, guard, span, body }))
    }
}

/// What an arm of a `match` on the device fits.
pub(crate) enum Fits {
    /// All other values: `_`.
    Rest,
    /// Integers.
    Integers(Vec<ArmPattern>),
    /// What the host says when the graph is built.
    Host(Box<HostArm>),
}

/// An arm with a name, a guard, or values of the host's.
pub(crate) struct HostArm {
    /// The integers, as far as they are written and no guard may leave one out; all that it has if there are no `values`.
    pub(crate) patterns: Vec<ArmPattern>,
    /// The values, each of which gets an arm of its own.
    pub(crate) values: Option<Expr>,
    /// What a value is called in its arm.
    pub(crate) name: Option<Ident>,
}

/// What an arm of a `match` on the device fits.
pub(crate) fn fits(arm: &MatchArm) -> Parsed<Fits> {
    let (name, pattern) = named(&arm.pattern)?;
    let mut flat = Vec::new();
    flatten(pattern, &mut flat);
    let rest = flat.iter().any(|pattern| matches!(pattern, Pat::Wild(_)));
    match (name, &arm.guard) {
        (Some(name), _) if rest => Err(every_value(name)),
        (None, None) if rest => Ok(Fits::Rest),
        (None, Some(_)) if rest => {
            let tokens = pattern.to_token_stream();
            let patterns = vec![ArmPattern { first: i128::MIN, last: i128::MAX, tokens }];
            Ok(Fits::Host(Box::new(HostArm { patterns, values: None, name: None })))
        }
        (name, guard) => alternatives(&flat, name, guard.is_some()),
    }
}

/// The name and the alternatives of an arm in a body: no alternatives for `_` and for a name alone, which any value is.
pub(crate) fn body_patterns(pattern: &Pat) -> Parsed<(Option<&Ident>, Vec<ArmPattern>)> {
    let (name, pattern) = match pattern {
        Pat::Ident(inner) if inner.subpat.is_none() && !is_constant(&inner.ident) && inner.by_ref.is_none() => {
            return Ok((Some(&inner.ident), Vec::new()));
        }
        pattern => named(pattern)?,
    };
    let mut flat = Vec::new();
    flatten(pattern, &mut flat);
    if flat.iter().any(|pattern| matches!(pattern, Pat::Wild(_))) {
        return Ok((name, Vec::new()));
    }
    let written = |pattern: &Pat| integers(pattern)?.ok_or_else(|| no_integer(pattern.span()));
    let patterns = flat.into_iter().map(written).collect::<Parsed<_>>()?;
    Ok((name, patterns))
}

/// `k @ 3..8`; a name alone would fit every value.
fn named(pattern: &Pat) -> Parsed<(Option<&Ident>, &Pat)> {
    match pattern {
        Pat::Paren(inner) => named(&inner.pat),
        Pat::Ident(inner) if inner.by_ref.is_some() || inner.mutability.is_some() => Err(Diagnostic::error(
            Code::SYNTAX,
            inner.span(),
            "a value of the device is not borrowed or changed in an arm",
        )
        .help(format!("write `{} @ …`", inner.ident))),
        Pat::Ident(inner) => match &inner.subpat {
            Some((_, pattern)) => Ok((Some(&inner.ident), pattern)),
            None if is_constant(&inner.ident) => Ok((None, pattern)),
            None => Err(every_value(&inner.ident)),
        },
        other => Ok((None, other)),
    }
}

/// Constants are in capitals.
fn is_constant(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

fn every_value(name: &Ident) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, name.span(), format!("`{name}` fits every value of the device's"))
        .note("each value of a name gets a body of its own when the graph is built")
        .help(format!("say which values there are, `{name} @ 0..8`, or write `_`: the value is still in the buffer"))
}

fn alternatives(flat: &[&Pat], name: Option<&Ident>, guarded: bool) -> Parsed<Fits> {
    let written: Vec<Option<ArmPattern>> = flat.iter().map(|pattern| integers(pattern)).collect::<Parsed<_>>()?;
    let all_written = written.iter().all(Option::is_some);
    let patterns: Vec<ArmPattern> = written.into_iter().flatten().collect();
    if name.is_none() && all_written {
        let arm = HostArm { patterns, values: None, name: None };
        return Ok(if guarded { Fits::Host(Box::new(arm)) } else { Fits::Integers(arm.patterns) });
    }
    let mut values = flat.iter().map(|pattern| values(pattern));
    let first = values.next().unwrap_or_else(|| Ok(syn::parse_quote!(0..0)))?;
    let chain = |values: Expr, more: Parsed<Expr>| {
        let more = more?;
        Parsed::Ok(syn::parse_quote!(::core::iter::Iterator::chain(#values, #more)))
    };
    let values = Some(values.try_fold(first, chain)?);
    let patterns = if all_written && !guarded { patterns } else { Vec::new() };
    Ok(Fits::Host(Box::new(HostArm { patterns, values, name: name.cloned() })))
}

/// The values of a pattern, for the host to run through.
fn values(pattern: &Pat) -> Parsed<Expr> {
    match pattern {
        Pat::Range(range) => {
            let Some(end) = &range.end else {
                let message = "this range has no end, and each of its values gets a body of its own";
                return Err(Diagnostic::error(Code::SYNTAX, range.span(), message).help("write its end: `0..n`"));
            };
            let limits = &range.limits;
            Ok(match &range.start {
                Some(start) => syn::parse_quote!((#start #limits #end)),
                None => syn::parse_quote!((0 #limits #end)),
            })
        }
        one => Ok(syn::parse_quote!((#one ..= #one))),
    }
}

fn flatten<'p>(pattern: &'p Pat, into: &mut Vec<&'p Pat>) {
    match pattern {
        Pat::Or(or) => or.cases.iter().for_each(|case| flatten(case, into)),
        Pat::Paren(inner) => flatten(&inner.pat, into),
        other => into.push(other),
    }
}

/// The integers that a pattern is, unless the host has them.
fn integers(pattern: &Pat) -> Parsed<Option<ArmPattern>> {
    let (first, last) = match pattern {
        Pat::Lit(literal) => {
            let value = integer(literal)?;
            (value, value)
        }
        Pat::Range(range) => match bounds(range)? {
            Some(bounds) => bounds,
            None => return Ok(None),
        },
        Pat::Path(_) => return Ok(None),
        Pat::Ident(inner) if inner.subpat.is_none() && is_constant(&inner.ident) => return Ok(None),
        Pat::Ident(inner) => {
            return Err(Diagnostic::error(Code::SYNTAX, inner.ident.span(), "a name in one of several alternatives")
                .help(format!("put it in front of all: `{} @ (1 | 2)`", inner.ident)));
        }
        other => return Err(no_integer(other.span())),
    };
    Ok(Some(ArmPattern { first, last, tokens: pattern.to_token_stream() }))
}

/// The first and the last value, unless the host has one of them.
fn bounds(range: &ExprRange) -> Parsed<Option<(i128, i128)>> {
    let first = range.start.as_deref().map_or(Ok(Some(i128::MIN)), bound)?;
    let last = range.end.as_deref().map_or(Ok(Some(i128::MAX)), bound)?;
    let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
    match (&range.limits, &range.end) {
        (RangeLimits::HalfOpen(_), Some(end)) => match last.checked_sub(1).filter(|last| *last >= first) {
            Some(last) => Ok(Some((first, last))),
            None => Err(empty(end.span())),
        },
        _ if last < first => Err(empty(range.span())),
        _ => Ok(Some((first, last))),
    }
}

fn empty(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, span, "this range has no values")
}

fn bound(expression: &Expr) -> Parsed<Option<i128>> {
    match expression {
        Expr::Lit(literal) => integer(literal).map(Some),
        Expr::Path(_) | Expr::Const(_) => Ok(None),
        other => Err(no_integer(other.span())),
    }
}

fn integer(literal: &ExprLit) -> Parsed<i128> {
    match &literal.lit {
        Lit::Int(number) => Ok(number.base10_parse()?),
        Lit::Byte(byte) => Ok(byte.value().into()),
        other => Err(no_integer(other.span())),
    }
}

fn no_integer(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, span, "a value of the device's fits integers only")
        .help("write integers, ranges such as `3..8` or `0..n`, or `_`")
}

/// Past the arm's braces, or its comma if it has none.
fn past_arm(mut cursor: Cursor<'_>, at_start: bool) -> Cursor<'_> {
    let mut first = at_start;
    while let Some((token, next)) = cursor.token_tree() {
        cursor = next;
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return past_comma(cursor),
            TokenTree::Punct(punct) if punct.as_char() == ',' && !first && begins_arm(cursor) => return cursor,
            _ => {}
        }
        first = false;
    }
    cursor
}

fn past_comma(cursor: Cursor<'_>) -> Cursor<'_> {
    match cursor.punct() {
        Some((punct, next)) if punct.as_char() == ',' => next,
        _ => cursor,
    }
}

/// Whether `=>` comes before anything that no pattern has.
fn begins_arm(mut cursor: Cursor<'_>) -> bool {
    while let Some((token, next)) = cursor.token_tree() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '=' && is_arrow_head(next) => return true,
            TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';' | '<' | '>' | '&') => return false,
            TokenTree::Group(_) => return false,
            _ => cursor = next,
        }
    }
    false
}

fn is_arrow_head(cursor: Cursor<'_>) -> bool {
    cursor.punct().is_some_and(|(punct, _)| punct.as_char() == '>')
}
