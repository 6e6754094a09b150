//! Methods of Rust's numbers: those that have exact instructions, and calls of those that have not.

use graph_ir::model::{BinaryOperator, Method, ScalarType};

use super::body::{Body, Register};
use super::expression::{self, compare, extremum, select};
use super::{float, function, integer};
use crate::scalar::facts;
use crate::scalar::typing::Typed;

/// The register that holds the call's value.
pub(super) fn emit(body: &mut Body, method: Method, operands: &[Typed]) -> Register {
    let scalar = operands.first().map_or(ScalarType::I32, |operand| operand.scalar);
    let values: Vec<Register> = operands.iter().map(|operand| expression::emit(body, operand)).collect();
    match (method, &values[..]) {
        (Method::Min, [left, right]) => extremum(body, "min", scalar, *left, *right),
        (Method::Max, [left, right]) => extremum(body, "max", scalar, *left, *right),
        (Method::Clamp, [value, low, high]) => clamp(body, scalar, *value, *low, *high),
        _ if function::needs_library(method) => function::call(body, method, scalar, &values),
        _ if facts::is_float(scalar) => float::call(body, method, scalar, &values),
        _ => integer::call(body, method, scalar, &values),
    }
}

/// `if x < low { low } else { x }`, then the same above: a NaN stays.
fn clamp(body: &mut Body, scalar: ScalarType, value: Register, low: Register, high: Register) -> Register {
    let below = compare(body, BinaryOperator::Lt, scalar, value, low);
    let raised = select(body, below, low, value);
    let above = compare(body, BinaryOperator::Gt, scalar, raised, high);
    select(body, above, high, raised)
}
