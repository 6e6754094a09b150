//! What a body computes, by a walk over the tree.

use std::ops::ControlFlow;

use super::number::{self, Value, boolean};
use super::{AxisNumbers, Case, Contents};
use crate::model::{
    BinaryOperator, Combine, Expression, Index, Method, Reduction, ScalarType, Statement, UnaryOperator,
};

/// How a pass of a loop ends early: how many loops around it end first.
enum Leave {
    Break(u32),
    Continue(u32),
}

impl Leave {
    /// What becomes of the loop whose pass has ended so: `None` if its next pass begins, else how its own surroundings go on.
    fn through(self) -> Option<ControlFlow<Self>> {
        match self {
            Self::Break(0) => Some(ControlFlow::Continue(())),
            Self::Continue(0) => None,
            Self::Break(loops) => Some(ControlFlow::Break(Self::Break(loops - 1))),
            Self::Continue(loops) => Some(ControlFlow::Break(Self::Continue(loops - 1))),
        }
    }
}

/// A body that is being interpreted.
struct Run<'c> {
    case: &'c Case,
    buffers: Vec<Contents>,
    locals: Vec<Option<Value>>,
}

impl Case {
    /// The buffers as they are behind the body.
    pub fn interpret(&self) -> Vec<Contents> {
        let mut run = Run { case: self, buffers: self.buffers.clone(), locals: vec![None; self.compute.locals.len()] };
        match &self.compute.reduction {
            None => run.each(&mut |_, _| {}),
            Some(reduction) => run.reduce(reduction),
        }
        run.buffers
    }
}

/// The type in which elements stored as this are computed with.
pub(super) fn computed(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::F16 | ScalarType::BF16 => ScalarType::F32,
        other => other,
    }
}

impl Run<'_> {
    /// Runs the body for each index, the last axis fastest, and calls `behind` with the index's number.
    fn each(&mut self, behind: &mut dyn FnMut(&mut Self, u64)) {
        let case = self.case;
        let total: u64 = case.axes.iter().map(|axis| axis.count).product();
        for number in 0..total {
            self.locals.fill(None);
            let mut rest = number;
            for (axis, AxisNumbers { start, count, scalar }) in case.compute.axes.iter().zip(&case.axes).rev() {
                let index = i128::from(*start) + i128::from(rest % count);
                self.locals[axis.local as usize] = Some(Value::Integer(*scalar, index));
                rest /= count;
            }
            let _ = self.statements(&case.compute.body);
            behind(self, number);
        }
    }

    /// As documented: so many accumulators, each taking every so many values, then neighbours.
    fn reduce(&mut self, reduction: &Reduction) {
        let total: u64 = self.case.axes.iter().map(|axis| axis.count).product();
        let blocks = total.div_ceil(1024).clamp(1, 256).next_power_of_two();
        let scalar = computed(self.case.buffers[self.case.accesses[0].buffer].scalar);
        let mut accumulators = vec![neutral(reduction.operator, scalar); blocks as usize * 1024];
        let count = accumulators.len() as u64;
        self.each(&mut |run, number| {
            let value = run.value(&reduction.value, Some(scalar));
            let into = &mut accumulators[(number % count) as usize];
            *into = combine(reduction.operator, *into, value);
        });
        while accumulators.len() > 1 {
            accumulators = accumulators.chunks(2).map(|pair| combine(reduction.operator, pair[0], pair[1])).collect();
        }
        let old = self.element(0);
        let value =
            if reduction.accumulate { combine(reduction.operator, old, accumulators[0]) } else { accumulators[0] };
        let (buffer, at) = (self.case.accesses[0].buffer, self.case.accesses[0].ranges[0].0);
        let stored = self.buffers[buffer].scalar;
        self.buffers[buffer].bits[at as usize] = value.bits(stored);
    }

    fn statements(&mut self, statements: &[Statement]) -> ControlFlow<Leave> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> ControlFlow<Leave> {
        match statement {
            Statement::Let { value: None, .. } => {}
            Statement::Let { local, value: Some(value) } | Statement::Assign { local, value } => {
                let known = self.locals[*local as usize].map(Value::scalar);
                let declared = self.case.compute.locals[*local as usize].scalar;
                self.locals[*local as usize] = Some(self.value(value, declared.or(known)));
            }
            Statement::Store { access, index, value } => {
                let buffer = self.case.accesses[*access as usize].buffer;
                let stored = self.buffers[buffer].scalar;
                let bits = self.value(value, Some(computed(stored))).bits(stored);
                if let Some(at) = self.place(*access, index) {
                    self.buffers[buffer].bits[at] = bits;
                }
            }
            Statement::If { condition, then, otherwise } => {
                let holds = self.value(condition, None).holds();
                return self.statements(if holds { then } else { otherwise });
            }
            Statement::For { local, start, end, inclusive, body } => {
                let first = self.value(start, None);
                let last = self.value(end, Some(first.scalar())).number() + i128::from(*inclusive);
                return self.count(*local, first, last, body);
            }
            Statement::While { condition, body } => {
                while self.value(condition, None).holds() {
                    if let Some(left) = self.pass(body) {
                        return left;
                    }
                }
            }
            Statement::Break(loops) => return ControlFlow::Break(Leave::Break(*loops)),
            Statement::Continue(loops) => return ControlFlow::Break(Leave::Continue(*loops)),
        }
        ControlFlow::Continue(())
    }

    /// How the surroundings of a loop go on behind this pass, if it was the last one.
    fn pass(&mut self, body: &[Statement]) -> Option<ControlFlow<Leave>> {
        self.statements(body).break_value().and_then(Leave::through)
    }

    fn count(&mut self, local: u32, first: Value, last: i128, body: &[Statement]) -> ControlFlow<Leave> {
        for number in first.number()..last {
            self.locals[local as usize] = Some(Value::Integer(first.scalar(), number));
            if let Some(left) = self.pass(body) {
                return left;
            }
        }
        ControlFlow::Continue(())
    }

    /// An expression; a literal without a type has that of its place.
    fn value(&self, expression: &Expression, place: Option<ScalarType>) -> Value {
        match expression {
            Expression::Literal { text, suffix } => literal(text, suffix.or(place)),
            Expression::Boolean(value) => boolean(*value),
            Expression::Neutral(combine) => neutral(*combine, place.unwrap_or(ScalarType::I32)),
            Expression::Element(access) => self.element(*access),
            Expression::Local(local) => self.locals[*local as usize].unwrap_or(boolean(false)),
            Expression::Load { access, index } => {
                let contents = &self.buffers[self.case.accesses[*access as usize].buffer];
                let bits = self.place(*access, index).map_or(0, |at| contents.bits[at]);
                Value::of_bits(contents.scalar, bits)
            }
            Expression::Host(symbol) => self.case.hosts[symbol.0 as usize],
            Expression::Unary { operator, operand } => {
                let value = self.value(operand, place);
                match operator {
                    UnaryOperator::Neg => number::negated(value),
                    UnaryOperator::Not => number::flipped(value),
                }
            }
            Expression::Binary { operator, left, right } => {
                let left = self.value(left, place);
                number::binary(*operator, left, self.value(right, Some(left.scalar())))
            }
            Expression::Cast { operand, target } => number::cast(self.value(operand, None), *target),
            Expression::Call { method, operands } => self.call(*method, operands, place),
            Expression::Select { condition, then, otherwise } => {
                self.value(if self.value(condition, None).holds() { then } else { otherwise }, place)
            }
        }
    }

    fn call(&self, method: Method, operands: &[Expression], place: Option<ScalarType>) -> Value {
        let Some((receiver, others)) = operands.split_first() else { return boolean(false) };
        let receiver = self.value(receiver, place);
        let others = others.iter().map(|operand| self.value(operand, Some(receiver.scalar())));
        let values: Vec<Value> = std::iter::once(receiver).chain(others).collect();
        number::method(method, &values)
    }

    fn element(&self, access: u32) -> Value {
        let touching = &self.case.accesses[access as usize];
        let contents = &self.buffers[touching.buffer];
        Value::of_bits(contents.scalar, contents.bits[touching.ranges[0].0 as usize])
    }

    /// The number of an element in its buffer, if there is one.
    fn place(&self, access: u32, index: &Index) -> Option<usize> {
        let contents = &self.buffers[self.case.accesses[access as usize].buffer];
        let mut number = 0_u64;
        for (coordinate, length) in index.coordinates.iter().zip(&contents.shape) {
            let at = u64::try_from(self.value(coordinate, None).number()).ok().filter(|at| at < length)?;
            number = number * length + at;
        }
        Some(number as usize)
    }
}

fn neutral(operator: Combine, scalar: ScalarType) -> Value {
    let float = number::is_float(scalar);
    let of = |number: i128, limit: f64| {
        if float { Value::Float(scalar, limit) } else { Value::Integer(scalar, number) }
    };
    let bits = number::width(scalar);
    let (least, most) =
        if number::is_signed(scalar) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1_i128 << bits) - 1) };
    match operator {
        Combine::Sum => of(0, 0.0),
        Combine::Product => of(1, 1.0),
        Combine::Min => of(most, f64::INFINITY),
        Combine::Max => of(least, f64::NEG_INFINITY),
    }
}

fn combine(operator: Combine, left: Value, right: Value) -> Value {
    match operator {
        Combine::Sum => number::binary(BinaryOperator::Add, left, right),
        Combine::Product => number::binary(BinaryOperator::Mul, left, right),
        Combine::Min | Combine::Max => number::extremum(operator == Combine::Max, left, right),
    }
}

/// Without a place, as Rust does: `i32` and `f64`.
fn literal(text: &str, scalar: Option<ScalarType>) -> Value {
    let float = text.contains('.');
    match scalar.unwrap_or(if float { ScalarType::F64 } else { ScalarType::I32 }) {
        ScalarType::F32 => Value::Float(ScalarType::F32, f64::from(text.parse::<f32>().unwrap_or(0.0))),
        scalar if number::is_float(scalar) => Value::Float(scalar, text.parse().unwrap_or(0.0)),
        scalar => Value::Integer(scalar, text.parse().unwrap_or(0)),
    }
}
