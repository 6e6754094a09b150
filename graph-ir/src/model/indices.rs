//! The indices of a body, in the order in which they are computed.

use super::{Compute, Expression, Index, Statement};

impl Compute {
    /// Calls `visit` with each element's access and index, in text order; an index within another comes before it.
    pub fn indices_mut(&mut self, visit: &mut impl FnMut(u32, &mut Index)) {
        statements(&mut self.body, visit);
        if let Some(reduction) = &mut self.reduction {
            expression(&mut reduction.value, visit);
        }
    }
}

fn statements(body: &mut [Statement], visit: &mut impl FnMut(u32, &mut Index)) {
    for statement in body {
        match statement {
            Statement::Let { value: None, .. } | Statement::Break(_) | Statement::Continue(_) => {}
            Statement::Let { value: Some(value), .. } | Statement::Assign { value, .. } => expression(value, visit),
            Statement::Store { access, index, value } => {
                one(*access, index, visit);
                expression(value, visit);
            }
            Statement::If { condition, then, otherwise } => {
                expression(condition, visit);
                statements(then, visit);
                statements(otherwise, visit);
            }
            Statement::For { start, end, body, .. } => {
                expression(start, visit);
                expression(end, visit);
                statements(body, visit);
            }
            Statement::While { condition, body } => {
                expression(condition, visit);
                statements(body, visit);
            }
        }
    }
}

fn one(access: u32, index: &mut Index, visit: &mut impl FnMut(u32, &mut Index)) {
    index.coordinates.iter_mut().for_each(|coordinate| expression(coordinate, visit));
    visit(access, index);
}

fn expression(whole: &mut Expression, visit: &mut impl FnMut(u32, &mut Index)) {
    match whole {
        Expression::Load { access, index } => one(*access, index, visit),
        Expression::Unary { operand, .. } | Expression::Cast { operand, .. } => expression(operand, visit),
        Expression::Binary { left, right, .. } => {
            expression(left, visit);
            expression(right, visit);
        }
        Expression::Call { operands, .. } => operands.iter_mut().for_each(|operand| expression(operand, visit)),
        Expression::Select { condition, then, otherwise } => {
            for part in [condition, then, otherwise] {
                expression(part, visit);
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
