//! Random expressions of a given type.

use super::interpret::computed;
use super::number::{is_float, is_signed, unsigned, width};
use super::statement::Generator;
use crate::model::{BinaryOperator as B, Expression, Method as M, ScalarType, UnaryOperator};

use ScalarType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// The types of values.
pub(super) const NUMBERS: [ScalarType; 10] = [F32, U32, I32, U64, I64, F64, U8, I8, U16, I16];

const INTEGERS: [ScalarType; 8] = [U32, I32, U64, I64, U8, I8, U16, I16];

pub(super) fn literal(scalar: ScalarType, number: i128) -> Expression {
    let digits = Expression::Literal { text: number.unsigned_abs().to_string(), suffix: Some(scalar) };
    if number < 0 { unary(UnaryOperator::Neg, digits) } else { digits }
}

pub(super) fn unary(operator: UnaryOperator, operand: Expression) -> Expression {
    Expression::Unary { operator, operand: Box::new(operand) }
}

pub(super) fn binary(operator: B, left: Expression, right: Expression) -> Expression {
    Expression::Binary { operator, left: Box::new(left), right: Box::new(right) }
}

pub(super) fn cast(operand: Expression, target: ScalarType) -> Expression {
    Expression::Cast { operand: Box::new(operand), target }
}

pub(super) fn call(method: M, operands: impl Into<Vec<Expression>>) -> Expression {
    Expression::Call { method, operands: operands.into() }
}

/// Below a small number, whatever the value is.
pub(super) fn below(value: Expression, scalar: ScalarType, bound: u64) -> Expression {
    call(M::RemEuclid, [value, literal(scalar, i128::from(bound))])
}

impl Generator<'_> {
    /// A number of this type; `depth` bounds how many operators stand above each other.
    pub(super) fn number(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        if depth == 0 || self.choices.is_used_up() {
            return self.leaf(scalar);
        }
        let inner = depth - 1;
        match self.choices.below(11) {
            0..=2 => self.leaf(scalar),
            3 | 4 => self.arithmetic(scalar, inner),
            5 => self.convert(scalar, inner),
            6 | 7 => self.method(scalar, inner),
            8 => self.select(scalar, inner),
            9 if is_float(scalar) || is_signed(scalar) => unary(UnaryOperator::Neg, self.named(scalar, inner)),
            9 => unary(UnaryOperator::Not, self.number(scalar, inner)),
            _ if is_float(scalar) => self.arithmetic(scalar, inner),
            _ => self.bits(scalar, inner),
        }
    }

    /// A condition.
    pub(super) fn boolean(&mut self, depth: u32) -> Expression {
        let inner = depth.saturating_sub(1);
        match self.choices.below(if depth < 2 { 5 } else { 9 }) {
            0..=3 => {
                let scalar = self.choices.pick(&NUMBERS);
                let operator = self.choices.pick(&[B::Lt, B::Gt, B::Eq, B::Ne, B::Le, B::Ge]);
                binary(operator, self.named(scalar, inner), self.operand(scalar, inner))
            }
            4 => {
                let scalar = self.choices.pick(&[F32, F64]);
                let method = self.choices.pick(&[M::IsNan, M::IsFinite, M::IsInfinite]);
                call(method, [self.named(scalar, inner)])
            }
            5 => unary(UnaryOperator::Not, self.boolean(inner)),
            6 => {
                let operator = self.choices.pick(&[B::BitAnd, B::BitOr, B::BitXor, B::Eq, B::Ne]);
                binary(operator, self.boolean(inner), self.boolean(inner))
            }
            _ => binary(self.choices.pick(&[B::And, B::Or]), self.boolean(inner), self.boolean(inner)),
        }
    }

    /// Anything that is no literal on its own.
    pub(super) fn named(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        match self.number(scalar, depth) {
            Expression::Literal { .. } | Expression::Unary { .. } => cast(self.other(), scalar),
            other => other,
        }
    }

    /// The right side of an operator, whose type is known: a literal may go without.
    fn operand(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        match self.number(scalar, depth) {
            Expression::Literal { text, suffix } if is_float(scalar) == text.contains('.') => {
                Expression::Literal { text, suffix: suffix.filter(|_| self.choices.once_in(2)) }
            }
            other => other,
        }
    }

    fn leaf(&mut self, scalar: ScalarType) -> Expression {
        match self.choices.below(8) {
            0 => self.constant(scalar),
            1..=3 => self.element(scalar).unwrap_or_else(|| cast(self.other(), scalar)),
            4 | 5 => self.visible(scalar).unwrap_or_else(|| cast(self.other(), scalar)),
            6 => self.host(scalar).unwrap_or_else(|| cast(self.other(), scalar)),
            _ => cast(self.other(), scalar),
        }
    }

    /// A name or an element of any type.
    fn other(&mut self) -> Expression {
        let start = self.choices.below(NUMBERS.len() as u64) as usize;
        let types = NUMBERS.iter().cycle().skip(start).take(NUMBERS.len());
        let found = types.copied().find_map(|scalar| self.element(scalar).or_else(|| self.visible(scalar)));
        found.unwrap_or_else(|| Expression::Local(self.axis()))
    }

    fn constant(&mut self, scalar: ScalarType) -> Expression {
        if is_float(scalar) {
            let text =
                self.choices.pick(&["1.0", "0.5", "3.0", "0.1", "2.5", "16777217.0", "1e19", "1e-40", "0.0", "2.5e9"]);
            let digits = Expression::Literal { text: text.to_owned(), suffix: Some(scalar) };
            return if self.choices.once_in(4) { unary(UnaryOperator::Neg, digits) } else { digits };
        }
        let bits = width(scalar) - u32::from(is_signed(scalar));
        let most = (1_u64 << (bits - 1)) | ((1 << (bits - 1)) - 1);
        let number = match self.choices.below(8) {
            small @ 0..=4 => small,
            5 => 7,
            6 => most,
            _ => self.choices.bits() & most,
        };
        let negative = is_signed(scalar) && self.choices.once_in(4);
        let number = i128::from(number);
        literal(
            scalar,
            if negative && number == i128::from(most) {
                -number - 1
            } else if negative {
                -number
            } else {
                number
            },
        )
    }

    fn arithmetic(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        let operator = self.choices.pick(&[B::Add, B::Mul, B::Sub, B::Div, B::Rem]);
        binary(operator, self.named(scalar, depth), self.operand(scalar, depth))
    }

    fn bits(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        let operator = self.choices.pick(&[B::BitAnd, B::BitOr, B::BitXor, B::Shl, B::Shr]);
        let left = self.named(scalar, depth);
        if matches!(operator, B::Shl | B::Shr) {
            let amount = self.choices.pick(&INTEGERS);
            return binary(operator, left, self.number(amount, depth));
        }
        binary(operator, left, self.operand(scalar, depth))
    }

    fn convert(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        if !is_float(scalar) && self.choices.once_in(6) {
            return cast(self.boolean(depth), scalar);
        }
        let from = self.choices.pick(&NUMBERS);
        cast(self.named(from, depth), scalar)
    }

    /// The sides of a `&&` or an `if` with a value may have elements: they are loaded only where Rust does.
    fn select(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        let condition = Box::new(self.boolean(depth));
        let (then, otherwise) = (Box::new(self.number(scalar, depth)), Box::new(self.number(scalar, depth)));
        Expression::Select { condition, then, otherwise }
    }

    fn method(&mut self, scalar: ScalarType, depth: u32) -> Expression {
        let float = [
            M::Min,
            M::Max,
            M::Abs,
            M::Sqrt,
            M::MulAdd,
            M::Floor,
            M::Ceil,
            M::Trunc,
            M::Round,
            M::Signum,
            M::Recip,
            M::Clamp,
            M::RemEuclid,
        ];
        let integer = [
            M::Min,
            M::Max,
            M::Clamp,
            M::RemEuclid,
            M::Pow,
            M::RotateLeft,
            M::RotateRight,
            M::SwapBytes,
            M::ReverseBits,
            M::WrappingAdd,
            M::WrappingSub,
            M::WrappingMul,
            M::CountOnes,
            M::LeadingZeros,
            M::TrailingZeros,
            M::AbsDiff,
            M::Abs,
            M::Signum,
        ];
        let method = if is_float(scalar) { self.choices.pick(&float) } else { self.choices.pick(&integer) };
        match method {
            M::CountOnes | M::LeadingZeros | M::TrailingZeros => {
                let of = self.choices.pick(&INTEGERS);
                let count = call(method, [self.named(of, depth)]);
                if scalar == U32 { count } else { cast(count, scalar) }
            }
            M::AbsDiff => {
                let of = if self.choices.once_in(2) { scalar } else { unsigned(scalar) };
                let distance = call(method, [self.named(of, depth), self.operand(of, depth)]);
                if unsigned(of) == scalar { distance } else { cast(distance, scalar) }
            }
            M::Abs | M::Signum if !is_float(scalar) && !is_signed(scalar) => self.leaf(scalar),
            M::Pow => {
                let exponent = self.number(U32, depth);
                call(method, [self.named(scalar, depth), below(exponent, U32, 9)])
            }
            M::RotateLeft | M::RotateRight => call(method, [self.named(scalar, depth), self.number(U32, depth)]),
            _ => {
                let mut operands = vec![self.named(scalar, depth)];
                operands.extend((1..method.arity()).map(|_| self.operand(scalar, depth)));
                call(method, operands)
            }
        }
    }

    /// A host value of this type, if there is one.
    fn host(&self, scalar: ScalarType) -> Option<Expression> {
        let at = self.case.hosts.iter().position(|host| host.scalar() == scalar)?;
        Some(Expression::Host(crate::model::SymbolId(at as u32)))
    }

    /// An element that is computed as this type, if a buffer has such.
    fn element(&mut self, scalar: ScalarType) -> Option<Expression> {
        let fits: Vec<usize> = (0..self.case.buffers.len()).filter(|at| self.may_read(*at, scalar)).collect();
        if fits.is_empty() {
            return None;
        }
        let buffer = self.choices.pick(&fits);
        Some(self.load(buffer))
    }

    fn may_read(&self, buffer: usize, scalar: ScalarType) -> bool {
        let contents = &self.case.buffers[buffer];
        computed(contents.scalar) == scalar && contents.mode != crate::model::Mode::Overwrite
    }
}
