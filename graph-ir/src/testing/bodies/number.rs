//! Numbers of bodies: integers in 128 bits, singles in doubles, each rounded to its type behind every operation.

use crate::model::{BinaryOperator, Method, ScalarType};

/// A number with its type.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An integer or a boolean.
    Integer(ScalarType, i128),
    /// A float.
    Float(ScalarType, f64),
}

/// `f16` to `f64`.
pub fn is_float(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 | ScalarType::F64)
}

/// `i8` to `i64`.
pub fn is_signed(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64)
}

/// In bits.
pub fn width(scalar: ScalarType) -> u32 {
    match scalar {
        ScalarType::Bool => 1,
        ScalarType::U8 | ScalarType::I8 => 8,
        ScalarType::U16 | ScalarType::I16 | ScalarType::F16 | ScalarType::BF16 => 16,
        ScalarType::U32 | ScalarType::I32 | ScalarType::F32 => 32,
        ScalarType::U64 | ScalarType::I64 | ScalarType::F64 => 64,
    }
}

/// The number of the type that is equal modulo its width.
fn wrapped(scalar: ScalarType, number: i128) -> i128 {
    let modulus = 1_i128 << width(scalar);
    let low = number.rem_euclid(modulus);
    if is_signed(scalar) && low >= modulus / 2 { low - modulus } else { low }
}

fn integer(scalar: ScalarType, number: i128) -> Value {
    Value::Integer(scalar, wrapped(scalar, number))
}

fn float(scalar: ScalarType, number: f64) -> Value {
    let rounded = if scalar == ScalarType::F64 { number } else { f64::from(number as f32) };
    Value::Float(scalar, rounded)
}

pub(super) fn boolean(holds: bool) -> Value {
    Value::Integer(ScalarType::Bool, i128::from(holds))
}

impl Value {
    /// Its type.
    pub fn scalar(self) -> ScalarType {
        match self {
            Self::Integer(scalar, _) | Self::Float(scalar, _) => scalar,
        }
    }

    /// The value of an element with these bits.
    pub fn of_bits(scalar: ScalarType, bits: u64) -> Self {
        match scalar {
            ScalarType::F16 => Self::Float(ScalarType::F32, small_float(bits, 5, 10)),
            ScalarType::BF16 => Self::Float(ScalarType::F32, small_float(bits, 8, 7)),
            ScalarType::F32 => Self::Float(scalar, f64::from(f32::from_bits(bits as u32))),
            ScalarType::F64 => Self::Float(scalar, f64::from_bits(bits)),
            _ => integer(scalar, i128::from(bits)),
        }
    }

    /// The bits of an element of this type that holds it; all NaNs are one.
    pub fn bits(self, scalar: ScalarType) -> u64 {
        match (self, scalar) {
            (Self::Float(_, number), ScalarType::F16) => small_bits(number, 5, 10),
            (Self::Float(_, number), ScalarType::BF16) => small_bits(number, 8, 7),
            (Self::Float(_, number), ScalarType::F32) if number.is_nan() => 0x7fc0_0000,
            (Self::Float(_, number), ScalarType::F32) => u64::from((number as f32).to_bits()),
            (Self::Float(_, number), _) if number.is_nan() => 0x7ff8_0000_0000_0000,
            (Self::Float(_, number), _) => number.to_bits(),
            (Self::Integer(_, number), _) => number.cast_unsigned() as u64 & (u64::MAX >> (64 - width(scalar))),
        }
    }

    pub(super) fn holds(self) -> bool {
        matches!(self, Self::Integer(_, 1))
    }

    pub(super) fn number(self) -> i128 {
        if let Self::Integer(_, number) = self { number } else { 0 }
    }
}

/// Of sign, `exponent` bits of exponent and `fraction` bits of fraction.
fn small_float(bits: u64, exponent: u32, fraction: u32) -> f64 {
    let part = f64::from((bits & ((1 << fraction) - 1)) as u32) / f64::from(1_u32 << fraction);
    let power = (bits >> fraction & ((1 << exponent) - 1)) as i32;
    let (most, bias) = ((1 << exponent) - 1, (1 << (exponent - 1)) - 1);
    let size = match power {
        0 => part * 2_f64.powi(1 - bias),
        power if power == most && part == 0.0 => f64::INFINITY,
        power if power == most => f64::NAN,
        power => (1.0 + part) * 2_f64.powi(power - bias),
    };
    if bits >> (exponent + fraction) & 1 == 1 { -size } else { size }
}

/// The bits of the nearest such float, the even one of two: found among the neighbours of a guess.
fn small_bits(number: f64, exponent: u32, fraction: u32) -> u64 {
    let infinity = ((1_u64 << exponent) - 1) << fraction;
    if number.is_nan() {
        return infinity | 1 << (fraction - 1);
    }
    let (sign, size) = (u64::from(number.is_sign_negative()) << (exponent + fraction), number.abs());
    // Bits of floats that are not negative are in order.
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if small_float(middle, exponent, fraction) <= size { low = middle } else { high = middle }
    }
    let below = small_float(low, exponent, fraction);
    let above = if high == infinity {
        2.0 * 2_f64.powi((1 << (exponent - 1)) - 1)
    } else {
        small_float(high, exponent, fraction)
    };
    let nearest = match (size - below).total_cmp(&(above - size)) {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal => low + low % 2,
    };
    sign | nearest
}

/// `left operator right`
pub(super) fn binary(operator: BinaryOperator, left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Integer(scalar, a), Value::Integer(_, b)) => integers(operator, scalar, a, b),
        (Value::Float(scalar, a), Value::Float(_, b)) => floats(operator, scalar, a, b),
        (other, _) => other,
    }
}

fn integers(operator: BinaryOperator, scalar: ScalarType, a: i128, b: i128) -> Value {
    use BinaryOperator as B;
    let amount = b.rem_euclid(i128::from(width(scalar)));
    let number = match operator {
        B::Add => a + b,
        B::Sub => a - b,
        B::Mul => a.wrapping_mul(b),
        B::Div => a.checked_div(b).unwrap_or(0),
        B::Rem => a.checked_rem(b).unwrap_or(0),
        B::BitAnd => a & b,
        B::BitOr => a | b,
        B::BitXor => a ^ b,
        B::Shl => a * (1 << amount),
        B::Shr => a.div_euclid(1 << amount),
        B::Eq => return boolean(a == b),
        B::Ne => return boolean(a != b),
        B::Lt => return boolean(a < b),
        B::Le => return boolean(a <= b),
        B::Gt => return boolean(a > b),
        B::Ge => return boolean(a >= b),
        B::And | B::Or => return boolean(if operator == B::And { a + b == 2 } else { a + b > 0 }),
    };
    integer(scalar, number)
}

#[expect(clippy::float_cmp, reason = "it is what the operators do")]
fn floats(operator: BinaryOperator, scalar: ScalarType, a: f64, b: f64) -> Value {
    use BinaryOperator as B;
    let number = match operator {
        B::Add => a + b,
        B::Sub => a - b,
        B::Mul => a * b,
        B::Div => a / b,
        B::Rem => a % b,
        B::Eq => return boolean(a == b),
        B::Ne => return boolean(a != b),
        B::Lt => return boolean(a < b),
        B::Le => return boolean(a <= b),
        B::Gt => return boolean(a > b),
        B::Ge => return boolean(a >= b),
        _ => a,
    };
    float(scalar, number)
}

pub(super) fn negated(value: Value) -> Value {
    match value {
        Value::Integer(scalar, number) => integer(scalar, -number),
        Value::Float(scalar, number) => Value::Float(scalar, -number),
    }
}

pub(super) fn flipped(value: Value) -> Value {
    match value {
        Value::Integer(ScalarType::Bool, number) => boolean(number == 0),
        Value::Integer(scalar, number) => integer(scalar, -1 - number),
        Value::Float(..) => value,
    }
}

/// `as`
#[expect(clippy::cast_precision_loss, reason = "rounds to nearest, as it must")]
pub(super) fn cast(value: Value, target: ScalarType) -> Value {
    match value {
        Value::Integer(_, number) if target == ScalarType::F32 => Value::Float(target, f64::from(number as f32)),
        Value::Integer(_, number) if is_float(target) => Value::Float(target, number as f64),
        Value::Integer(_, number) => integer(target, number),
        Value::Float(_, number) if is_float(target) => float(target, number),
        Value::Float(_, number) => {
            let bits = width(target);
            let (least, most) =
                if is_signed(target) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1_i128 << bits) - 1) };
            // In 128 bits first, where no number of the type is cut off.
            Value::Integer(target, (number as i128).clamp(least, most))
        }
    }
}

/// `a.max(b)`, `a.min(b)`: -0 is less than 0, and a NaN gives way.
pub(super) fn extremum(largest: bool, left: Value, right: Value) -> Value {
    let takes_right = match (left, right) {
        (Value::Integer(_, a), Value::Integer(_, b)) => {
            if largest {
                b > a
            } else {
                b < a
            }
        }
        (Value::Float(_, a), Value::Float(_, b)) => {
            let order = b.total_cmp(&a);
            !b.is_nan() && (a.is_nan() || if largest { order.is_gt() } else { order.is_lt() })
        }
        _ => false,
    };
    if takes_right { right } else { left }
}

/// A method; the receiver is the first of the operands.
pub(super) fn method(method: Method, operands: &[Value]) -> Value {
    match (method, operands) {
        (Method::Min | Method::Max, [a, b]) => extremum(method == Method::Max, *a, *b),
        (Method::WrappingAdd, [a, b]) => binary(BinaryOperator::Add, *a, *b),
        (Method::WrappingSub, [a, b]) => binary(BinaryOperator::Sub, *a, *b),
        (Method::WrappingMul, [a, b]) => binary(BinaryOperator::Mul, *a, *b),
        (_, [Value::Integer(scalar, a), rest @ ..]) => integer_method(method, *scalar, *a, rest),
        (_, [Value::Float(scalar, a), rest @ ..]) => float_method(method, *scalar, *a, rest),
        _ => boolean(false),
    }
}

fn integer_method(method: Method, scalar: ScalarType, a: i128, rest: &[Value]) -> Value {
    let bits = width(scalar);
    let b = rest.first().map_or(0, |value| value.number());
    let set = |at: u32| a.rem_euclid(1 << bits) >> at & 1 == 1;
    let moved = |to: &dyn Fn(u32) -> u32| {
        let sum = (0..bits).filter(|at| set(*at)).map(|at| 1_i128 << to(at)).sum();
        integer(scalar, sum)
    };
    let by = b.rem_euclid(i128::from(bits)) as u32;
    let word = |number: u32| Value::Integer(ScalarType::U32, i128::from(number));
    match method {
        Method::Abs => integer(scalar, a.abs()),
        Method::Signum => integer(scalar, a.signum()),
        Method::RemEuclid => integer(scalar, a.checked_rem_euclid(b).unwrap_or(0)),
        Method::Clamp => integer(scalar, a.max(b).min(rest.get(1).map_or(0, |value| value.number()))),
        Method::Pow => {
            (0..b).fold(integer(scalar, 1), |power, _| binary(BinaryOperator::Mul, power, Value::Integer(scalar, a)))
        }
        Method::CountOnes => word((0..bits).filter(|at| set(*at)).count() as u32),
        Method::LeadingZeros => word((0..bits).rev().take_while(|at| !set(*at)).count() as u32),
        Method::TrailingZeros => word((0..bits).take_while(|at| !set(*at)).count() as u32),
        Method::RotateLeft => moved(&|at| (at + by) % bits),
        Method::RotateRight => moved(&|at| (at + bits - by) % bits),
        Method::SwapBytes => moved(&|at| bits - 8 - at / 8 * 8 + at % 8),
        Method::ReverseBits => moved(&|at| bits - 1 - at),
        Method::IsPowerOfTwo => boolean((0..bits).filter(|at| set(*at)).count() == 1),
        Method::AbsDiff => Value::Integer(unsigned(scalar), (a - b).abs()),
        _ => integer(scalar, a),
    }
}

pub(super) fn unsigned(scalar: ScalarType) -> ScalarType {
    match width(scalar) {
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        32 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

fn float_method(method: Method, scalar: ScalarType, a: f64, rest: &[Value]) -> Value {
    let of = |index: usize| if let Some(Value::Float(_, number)) = rest.get(index) { *number } else { 0.0 };
    let (b, c) = (of(0), of(1));
    let number = match method {
        Method::Abs => a.abs(),
        Method::Sqrt => a.sqrt(),
        Method::Floor => a.floor(),
        Method::Ceil => a.ceil(),
        Method::Trunc => a.trunc(),
        Method::Round => a.round(),
        Method::Signum => a.signum(),
        Method::Recip => 1.0 / a,
        Method::MulAdd if scalar == ScalarType::F64 => a.mul_add(b, c),
        Method::MulAdd => fused(a, b, c),
        Method::Clamp => {
            let raised = if a < b { b } else { a };
            if raised > c { c } else { raised }
        }
        Method::RemEuclid => {
            let rest = a % b;
            return if rest < 0.0 { float(scalar, rest + b.abs()) } else { float(scalar, rest) };
        }
        Method::IsNan => return boolean(a.is_nan()),
        Method::IsFinite => return boolean(a.is_finite()),
        Method::IsInfinite => return boolean(a.is_infinite()),
        _ => a,
    };
    float(scalar, number)
}

/// `a * b + c` of singles, such that rounding to a single is right: the product is exact, and of the sum's error the last bit knows.
fn fused(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    let (part, rest) = (sum - c, sum - (sum - c));
    let error = (product - part) + (c - rest);
    if error == 0.0 || !error.is_finite() || sum.to_bits() % 2 == 1 {
        return sum;
    }
    if (error > 0.0) == (sum > 0.0) { f64::from_bits(sum.to_bits() + 1) } else { f64::from_bits(sum.to_bits() - 1) }
}
