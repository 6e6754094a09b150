//! `kernel for i in a..b { … }`: a kernel that is written in the block. `kernel` is a word only in front of `for`.
//!
//! The body is Rust, so syn parses it, statement by statement; what of it can run on the device shows when it is lowered.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Pat, RangeLimits, Stmt, Token};

use super::ast::{Axis, KernelFor};
use super::stream::{braces, strict, word};
use super::{Parsed, Parser, expression};
use crate::diagnostic::Diagnostic;

/// A grid has so many dimensions at most.
const MOST_AXES: usize = 3;

/// Whether `kernel for` stands here.
pub(super) fn starts(input: ParseStream<'_>) -> bool {
    super::stream::at_word(input, "kernel") && input.peek2(Token![for])
}

impl Parser<'_> {
    pub(super) fn kernel_for(&mut self, input: ParseStream<'_>) -> Parsed<KernelFor> {
        let Some(word) = word(input, "kernel") else { return Err(input.error("expected `kernel`").into()) };
        input.parse::<Token![for]>()?;
        let pattern = strict(input, Pat::parse_single)?;
        input.parse::<Token![in]>()?;
        let ranges = expression::before_block(input)?;
        let axes = axes(&pattern, &ranges)?;
        let (_, content) = braces(input)?;
        let mut body = Vec::new();
        while !content.is_empty() {
            let begin = content.cursor();
            match strict(&content, <Stmt as syn::parse::Parse>::parse) {
                Ok(statement) => body.push(statement),
                Err(fault) => self.skip_statement(&content, begin, fault),
            }
        }
        self.configure(&mut body);
        Ok(KernelFor { word, axes, body })
    }
}

/// `i` and `a..b`, or `(i, j)` and `(a..b, c..d)`.
pub(crate) fn axes(pattern: &Pat, ranges: &Expr) -> Parsed<Vec<Axis>> {
    let names = names(pattern)?;
    let ranges: Vec<&Expr> = match bare(ranges) {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        single => vec![single],
    };
    if names.len() != ranges.len() {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (names, ranges) = (count(names.len(), "name"), count(ranges.len(), "range"));
        return Err(Diagnostic::error(Code::SYNTAX, pattern.span(), format!("{names} for {ranges}"))
            .help("write one name for each range: `(i, j) in (a..b, c..d)`"));
    }
    names.into_iter().zip(ranges).map(|(name, range)| axis(name, range)).collect()
}

fn names(pattern: &Pat) -> Parsed<Vec<Ident>> {
    let names = match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().map(name).collect::<Parsed<Vec<Ident>>>()?,
        Pat::Paren(inner) => return names(&inner.pat),
        single => vec![name(single)?],
    };
    if (1..=MOST_AXES).contains(&names.len()) {
        return Ok(names);
    }
    Err(Diagnostic::error(Code::SYNTAX, pattern.span(), format!("expected one to {MOST_AXES} names")))
}

fn name(pattern: &Pat) -> Parsed<Ident> {
    match pattern {
        Pat::Ident(inner) if inner.by_ref.is_none() && inner.mutability.is_none() && inner.subpat.is_none() => {
            Ok(inner.ident.clone())
        }
        other => Err(Diagnostic::error(Code::SYNTAX, other.span(), "expected a name for the index")
            .help("write `i`, or `(i, j)` for two ranges")),
    }
}

fn axis(name: Ident, range: &Expr) -> Parsed<Axis> {
    let expected = || {
        Diagnostic::error(Code::SYNTAX, range.span(), "expected a range with both ends")
            .help("write `a..b`, or `(a..b, c..d)` for two names")
    };
    let Expr::Range(range) = bare(range) else { return Err(expected()) };
    let (Some(start), Some(end)) = (&range.start, &range.end) else { return Err(expected()) };
    let inclusive = matches!(range.limits, RangeLimits::Closed(_));
    Ok(Axis { name, start: (**start).clone(), end: (**end).clone(), inclusive })
}

/// Without parentheses and the invisible groups of a `macro_rules`.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}
