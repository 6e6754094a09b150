//! `if … else if … else …`. Whether the device or the build decides shows only when names are resolved.

use syn::Token;
use syn::parse::ParseStream;

use super::ast::{If, Statement, StatementKind};
use super::{Parsed, Parser, expression};

impl Parser<'_> {
    pub(super) fn if_statement(&mut self, input: ParseStream<'_>) -> Parsed<If> {
        let keyword: Token![if] = input.parse()?;
        let condition = expression::before_block(input)?;
        let then = self.body(input)?;
        let otherwise = match input.parse::<Option<Token![else]>>()? {
            Some(word) => Some((word, self.otherwise(input)?)),
            None => None,
        };
        Ok(If { keyword, condition, then, otherwise })
    }

    /// What stands behind `else`.
    fn otherwise(&mut self, input: ParseStream<'_>) -> Parsed<Vec<Statement>> {
        if !input.peek(Token![if]) {
            return self.body(input);
        }
        let kind = StatementKind::If(self.if_statement(input)?);
        Ok(vec![Statement { attributes: Vec::new(), label: None, kind, after: Vec::new() }])
    }
}
