//! Behind the body it shows which indices the range rules prove: their data is marked.

use graph_ir::model::{Expression, Index, Statement};

pub(super) fn statements(body: &mut [Statement], proved: &[bool]) {
    for statement in body {
        match statement {
            Statement::Let { value, .. } => value.iter_mut().for_each(|value| expression(value, proved)),
            Statement::Assign { value, .. } => expression(value, proved),
            Statement::Store { access, index: at, value } => {
                index(at, *access, proved);
                expression(value, proved);
            }
            Statement::If { condition, then, otherwise } => {
                expression(condition, proved);
                statements(then, proved);
                statements(otherwise, proved);
            }
            Statement::For { start, end, body, .. } => {
                expression(start, proved);
                expression(end, proved);
                statements(body, proved);
            }
            Statement::While { condition, body } => {
                expression(condition, proved);
                statements(body, proved);
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }
}

pub(super) fn expression(value: &mut Expression, proved: &[bool]) {
    match value {
        Expression::Load { access, index: at } => index(at, *access, proved),
        Expression::Unary { operand, .. } | Expression::Cast { operand, .. } => expression(operand, proved),
        Expression::Binary { left, right, .. } => {
            expression(left, proved);
            expression(right, proved);
        }
        Expression::Call { operands, .. } => operands.iter_mut().for_each(|operand| expression(operand, proved)),
        Expression::Select { condition, then, otherwise } => {
            for part in [condition, then, otherwise] {
                expression(part, proved);
            }
        }
        Expression::Literal { .. }
        | Expression::Boolean(_)
        | Expression::Element(_)
        | Expression::Local(_)
        | Expression::Neutral(_)
        | Expression::Host(_) => {}
    }
}

fn index(index: &mut Index, access: u32, proved: &[bool]) {
    index.proved = proved.get(access as usize).copied().unwrap_or(false);
    index.coordinates.iter_mut().for_each(|coordinate| expression(coordinate, proved));
}
