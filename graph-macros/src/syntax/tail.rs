//! What stands behind a statement: `after 'a, 'b` and `;`. The words are words only behind a complete statement; behind `}` a label must
//! follow, since `after<<<1, 1>>>();` is a kernel's launch.

use graph_ir::code::Code;
use proc_macro2::TokenTree;
use syn::parse::ParseStream;
use syn::{Lifetime, Token};

use super::recovery::{advance, begins_line};
use super::stream::{at_word, between, previous_span, word};
use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// The labels of `after`; a fault here is reported and skipped, the statement stands.
    pub(super) fn tail(&mut self, input: ParseStream<'_>, behind_block: bool) -> Vec<Lifetime> {
        let begin = input.cursor();
        match after(input, behind_block) {
            Ok(labels) => {
                if !behind_block || !labels.is_empty() {
                    self.semicolon(input);
                }
                labels
            }
            Err(fault) => {
                self.diagnostics.push(fault);
                advance(input, past_semicolon);
                self.keep_names(between(begin, input.cursor()));
                Vec::new()
            }
        }
    }

    /// The closing `;`. Without one, what follows is parsed as a statement if it may be one.
    fn semicolon(&mut self, input: ParseStream<'_>) {
        if input.peek(Token![;]) {
            // Just seen.
            let _ = input.parse::<Token![;]>();
            return;
        }
        self.diagnostics.push(Diagnostic::plain(previous_span(input), "expected `;` behind this statement"));
        if begins_line(input.cursor()) {
            self.spilled = true;
        } else {
            let begin = input.cursor();
            advance(input, past_semicolon);
            self.keep_names(between(begin, input.cursor()));
        }
    }
}

fn after(input: ParseStream<'_>, behind_block: bool) -> Parsed<Vec<Lifetime>> {
    let mut labels = Vec::new();
    let follows = input.cursor().ident().is_some_and(|(_, next)| next.lifetime().is_some());
    if !at_word(input, "after") || (behind_block && !follows) {
        return Ok(labels);
    }
    word(input, "after");
    loop {
        if !input.peek(Lifetime) {
            return Err(no_label(input));
        }
        labels.push(input.parse()?);
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(labels);
        }
    }
}

fn no_label(input: ParseStream<'_>) -> Diagnostic {
    let fault = Diagnostic::error(Code::SYNTAX, input.span(), "expected a label behind `after`");
    match input.cursor().ident() {
        Some((name, _)) => fault.help(format!("labels start with a quote: `'{name}`")),
        None => fault,
    }
}

fn past_semicolon(mut cursor: syn::buffer::Cursor<'_>) -> syn::buffer::Cursor<'_> {
    while let Some((token, next)) = cursor.token_tree() {
        cursor = next;
        if matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';') {
            break;
        }
    }
    cursor
}
