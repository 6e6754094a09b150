//! One walk over a body: what each index is.

use graph_ir::model::{BinaryOperator, Method, ScalarType, UnaryOperator};

use super::affine::{Affine, Iteration, Known};
use crate::compute::AxisRange;
use crate::scalar::compute::{TypedCompute, TypedStatement};
use crate::scalar::facts;
use crate::scalar::typing::{Kind, Typed, TypedIndex};

/// An element that a body names.
#[derive(Debug)]
pub(super) struct Use {
    /// Of the node.
    pub(super) access: u32,
    /// What is known of each coordinate.
    pub(super) coordinates: Vec<Option<Known>>,
    /// Whether it is written.
    pub(super) stores: bool,
    /// It stands in a loop that has no pass.
    pub(super) never: bool,
}

/// What a body does with its indices.
#[derive(Debug)]
pub(super) struct Walk<'t> {
    /// The axes, then the inner loops.
    pub(super) iterations: Vec<Iteration>,
    /// In text order, an index within another one before it.
    pub(super) uses: Vec<Use>,
    hosts: &'t [Option<i128>],
    locals: Vec<Option<Known>>,
    /// Names that have one value each time.
    fixed: Vec<bool>,
    never: bool,
}

impl<'t> Walk<'t> {
    /// Of a body over these axes, none of which is empty, with the numbers of the host values that are integers.
    pub(super) fn over(
        compute: &TypedCompute,
        axes: &[AxisRange],
        hosts: &'t [Option<i128>],
        names: &[String],
    ) -> Self {
        let locals = vec![None; compute.locals.len()];
        let fixed = fixed(compute);
        let mut walk = Self { iterations: Vec::new(), uses: Vec::new(), hosts, locals, fixed, never: false };
        for ((local, scalar), axis) in compute.axes.iter().zip(axes) {
            let first = number(*scalar, axis.start);
            let name = names.get(*local as usize).cloned().unwrap_or_default();
            walk.iterate(*local, *scalar, Iteration { name, first, last: first + i128::from(axis.count) - 1 });
        }
        walk.statements(&compute.body, names);
        if let Some(reduction) = &compute.reduction {
            walk.value(&reduction.value);
        }
        walk
    }

    fn iterate(&mut self, local: u32, scalar: ScalarType, iteration: Iteration) {
        self.iterations.push(iteration);
        let affine = Affine::iteration(self.iterations.len() - 1);
        self.locals[local as usize] = Some(Known::new(affine, Known::EXACT, scalar, &self.iterations));
    }

    fn statements(&mut self, statements: &[TypedStatement], names: &[String]) {
        for statement in statements {
            self.statement(statement, names);
        }
    }

    fn statement(&mut self, statement: &TypedStatement, names: &[String]) {
        match statement {
            TypedStatement::Assign(local, value) => {
                let known = self.value(value);
                self.locals[*local as usize] = known.filter(|_| self.fixed[*local as usize]);
            }
            TypedStatement::Store { access, index, value, .. } => {
                self.index(*access, index, true);
                self.value(value);
            }
            TypedStatement::If(condition, then, otherwise) => {
                self.value(condition);
                self.statements(then, names);
                self.statements(otherwise, names);
            }
            TypedStatement::For { local, range, inclusive, body } => {
                let [start, end] = [self.value(&range[0]), self.value(&range[1])];
                let never = self.never;
                self.locals[*local as usize] = None;
                let bounds = self.bounds(start, end, *inclusive);
                if let Some((first, last)) = bounds {
                    self.never |= last < first;
                    let name = names.get(*local as usize).cloned().unwrap_or_default();
                    self.iterate(*local, range[0].scalar, Iteration { name, first, last: last.max(first) });
                }
                self.statements(body, names);
                self.never = never;
            }
            TypedStatement::While(condition, body) => {
                self.value(condition);
                self.statements(body, names);
            }
            TypedStatement::Break(_) | TypedStatement::Continue(_) => {}
        }
    }

    /// The least first and the greatest last number of a loop.
    fn bounds(&self, start: Option<Known>, end: Option<Known>, inclusive: bool) -> Option<(i128, i128)> {
        let (first, _) = start?.exactly(&self.iterations)?;
        let (_, last) = end?.exactly(&self.iterations)?;
        Some((first, if inclusive { last } else { last - 1 }))
    }

    fn index(&mut self, access: u32, index: &TypedIndex, stores: bool) {
        let coordinates = index.coordinates.iter().map(|coordinate| self.value(coordinate)).collect();
        self.uses.push(Use { access, coordinates, stores, never: self.never });
    }

    /// What is known of a value; the elements in it are noted.
    fn value(&mut self, typed: &Typed) -> Option<Known> {
        let (affine, bits) = match &typed.kind {
            Kind::Load(load) => {
                self.index(load.access, &load.index, false);
                return None;
            }
            Kind::Call(method, operands) => {
                let operands: Vec<_> = operands.iter().map(|operand| self.value(operand)).collect();
                Self::call(*method, typed.scalar, &operands)?
            }
            Kind::Select(operands) => {
                operands.iter().for_each(|operand| drop(self.value(operand)));
                return None;
            }
            Kind::Unary(operator, operand) => {
                let Known { affine, bits } = self.value(operand)?;
                let negative = affine.scale(-1)?;
                match operator {
                    UnaryOperator::Neg => (negative, bits),
                    UnaryOperator::Not => (negative.add(&Affine::constant(-1))?, bits),
                }
            }
            Kind::Binary(operator, operands) => {
                let [left, right] = [self.value(&operands[0]), self.value(&operands[1])];
                Self::binary(*operator, operands[0].scalar, &left?, &right?)?
            }
            Kind::Cast(operand) => {
                let Known { affine, bits } = self.value(operand).filter(|_| facts::is_integer(operand.scalar))?;
                (affine, bits)
            }
            Kind::Constant(bits) => (Affine::constant(number(typed.scalar, *bits)), Known::EXACT),
            Kind::Host(slot) => (Affine::constant((*self.hosts.get(*slot as usize)?)?), Known::EXACT),
            Kind::Local(local) => return self.locals[*local as usize].clone(),
            Kind::Element(..) | Kind::Mail(..) => return None,
        };
        facts::is_integer(typed.scalar).then(|| Known::new(affine, bits, typed.scalar, &self.iterations))
    }

    fn binary(operator: BinaryOperator, scalar: ScalarType, left: &Known, right: &Known) -> Option<(Affine, u32)> {
        use BinaryOperator as B;
        let bits = left.bits.min(right.bits);
        let (a, b) = (&left.affine, &right.affine);
        Some(match operator {
            B::Add => (a.add(b)?, bits),
            B::Sub => (a.add(&b.scale(-1)?)?, bits),
            B::Mul => match (a.as_constant(), b.as_constant()) {
                (_, Some(factor)) => (a.scale(factor)?, bits),
                (Some(factor), None) => (b.scale(factor)?, bits),
                (None, None) => return None,
            },
            B::Shl => {
                let amount = right.as_constant()?.rem_euclid(i128::from(facts::width(scalar)));
                (a.scale(1 << amount)?, left.bits)
            }
            _ => {
                let value = folded(operator, scalar, left.as_constant()?, right.as_constant()?)?;
                (Affine::constant(value), Known::EXACT)
            }
        })
    }

    fn call(method: Method, scalar: ScalarType, operands: &[Option<Known>]) -> Option<(Affine, u32)> {
        let operator = match method {
            Method::WrappingAdd => BinaryOperator::Add,
            Method::WrappingSub => BinaryOperator::Sub,
            Method::WrappingMul => BinaryOperator::Mul,
            _ => {
                let numbers = operands.iter().map(|operand| operand.as_ref()?.as_constant());
                let value = called(method, &numbers.collect::<Option<Vec<_>>>()?)?;
                return Some((Affine::constant(value), Known::EXACT));
            }
        };
        let [left, right] = operands else { return None };
        Self::binary(operator, scalar, left.as_ref()?, right.as_ref()?)
    }
}

/// Of two numbers.
fn folded(operator: BinaryOperator, scalar: ScalarType, left: i128, right: i128) -> Option<i128> {
    use BinaryOperator as B;
    Some(match operator {
        B::Div => left.checked_div(right).unwrap_or(0),
        B::Rem => left.checked_rem(right).unwrap_or(0),
        B::BitAnd => left & right,
        B::BitOr => left | right,
        B::BitXor => left ^ right,
        B::Shr => left >> right.rem_euclid(i128::from(facts::width(scalar))),
        _ => return None,
    })
}

fn called(method: Method, operands: &[i128]) -> Option<i128> {
    Some(match (method, operands) {
        (Method::Min, [a, b]) => *a.min(b),
        (Method::Max, [a, b]) => *a.max(b),
        (Method::AbsDiff, [a, b]) => (a - b).abs(),
        (Method::Abs, [a]) => a.abs(),
        (Method::Clamp, [a, low, high]) => *a.max(low).min(high),
        (Method::RemEuclid, [a, b]) => a.checked_rem_euclid(*b).unwrap_or(0),
        (Method::Pow, [a, b]) => a.wrapping_pow(u32::try_from(*b).ok()?),
        _ => return None,
    })
}

/// An integer's bits as a number.
pub(super) fn number(scalar: ScalarType, bits: u64) -> i128 {
    let unused = 128 - facts::width(scalar);
    let high = i128::from(bits) << unused;
    if facts::is_signed(scalar) { high >> unused } else { (high.cast_unsigned() >> unused).cast_signed() }
}

/// Names that are given a value at one place only.
fn fixed(compute: &TypedCompute) -> Vec<bool> {
    let mut times = vec![0; compute.locals.len()];
    for statement in &compute.body {
        statement.walk(&mut |statement| {
            if let TypedStatement::Assign(local, _) = statement {
                times[*local as usize] += 1;
            }
        });
    }
    times.into_iter().map(|times| times == 1).collect()
}
