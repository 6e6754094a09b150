//! `while c limit n every k { … }` and `loop limit n every k { … if c { break; } }`.
//!
//! `limit` and `every` are words only behind a complete expression, so `while limit[0] > limit limit limit every 2 {}` is one loop.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, Lifetime, Lit, LitInt, Token};

use super::ast::{Bounds, Every, KernelWhile, Loop, Until, While};
use super::stream::{at_group, at_word, braces, finished, semicolons, word};
use super::{Parsed, Parser, expression, not_yet};
use crate::diagnostic::Diagnostic;

/// The body is written out so many times at most.
const MOST_PASSES: u32 = 1000;

impl Parser<'_> {
    pub(super) fn while_statement(&mut self, input: ParseStream<'_>) -> Parsed<While> {
        let keyword = input.parse()?;
        let condition = expression::before_block(input)?;
        expression::refuse_let(&condition)?;
        let bounds = self.bounds(input)?;
        let body = self.body(input)?;
        Ok(While { keyword, condition, bounds, body })
    }

    /// `while |c| limit n { … }`
    pub(super) fn kernel_while(&mut self, input: ParseStream<'_>) -> Parsed<KernelWhile> {
        let keyword = input.parse()?;
        input.parse::<Token![|]>()?;
        if !input.peek(syn::Ident) || !input.peek2(Token![|]) {
            return Err(Diagnostic::error(Code::SYNTAX, input.span(), "expected one name between `|` and `|`")
                .help("write `while |c| { … }`, and pass `c` to the kernel that sets the condition"));
        }
        let name = input.parse()?;
        input.parse::<Token![|]>()?;
        let bounds = self.bounds(input)?;
        let body = self.body(input)?;
        Ok(KernelWhile { keyword, name, bounds, body })
    }

    pub(super) fn loop_statement(&mut self, input: ParseStream<'_>, label: Option<&Lifetime>) -> Parsed<Loop> {
        let keyword = input.parse()?;
        let bounds = self.bounds(input)?;
        if !at_group(input.cursor(), Delimiter::Brace) {
            return Err(Diagnostic::plain(input.span(), "expected `{`"));
        }
        let (_, content) = braces(input)?;
        let mut body = Vec::new();
        let mut until = None;
        semicolons(&content);
        while !content.is_empty() {
            if breaks(&content) {
                let begin = content.cursor();
                match self.until(&content, label) {
                    Ok(found) => until = found.or(until),
                    Err(fault) => self.skip_statement(&content, begin, fault),
                }
            } else {
                body.extend(self.statement(&content));
            }
            semicolons(&content);
        }
        Ok(Loop { keyword, bounds, body, until })
    }

    /// `if c { break; }`, which must be the last statement.
    fn until(&mut self, content: ParseStream<'_>, label: Option<&Lifetime>) -> Parsed<Option<Until>> {
        let mut attributes = content.call(Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        self.accept_of_statement(attributes);
        let keyword = content.parse()?;
        let condition = expression::before_block(content)?;
        expression::refuse_let(&condition)?;
        let (_, body) = braces(content)?;
        let word: Token![break] = body.parse()?;
        if let Some(outer) = body.parse::<Option<Lifetime>>()?.filter(|target| Some(target) != label) {
            return Err(
                not_yet::form(outer.span(), "`break` out of an outer loop").help("end each loop by its own condition")
            );
        }
        semicolons(&body);
        finished(&body, "`}` behind `break`")?;
        semicolons(content);
        if content.peek(Token![else]) {
            return Err(Diagnostic::error(
                Code::SYNTAX,
                content.span(),
                "`else` behind the `break` that ends a `loop`",
            )
            .help("write the pass in front of `if c { break; }`"));
        }
        if there && !content.is_empty() {
            self.diagnostics.push(
                Diagnostic::error(Code::SYNTAX, word.span(), "statements follow the `break` that ends this `loop`")
                    .help("move `if c { break; }` to the end of the `loop`"),
            );
        }
        Ok(there.then_some(Until { keyword, condition }))
    }

    /// `limit n every k`, each optional.
    fn bounds(&mut self, input: ParseStream<'_>) -> Parsed<Bounds> {
        let mut bounds = Bounds::default();
        while !at_group(input.cursor(), Delimiter::Brace) {
            if let Some(limit) = word(input, "limit") {
                self.refuse_twice(&limit, bounds.limit.is_some());
                if bounds.every.is_some() {
                    self.diagnostics.push(
                        Diagnostic::error(Code::SYNTAX, limit.span(), "expected `limit` in front of `every`")
                            .help("write `limit n every k`"),
                    );
                }
                bounds.limit = Some(expression::before_block(input)?);
            } else if let Some(every) = word(input, "every") {
                self.refuse_twice(&every, bounds.every.is_some());
                bounds.every = Some(self.every(input)?);
            } else {
                return Err(Diagnostic::plain(input.span(), expected(input)));
            }
        }
        Ok(bounds)
    }

    fn refuse_twice(&mut self, word: &Ident, again: bool) {
        if again {
            self.diagnostics.push(Diagnostic::error(Code::SYNTAX, word.span(), format!("`{word}` is written twice")));
        }
    }

    /// The body is written out `every` times: by the macro if it is a literal, else when the graph is built.
    fn every(&mut self, input: ParseStream<'_>) -> Parsed<Every> {
        let value = unwrap_groups(expression::before_block(input)?);
        let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = value else { return Ok(Every::Host(Box::new(value))) };
        if number.base10_parse().is_ok_and(|passes| (1..=MOST_PASSES).contains(&passes)) {
            return Ok(Every::Literal(number));
        }
        let message = format!("expected a number of passes from 1 to {MOST_PASSES}");
        let fault = Diagnostic::error(Code::SYNTAX, number.span(), message);
        self.diagnostics.push(fault.note("the body is written out once for each pass between two tests"));
        Ok(Every::Literal(LitInt::new("1", number.span())))
    }
}

/// What a `macro_rules` hands on stands in invisible groups.
fn unwrap_groups(mut expression: Expr) -> Expr {
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}

fn expected(input: ParseStream<'_>) -> &'static str {
    if at_word(input, "after") {
        "expected `{`: `after` stands behind the body"
    } else {
        "expected `{`, `limit` or `every`"
    }
}

/// Whether `if c { break …` stands here.
fn breaks(content: ParseStream<'_>) -> bool {
    let ahead = content.fork();
    if ahead.call(Attribute::parse_outer).is_err()
        || !ahead.peek(Token![if])
        || ahead.parse::<Token![if]>().is_err()
        || Expr::parse_without_eager_brace(&ahead).is_err()
    {
        return false;
    }
    let body = ahead.cursor().group(Delimiter::Brace);
    body.is_some_and(|(inside, _, _)| inside.ident().is_some_and(|(word, _)| word == "break"))
}
