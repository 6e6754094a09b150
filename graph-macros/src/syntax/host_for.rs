//! `for pattern in iterator { … }`: Rust's own, over any iterator of host values.

use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::{Pat, Token};

use super::ast::For;
use super::stream::{at_group, strict};
use super::{Parsed, Parser, expression};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    pub(super) fn for_statement(&mut self, input: ParseStream<'_>) -> Parsed<For> {
        let keyword = input.parse()?;
        let pattern = strict(input, Pat::parse_multi_with_leading_vert)?;
        if !input.peek(Token![in]) {
            return Err(Diagnostic::plain(input.span(), "expected `in` behind the pattern of a `for`"));
        }
        input.parse::<Token![in]>()?;
        let iterable = expression::before_block(input)?;
        if !at_group(input.cursor(), Delimiter::Brace) {
            return Err(Diagnostic::plain(input.span(), "expected `{`"));
        }
        let body = self.body(input)?;
        Ok(For { keyword, pattern, iterable, body })
    }
}
