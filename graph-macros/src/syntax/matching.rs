//! `match s[0] { 0 => { … } 1 | 2 => { … } 3..8 => { … } _ => { … } }`: integers, ranges of them and `_`; any pattern over host values.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Span, TokenTree};
use quote::ToTokens as _;
use syn::buffer::Cursor;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprRange, Lit, Pat, RangeLimits, Token};

use super::ast::{ArmPattern, Match, MatchArm};
use super::stream::{at_group, between, braces, strict};
use super::{Parsed, Parser, expression, not_yet, recovery};
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
                Ok(arm) => arms.push(arm),
                Err(fault) => {
                    self.diagnostics.push(fault);
                    recovery::advance(&content, |cursor| past_arm(cursor, begin == cursor));
                    self.keep_names(between(begin, content.cursor()));
                }
            }
        }
        Ok(Match { keyword, value, arms })
    }

    fn arm(&mut self, input: ParseStream<'_>) -> Parsed<MatchArm> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
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
        Ok(MatchArm { attributes, pattern, guard, span, body })
    }
}

/// The alternatives of a `match` on the device: integers; none for `_`, which any alternative may be.
pub(crate) fn patterns(pattern: &Pat) -> Result<Vec<ArmPattern>, Diagnostic> {
    let mut flat = Vec::new();
    flatten(pattern, &mut flat);
    if flat.iter().any(|pattern| matches!(pattern, Pat::Wild(_))) {
        return Ok(Vec::new());
    }
    flat.into_iter().map(integers).collect()
}

fn flatten<'p>(pattern: &'p Pat, into: &mut Vec<&'p Pat>) {
    match pattern {
        Pat::Or(or) => or.cases.iter().for_each(|case| flatten(case, into)),
        Pat::Paren(inner) => flatten(&inner.pat, into),
        other => into.push(other),
    }
}

fn integers(pattern: &Pat) -> Parsed<ArmPattern> {
    let (first, last) = match pattern {
        Pat::Lit(literal) => {
            let value = integer(literal)?;
            (value, value)
        }
        Pat::Range(range) => bounds(range)?,
        Pat::Ident(ident) => return Err(binding(ident.ident.span())),
        other => return Err(no_integer(other.span())),
    };
    Ok(ArmPattern { first, last, tokens: pattern.to_token_stream() })
}

fn bounds(range: &ExprRange) -> Parsed<(i128, i128)> {
    let first = range.start.as_deref().map_or(Ok(i128::MIN), bound)?;
    let last = range.end.as_deref().map_or(Ok(i128::MAX), bound)?;
    match (&range.limits, &range.end) {
        (RangeLimits::HalfOpen(_), Some(end)) => match last.checked_sub(1).filter(|last| *last >= first) {
            Some(last) => Ok((first, last)),
            None => Err(empty(end.span())),
        },
        _ if last < first => Err(empty(range.span())),
        _ => Ok((first, last)),
    }
}

fn empty(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, span, "this range has no values")
}

fn bound(expression: &Expr) -> Parsed<i128> {
    match expression {
        Expr::Lit(literal) => integer(literal),
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

/// `k @ 3..8`, `k`
fn binding(span: Span) -> Diagnostic {
    not_yet::form(span, "a name in a pattern")
        .help("write integers, ranges such as `3..8`, or `_`; the value is still in the buffer")
}

fn no_integer(span: Span) -> Diagnostic {
    not_yet::form(span, "a pattern other than integers").help("write integers, ranges such as `3..8`, or `_`")
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
