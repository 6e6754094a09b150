//! `match v { 0 => { … } 1 | 4..8 => { … } _ => { … } }` in a body: one `if` after another.

use graph_ir::model::{BinaryOperator, Expression, Statement, UnaryOperator};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Arm, Expr, ExprMatch};

use super::Body;
use crate::syntax::ast::ArmPattern;

impl Body<'_, '_> {
    pub(super) fn match_statement(&mut self, written: &ExprMatch) -> TokenStream {
        let value = self.value(&written.expr);
        let local = self.local(String::new(), None);
        self.push(Statement::Let { local, value: Some(value.data) });
        let (statements, arms) = self.arms(local, &written.arms);
        self.append(statements);
        let value = value.rust;
        quote_spanned!(written.match_token.span=> match #value { #arms })
    }

    /// The first arm, or else the others.
    fn arms(&mut self, local: u32, arms: &[Arm]) -> (Vec<Statement>, TokenStream) {
        let Some((arm, rest)) = arms.split_first() else { return (Vec::new(), TokenStream::new()) };
        let patterns = match crate::syntax::patterns(&arm.pat) {
            Ok(patterns) => patterns,
            Err(fault) => return (Vec::new(), self.refuse(fault).rust),
        };
        let pattern = arm.pat.to_token_stream();
        let (then, body) = self.perhaps(|this| match &*arm.body {
            Expr::Block(block) => this.statements(&block.block.stmts),
            single => this.expression_statement(single),
        });
        let (otherwise, behind) = self.rest(local, rest);
        let rust = quote_spanned!(arm.pat.span()=> #pattern => { #body });
        let statements = match condition(local, &patterns) {
            Some(condition) => vec![Statement::If { condition, then, otherwise }],
            None => then,
        };
        (statements, quote!(#rust #behind))
    }

    /// The arms behind one, which run only if it does not.
    fn rest(&mut self, local: u32, arms: &[Arm]) -> (Vec<Statement>, TokenStream) {
        let (block, (inner, rust)) = self.perhaps(|this| this.arms(local, arms));
        (block.into_iter().chain(inner).collect(), rust)
    }
}

/// Whether a value is among the patterns; none for `_`, which any is.
fn condition(local: u32, patterns: &[ArmPattern]) -> Option<Expression> {
    patterns.iter().map(|pattern| is(local, pattern)).reduce(|a, b| binary(BinaryOperator::Or, a, b))
}

fn is(local: u32, pattern: &ArmPattern) -> Expression {
    let compare = |operator, bound| binary(operator, Expression::Local(local), literal(bound));
    match (pattern.first, pattern.last) {
        (first, last) if first == last => compare(BinaryOperator::Eq, first),
        (i128::MIN, i128::MAX) => Expression::Boolean(true),
        (i128::MIN, last) => compare(BinaryOperator::Le, last),
        (first, i128::MAX) => compare(BinaryOperator::Ge, first),
        (first, last) => {
            let (above, below) = (compare(BinaryOperator::Ge, first), compare(BinaryOperator::Le, last));
            binary(BinaryOperator::And, above, below)
        }
    }
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::Binary { operator, left: Box::new(left), right: Box::new(right) }
}

fn literal(value: i128) -> Expression {
    let digits = Expression::Literal { text: value.unsigned_abs().to_string(), suffix: None };
    if value >= 0 {
        return digits;
    }
    Expression::Unary { operator: UnaryOperator::Neg, operand: Box::new(digits) }
}
