//! Floats: each operation rounds once, to nearest even; subnormals count; nothing is contracted.

use graph_ir::model::{BinaryOperator, Method, ScalarType};

use super::body::{self, Body, Class, Register};
use super::cast;

/// The name of the function in [`REMAINDER`].
const REMAINDER_NAME: &str = "float_remainder";

/// `x % y` of doubles, exact as in Rust; of singles too, since it is exact and has no more digits than they have.
///
/// Doubles `|y|` as long as it stays at most `|x|`, then subtracts on the way back; every step is exact. At most 2,098 steps each way.
pub(super) const REMAINDER: &str = "\
.func (.param .f64 result) float_remainder(.param .f64 x, .param .f64 y)
{
	.reg .pred %p<4>;
	.reg .f64 %fd<7>;
	ld.param.f64 %fd0, [x];
	ld.param.f64 %fd1, [y];
	abs.f64 %fd2, %fd0;
	abs.f64 %fd3, %fd1;
	mov.f64 %fd4, 0d7FF8000000000000;
	testp.finite.f64 %p0, %fd0;
	setp.gt.f64 %p1, %fd3, 0d0000000000000000;
	and.pred %p0, %p0, %p1;
	@!%p0 bra DONE;
	mov.f64 %fd4, %fd2;
	mov.f64 %fd5, %fd3;
UP:
	add.rn.f64 %fd6, %fd5, %fd5;
	setp.le.f64 %p2, %fd6, %fd4;
	@!%p2 bra DOWN;
	mov.f64 %fd5, %fd6;
	bra UP;
DOWN:
	setp.ge.f64 %p2, %fd4, %fd5;
	@%p2 sub.rn.f64 %fd4, %fd4, %fd5;
	setp.eq.f64 %p3, %fd5, %fd3;
	@%p3 bra SIGN;
	mul.rn.f64 %fd5, %fd5, 0d3FE0000000000000;
	bra DOWN;
SIGN:
	copysign.f64 %fd4, %fd0, %fd4;
DONE:
	st.param.f64 [result], %fd4;
	ret;
}
";

/// Whether an entry's text needs [`REMAINDER`].
pub(super) fn needs_remainder(text: &str) -> bool {
    text.contains(REMAINDER_NAME)
}

/// `+ - * / %`.
pub(super) fn arithmetic(
    body: &mut Body,
    operator: BinaryOperator,
    scalar: ScalarType,
    left: Register,
    right: Register,
) -> Register {
    let instruction = match operator {
        BinaryOperator::Add => "add",
        BinaryOperator::Sub => "sub",
        BinaryOperator::Mul => "mul",
        BinaryOperator::Div => "div",
        _ => return remainder(body, scalar, left, right),
    };
    body.compute(Class::of(scalar), &format!("{instruction}.rn.{}", body::arithmetic(scalar)), &[&left, &right])
}

fn remainder(body: &mut Body, scalar: ScalarType, left: Register, right: Register) -> Register {
    let left = cast::emit(body, scalar, ScalarType::F64, left);
    let right = cast::emit(body, scalar, ScalarType::F64, right);
    let value = body.register(Class::Double);
    body.block(&[
        &".param .f64 x",
        &".param .f64 y",
        &".param .f64 result",
        &format_args!("st.param.f64 [x], {left}"),
        &format_args!("st.param.f64 [y], {right}"),
        &format_args!("call.uni (result), {REMAINDER_NAME}, (x, y)"),
        &format_args!("ld.param.f64 {value}, [result]"),
    ]);
    cast::emit(body, ScalarType::F64, scalar, value)
}

/// Methods with exact instructions, or short sequences of them.
pub(super) fn call(body: &mut Body, method: Method, scalar: ScalarType, values: &[Register]) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    match (method, values) {
        (Method::MulAdd, [a, b, c]) => body.compute(class, &format!("fma.rn.{suffix}"), &[a, b, c]),
        (Method::Copysign, [value, sign]) => body.compute(class, &format!("copysign.{suffix}"), &[sign, value]),
        (Method::RemEuclid, [left, right]) => euclidean(body, scalar, *left, *right),
        (Method::Powi, [base, exponent]) => power(body, scalar, *base, *exponent),
        (Method::Round, [value]) => round(body, scalar, *value),
        (Method::Signum, [value]) => signum(body, scalar, *value),
        (Method::Recip, [value]) => {
            let one = number(body, scalar, 1.0);
            body.compute(class, &format!("div.rn.{suffix}"), &[&one, value])
        }
        (Method::ToDegrees | Method::ToRadians, [value]) => scale(body, method, scalar, *value),
        (Method::IsSignNegative, [value]) => negative(body, scalar, *value),
        (_, [value, ..]) => single(body, method, scalar, *value),
        (_, []) => number(body, scalar, 0.0),
    }
}

/// One instruction.
fn single(body: &mut Body, method: Method, scalar: ScalarType, value: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let instruction = match method {
        Method::Sqrt => format!("sqrt.rn.{suffix}"),
        Method::Floor => format!("cvt.rmi.{suffix}.{suffix}"),
        Method::Ceil => format!("cvt.rpi.{suffix}.{suffix}"),
        Method::Trunc => format!("cvt.rzi.{suffix}.{suffix}"),
        Method::IsNan => format!("testp.notanumber.{suffix}"),
        Method::IsFinite => format!("testp.finite.{suffix}"),
        Method::IsInfinite => format!("testp.infinite.{suffix}"),
        _ => format!("abs.{suffix}"),
    };
    body.compute(if method.is_test() { Class::Predicate } else { Class::of(scalar) }, &instruction, &[&value])
}

/// A number that both types have.
fn number(body: &mut Body, scalar: ScalarType, value: f32) -> Register {
    let bits = match scalar {
        ScalarType::F64 => f64::from(value).to_bits(),
        _ => u64::from(value.to_bits()),
    };
    body.constant(scalar, bits)
}

/// Half-way cases away from zero.
fn round(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let whole = body.compute(class, &format!("cvt.rzi.{suffix}.{suffix}"), &[&value]);
    let rest = body.compute(class, &format!("sub.rn.{suffix}"), &[&value, &whole]);
    let size = body.compute(class, &format!("abs.{suffix}"), &[&rest]);
    let half = number(body, scalar, 0.5);
    let away = body.compute(Class::Predicate, &format!("setp.ge.{suffix}"), &[&size, &half]);
    let one = number(body, scalar, 1.0);
    let step = body.compute(class, &format!("copysign.{suffix}"), &[&value, &one]);
    let further = body.compute(class, &format!("add.rn.{suffix}"), &[&whole, &step]);
    let rounded = body.compute(class, &format!("selp.{}", class.bits()), &[&further, &whole, &away]);
    body.compute(class, &format!("copysign.{suffix}"), &[&value, &rounded])
}

fn signum(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let one = number(body, scalar, 1.0);
    let sign = body.compute(class, &format!("copysign.{suffix}"), &[&value, &one]);
    let nan = body.compute(Class::Predicate, &format!("testp.notanumber.{suffix}"), &[&value]);
    body.compute(class, &format!("selp.{}", class.bits()), &[&value, &sign, &nan])
}

/// Rust multiplies by a constant, which is what one degree or one radian gives.
fn scale(body: &mut Body, method: Method, scalar: ScalarType, value: Register) -> Register {
    let bits = match (method, scalar) {
        (Method::ToDegrees, ScalarType::F64) => 1.0_f64.to_degrees().to_bits(),
        (Method::ToDegrees, _) => u64::from(1.0_f32.to_degrees().to_bits()),
        (_, ScalarType::F64) => 1.0_f64.to_radians().to_bits(),
        _ => u64::from(1.0_f32.to_radians().to_bits()),
    };
    let factor = body.constant(scalar, bits);
    body.compute(Class::of(scalar), &format!("mul.rn.{}", body::arithmetic(scalar)), &[&value, &factor])
}

fn negative(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let (class, bits, signed) = match scalar {
        ScalarType::F64 => (Class::Long, "b64", "s64"),
        _ => (Class::Word, "b32", "s32"),
    };
    let bits = body.compute(class, &format!("mov.{bits}"), &[&value]);
    body.compute(Class::Predicate, &format!("setp.lt.{signed}"), &[&bits, &0])
}

fn euclidean(body: &mut Body, scalar: ScalarType, left: Register, right: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let rest = remainder(body, scalar, left, right);
    let zero = number(body, scalar, 0.0);
    let below = body.compute(Class::Predicate, &format!("setp.lt.{suffix}"), &[&rest, &zero]);
    let size = body.compute(class, &format!("abs.{suffix}"), &[&right]);
    let raised = body.compute(class, &format!("add.rn.{suffix}"), &[&rest, &size]);
    body.compute(class, &format!("selp.{}", class.bits()), &[&raised, &rest, &below])
}

/// By repeated squaring, from the lowest bit of the exponent; the reciprocal at the end.
fn power(body: &mut Body, scalar: ScalarType, base: Register, exponent: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let one = number(body, scalar, 1.0);
    let (value, square) = (body.copy(one), body.copy(base));
    let magnitude = body.compute(Class::Word, "abs.s32", &[&exponent]);
    let left = body.copy(magnitude);
    let (head, end) = (body.label(), body.label());
    body.mark(head);
    let low = body.compute(Class::Word, "and.b32", &[&left, &1]);
    let odd = body.compute(Class::Predicate, "setp.ne.u32", &[&low, &0]);
    body.line(format_args!("@{odd} mul.rn.{suffix} {value}, {value}, {square}"));
    body.line(format_args!("shr.u32 {left}, {left}, 1"));
    let over = body.compute(Class::Predicate, "setp.eq.u32", &[&left, &0]);
    body.jump_if(over, end);
    body.line(format_args!("mul.rn.{suffix} {square}, {square}, {square}"));
    body.jump(head);
    body.mark(end);
    let inverse = body.compute(class, &format!("div.rn.{suffix}"), &[&one, &value]);
    let below = body.compute(Class::Predicate, "setp.lt.s32", &[&exponent, &0]);
    body.compute(class, &format!("selp.{}", class.bits()), &[&inverse, &value, &below])
}
