//! Expressions and bodies with other numbers for their accesses and names: for putting several into one.

use super::{Axis, Compute, Expression, Index, Local, Place, Reduction, Statement, SymbolId};

/// New numbers.
pub struct Renumber<'f> {
    /// Of accesses.
    pub access: &'f dyn Fn(u32) -> u32,
    /// Of names.
    pub local: &'f dyn Fn(u32) -> u32,
    /// Of host values.
    pub host: &'f dyn Fn(SymbolId) -> SymbolId,
    /// Of places.
    pub place: &'f dyn Fn(Place) -> Place,
}

impl Renumber<'_> {
    /// An expression with the new numbers.
    pub fn expression(&self, expression: &Expression) -> Expression {
        let boxed = |inner: &Expression| Box::new(self.expression(inner));
        match expression {
            Expression::Literal { .. } | Expression::Boolean(_) | Expression::Neutral(_) => expression.clone(),
            Expression::Host(symbol) => Expression::Host((self.host)(*symbol)),
            Expression::Element(access) => Expression::Element((self.access)(*access)),
            Expression::Local(local) => Expression::Local((self.local)(*local)),
            Expression::Load { access, index } => {
                Expression::Load { access: (self.access)(*access), index: Box::new(self.index(index)) }
            }
            Expression::Unary { operator, operand } => {
                Expression::Unary { operator: *operator, operand: boxed(operand) }
            }
            Expression::Binary { operator, left, right } => {
                Expression::Binary { operator: *operator, left: boxed(left), right: boxed(right) }
            }
            Expression::Cast { operand, target } => Expression::Cast { operand: boxed(operand), target: *target },
            Expression::Call { method, operands } => {
                let operands = operands.iter().map(|operand| self.expression(operand)).collect();
                Expression::Call { method: *method, operands }
            }
            Expression::Select { condition, then, otherwise } => {
                Expression::Select { condition: boxed(condition), then: boxed(then), otherwise: boxed(otherwise) }
            }
        }
    }

    fn axis(&self, axis: &Axis) -> Axis {
        Axis { local: (self.local)(axis.local), start: self.expression(&axis.start), end: self.expression(&axis.end) }
    }

    fn index(&self, index: &Index) -> Index {
        let coordinates = index.coordinates.iter().map(|coordinate| self.expression(coordinate)).collect();
        Index { coordinates, proved: index.proved, place: (self.place)(index.place) }
    }

    /// A kernel with the new numbers. Its names keep theirs.
    pub fn compute(&self, compute: &Compute) -> Compute {
        let reduction = compute.reduction.as_ref().map(|reduction| Reduction {
            operator: reduction.operator,
            value: self.expression(&reduction.value),
            accumulate: reduction.accumulate,
        });
        Compute {
            axes: compute.axes.iter().map(|axis| self.axis(axis)).collect(),
            locals: compute.locals.clone(),
            body: self.statements(&compute.body),
            reduction,
        }
    }

    /// Statements with the new numbers.
    pub fn statements(&self, statements: &[Statement]) -> Vec<Statement> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&self, statement: &Statement) -> Statement {
        match statement {
            Statement::Let { local, value } => Statement::Let {
                local: (self.local)(*local),
                value: value.as_ref().map(|value| self.expression(value)),
            },
            Statement::Assign { local, value } => {
                Statement::Assign { local: (self.local)(*local), value: self.expression(value) }
            }
            Statement::Store { access, index, value } => Statement::Store {
                access: (self.access)(*access),
                index: self.index(index),
                value: self.expression(value),
            },
            Statement::If { condition, then, otherwise } => Statement::If {
                condition: self.expression(condition),
                then: self.statements(then),
                otherwise: self.statements(otherwise),
            },
            Statement::For { local, start, end, inclusive, body } => Statement::For {
                local: (self.local)(*local),
                start: self.expression(start),
                end: self.expression(end),
                inclusive: *inclusive,
                body: self.statements(body),
            },
            Statement::While { condition, body } => {
                Statement::While { condition: self.expression(condition), body: self.statements(body) }
            }
            Statement::Break(loops) => Statement::Break(*loops),
            Statement::Continue(loops) => Statement::Continue(*loops),
        }
    }
}

impl Compute {
    /// One kernel that does what all of these do for each index, one behind the other. They have the same axes; only the last may be a
    /// reduction. `access(k, a)` is the new number of access `a` of kernel `k`, `host(k, s)` that of a host value.
    pub fn concatenated(
        kernels: &[&Self],
        access: &dyn Fn(usize, u32) -> u32,
        host: &dyn Fn(usize, SymbolId) -> SymbolId,
    ) -> Self {
        let mut axes: Vec<Axis> = Vec::new();
        let (mut locals, mut body, mut reduction): (Vec<Local>, Vec<Statement>, Option<Reduction>) = Default::default();
        for (number, kernel) in kernels.iter().enumerate() {
            let host = |symbol| host(number, symbol);
            if axes.is_empty() {
                locals.extend(kernel.axes.iter().map(|axis| kernel.locals[axis.local as usize].clone()));
                let renumber =
                    Renumber { access: &|access| access, local: &|local| local, host: &host, place: &|place| place };
                let shared = kernel.axes.iter().zip(0..).map(|(axis, local)| Axis { local, ..renumber.axis(axis) });
                axes.extend(shared);
            }
            let numbers = own_names(kernel, &axes, &mut locals);
            let local = |local: u32| numbers[local as usize];
            let renumber =
                Renumber { access: &|old| access(number, old), local: &local, host: &host, place: &|place| place };
            body.extend(renumber.statements(&kernel.body));
            reduction = kernel.reduction.as_ref().map(|reduction| Reduction {
                operator: reduction.operator,
                value: renumber.expression(&reduction.value),
                accumulate: reduction.accumulate,
            });
        }
        Self { axes, locals, body, reduction }
    }
}

/// The new number of each of a kernel's names: those of its axes are shared, the others are added to `locals`.
fn own_names(kernel: &Compute, axes: &[Axis], locals: &mut Vec<Local>) -> Vec<u32> {
    let number = |(index, local): (usize, &Local)| {
        let axis = kernel.axes.iter().position(|axis| axis.local as usize == index);
        axis.map_or_else(
            || {
                locals.push(local.clone());
                locals.len() as u32 - 1
            },
            |axis| axes[axis].local,
        )
    };
    kernel.locals.iter().enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Place;

    fn at(local: u32) -> Index {
        Index { coordinates: vec![Expression::Local(local)], proved: true, place: Place(0) }
    }

    fn kernel(along: u32, reduction: Option<Reduction>) -> Compute {
        let name = |name: &str| Local { name: name.to_owned(), scalar: None };
        let host = Expression::Boolean(true);
        let store = Statement::Store { access: 1, index: at(along), value: Expression::Local(1 - along) };
        let axes = vec![Axis { local: along, start: host.clone(), end: host }];
        Compute { axes, locals: vec![name("a"), name("b")], body: vec![store], reduction }
    }

    #[test]
    fn axes_are_shared_and_names_are_not() {
        let value = Expression::Load { access: 2, index: Box::new(at(1)) };
        let sum = Reduction { operator: crate::model::Combine::Sum, value, accumulate: false };
        let kernels = [kernel(0, None), kernel(1, Some(sum))];
        let access = |kernel, access| 10 * kernel as u32 + access;
        let one = Compute::concatenated(&[&kernels[0], &kernels[1]], &access, &|_, symbol| symbol);
        assert_eq!((one.axes.len(), one.locals.len()), (1, 3));
        let store = |access, value| Statement::Store { access, index: at(0), value: Expression::Local(value) };
        assert_eq!(one.body, [store(1, 1), store(11, 2)]);
        assert_eq!(one.reduction.unwrap().value, Expression::Load { access: 12, index: Box::new(at(0)) });
    }
}
