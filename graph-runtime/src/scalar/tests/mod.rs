//! Typing, literals and PTX, against what Rust does and what an assembler takes.

mod assembled;
mod computes;
mod entries;
mod literals;
mod random;
mod resident;
mod typed;

use graph_ir::model::{BinaryOperator, Expression, Method, ScalarType, SymbolId, UnaryOperator};

use super::typing::{Expected, Inferred, Types, infer};

fn literal(text: &str) -> Expression {
    Expression::Literal { text: text.to_owned(), suffix: None }
}

fn suffixed(text: &str, suffix: ScalarType) -> Expression {
    Expression::Literal { text: text.to_owned(), suffix: Some(suffix) }
}

fn element(access: u32) -> Expression {
    Expression::Element(access)
}

fn host(symbol: u32) -> Expression {
    Expression::Host(SymbolId(symbol))
}

fn unary(operator: UnaryOperator, operand: Expression) -> Expression {
    Expression::Unary { operator, operand: Box::new(operand) }
}

fn neg(operand: Expression) -> Expression {
    unary(UnaryOperator::Neg, operand)
}

fn binary(left: Expression, operator: BinaryOperator, right: Expression) -> Expression {
    Expression::Binary { operator, left: Box::new(left), right: Box::new(right) }
}

fn cast(operand: Expression, target: ScalarType) -> Expression {
    Expression::Cast { operand: Box::new(operand), target }
}

fn call(method: Method, operands: impl Into<Vec<Expression>>) -> Expression {
    Expression::Call { method, operands: operands.into() }
}

fn select(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    Expression::Select { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
}

/// Access `i` has elements of type `elements[i]`, symbol `i` the same type.
fn with_types<R>(elements: &[ScalarType], run: impl FnOnce(&Types<'_>) -> R) -> R {
    let of = |index: u32| elements.get(index as usize).copied();
    run(&Types { element: &of, host: &|symbol| of(symbol.0), mailbox: &|_| false })
}

fn typed(expression: &Expression, elements: &[ScalarType], expected: Expected) -> Result<Inferred, String> {
    with_types(elements, |types| infer(expression, types, expected))
}
