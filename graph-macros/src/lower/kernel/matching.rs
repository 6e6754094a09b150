//! `match v { 0 => { … } 1 | 4..8 => { … } _ => { … } }` in a body: one `if` after another.

use graph_ir::model::{BinaryOperator, Expression, Statement, UnaryOperator};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Arm, Expr, ExprMatch, Pat, PatGuard};

use super::{Body, Name};
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
    fn arms(&mut self, value: u32, arms: &[Arm]) -> (Vec<Statement>, TokenStream) {
        let Some((arm, rest)) = arms.split_first() else { return (Vec::new(), TokenStream::new()) };
        let (pattern, guard) = parts(&arm.pat);
        let (name, patterns) = match crate::syntax::body_patterns(pattern) {
            Ok(found) => found,
            Err(fault) => return (Vec::new(), self.refuse(fault).rust),
        };
        let guard = guard.map(|guard| (guard, self.local(String::new(), None)));
        let taken = guard.map(|(_, taken)| taken);
        let (then, (guard, body)) = self.perhaps(|this| this.arm(value, name, arm, guard));
        let (otherwise, behind) = self.rest(value, rest);
        let rust = quote_spanned!(pattern.span()=> #pattern #guard => { #body });
        let statements = match (condition(value, &patterns), taken) {
            (Some(condition), None) => vec![Statement::If { condition, then, otherwise }],
            (None, None) => then,
            (condition, Some(taken)) => guarded(condition, taken, then, otherwise),
        };
        (statements, quote!(#rust #behind))
    }

    /// What an arm does, with its guard, which notes in a name that the arm is taken.
    fn arm(
        &mut self,
        value: u32,
        name: Option<&Ident>,
        arm: &Arm,
        guard: Option<(&PatGuard, u32)>,
    ) -> (Option<TokenStream>, TokenStream) {
        if let Some(name) = name {
            let local = self.declare(name, None, |local| Name { local, polynomial: None });
            self.push(Statement::Let { local, value: Some(Expression::Local(value)) });
        }
        let Some((guard, taken)) = guard else { return (None, self.arm_body(arm)) };
        let (word, test) = (&guard.if_token, self.value(&guard.guard));
        let (then, body) = self.perhaps(|this| {
            this.push(Statement::Assign { local: taken, value: Expression::Boolean(true) });
            this.arm_body(arm)
        });
        self.push(Statement::If { condition: test.data, then, otherwise: Vec::new() });
        let test = test.rust;
        (Some(quote!(#word #test)), body)
    }

    fn arm_body(&mut self, arm: &Arm) -> TokenStream {
        match &*arm.body {
            Expr::Block(block) => self.statements(&block.block.stmts),
            single => self.expression_statement(single),
        }
    }

    /// The arms behind one, which run only if it does not.
    fn rest(&mut self, local: u32, arms: &[Arm]) -> (Vec<Statement>, TokenStream) {
        let (block, (inner, rust)) = self.perhaps(|this| this.arms(local, arms));
        (block.into_iter().chain(inner).collect(), rust)
    }
}

/// The pattern of an arm, and its guard.
fn parts(pattern: &Pat) -> (&Pat, Option<&PatGuard>) {
    match pattern {
        Pat::Guard(guard) => (&guard.pat, Some(guard)),
        other => (other, None),
    }
}

/// An arm with a guard, which is within `then` and notes that the arm is `taken`; the others run if it is not.
fn guarded(
    condition: Option<Expression>,
    taken: u32,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
) -> Vec<Statement> {
    let mut statements = vec![Statement::Let { local: taken, value: Some(Expression::Boolean(false)) }];
    match condition {
        Some(condition) => statements.push(Statement::If { condition, then, otherwise: Vec::new() }),
        None => statements.extend(then),
    }
    let operand = Box::new(Expression::Local(taken));
    let condition = Expression::Unary { operator: UnaryOperator::Not, operand };
    statements.push(Statement::If { condition, then: otherwise, otherwise: Vec::new() });
    statements
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
