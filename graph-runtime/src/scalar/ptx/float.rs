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

/// Methods with one operand.
pub(super) fn call(body: &mut Body, method: Method, scalar: ScalarType, value: Register) -> Register {
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
