//! Types of every part, as rustc infers them.

use graph_ir::model::{BinaryOperator as Op, Expression, Method, ScalarType, SymbolId, UnaryOperator};

use super::{binary, call, cast, element, host, literal, neg, select, suffixed, typed, unary};
use crate::scalar::typing::{Expected, Kind, Typed};

const BOOL: Expected = Expected::Scalar(ScalarType::Bool);
const F32: Expected = Expected::Scalar(ScalarType::F32);

fn error(expression: &Expression, elements: &[ScalarType], expected: Expected) -> String {
    typed(expression, elements, expected).unwrap_err()
}

/// The type and the bits of the only literal.
fn constant(typed: &Typed) -> Option<(ScalarType, u64)> {
    match &typed.kind {
        Kind::Constant(bits) => Some((typed.scalar, *bits)),
        Kind::Element(..) | Kind::Mail(..) | Kind::Host(_) | Kind::Local(_) | Kind::Load(_) => None,
        Kind::Unary(_, operand) | Kind::Cast(operand) => constant(operand),
        Kind::Binary(_, operands) => operands.iter().find_map(constant),
        Kind::Call(_, operands) => operands.iter().find_map(constant),
        Kind::Select(operands) => operands.iter().find_map(constant),
    }
}

#[test]
fn literals_take_the_type_of_what_they_meet() {
    let elements = [ScalarType::F32, ScalarType::U8, ScalarType::I64];
    let half = u64::from(0.5_f32.to_bits());
    let cases = [
        (binary(element(0), Op::Gt, literal("0.5")), BOOL, (ScalarType::F32, half)),
        (binary(literal("0.5"), Op::Mul, element(0)), F32, (ScalarType::F32, half)),
        (call(Method::Max, [element(0), literal("0.5")]), F32, (ScalarType::F32, half)),
        (binary(element(1), Op::Eq, literal("7")), BOOL, (ScalarType::U8, 7)),
        (binary(element(2), Op::Lt, neg(literal("1"))), BOOL, (ScalarType::I64, u64::MAX)),
        (literal("0.5"), F32, (ScalarType::F32, half)),
        (select(binary(element(0), Op::Lt, element(0)), literal("0.5"), element(0)), F32, (ScalarType::F32, half)),
        (binary(literal("1"), Op::Shl, element(1)), Expected::Scalar(ScalarType::U64), (ScalarType::U64, 1)),
        (binary(element(2), Op::Shr, literal("3")), Expected::Integer, (ScalarType::I32, 3)),
    ];
    for (expression, expected, found) in cases {
        let inferred = typed(&expression, &elements, expected).unwrap();
        assert_eq!(constant(&inferred.root), Some(found), "{expression:?}");
    }
}

#[test]
fn literals_that_meet_nothing_are_i32_and_f64() {
    let f64_bits = 0.1_f64.to_bits();
    let cases = [
        (cast(binary(literal("1"), Op::Add, literal("1")), ScalarType::U8), ScalarType::U8, (ScalarType::I32, 1)),
        (
            cast(binary(literal("0.1"), Op::Add, literal("0.1")), ScalarType::F32),
            ScalarType::F32,
            (ScalarType::F64, f64_bits),
        ),
        (cast(literal("3"), ScalarType::F32), ScalarType::F32, (ScalarType::I32, 3)),
        (cast(literal("0.1"), ScalarType::U8), ScalarType::U8, (ScalarType::F64, f64_bits)),
    ];
    for (expression, whole, found) in cases {
        let inferred = typed(&expression, &[], Expected::Scalar(whole)).unwrap();
        assert_eq!(constant(&inferred.root), Some(found), "{expression:?}");
    }
}

#[test]
fn a_cast_gives_its_type_to_the_literal_right_below() {
    let cases = [
        (cast(literal("4_000_000_000"), ScalarType::U64), ScalarType::U64, (ScalarType::U64, 4_000_000_000)),
        (cast(literal("0.1"), ScalarType::F32), ScalarType::F32, (ScalarType::F32, u64::from(0.1_f32.to_bits()))),
        (cast(neg(literal("1")), ScalarType::U8), ScalarType::U8, (ScalarType::I32, 0xffff_ffff)),
        (cast(neg(literal("1")), ScalarType::I64), ScalarType::I64, (ScalarType::I64, u64::MAX)),
        (cast(unary(UnaryOperator::Not, literal("0")), ScalarType::U64), ScalarType::U64, (ScalarType::U64, 0)),
    ];
    for (expression, whole, found) in cases {
        let inferred = typed(&expression, &[], Expected::Scalar(whole)).unwrap();
        assert_eq!(constant(&inferred.root), Some(found), "{expression:?}");
    }
}

#[test]
fn a_sign_belongs_to_its_literal() {
    let smallest = typed(&neg(literal("128")), &[], Expected::Scalar(ScalarType::I8)).unwrap();
    assert_eq!(smallest.root.kind, Kind::Constant(0x80));
    assert!(error(&literal("128"), &[], Expected::Scalar(ScalarType::I8)).contains("`128` is no value of type `i8`"));
    assert_eq!(error(&neg(literal("1")), &[], Expected::Scalar(ScalarType::U8)), "`u8` has no operator `-`");
}

#[test]
fn equal_expressions_share_a_tree_whatever_their_host_values_are() {
    let elements = [ScalarType::F32; 9];
    let sum = |a, b| binary(binary(host(a), Op::Mul, element(0)), Op::Add, binary(host(b), Op::Mul, host(a)));
    let first = typed(&sum(3, 5), &elements, F32).unwrap();
    let second = typed(&sum(8, 1), &elements, F32).unwrap();
    assert_eq!(first.root, second.root);
    assert_eq!(first.hosts, [SymbolId(3), SymbolId(5)]);
    assert_eq!(second.hosts, [SymbolId(8), SymbolId(1)]);
    assert_ne!(first.root, typed(&sum(3, 3), &elements, F32).unwrap().root);
}

#[test]
fn mismatches_are_named() {
    let elements = [ScalarType::F32, ScalarType::U32, ScalarType::Bool];
    let cases = [
        (binary(element(0), Op::Add, element(1)), F32, "`+` meets `f32` and `u32`"),
        (binary(element(0), Op::Lt, literal("1")), BOOL, "`<` meets `f32` and an integer"),
        (binary(literal("1.0"), Op::Eq, literal("1")), BOOL, "`==` meets a float and an integer"),
        (element(1), BOOL, "`the expression's place` meets `u32` and `bool`"),
        (binary(element(1), Op::And, element(2)), BOOL, "`&&` meets `u32` and `bool`"),
        (binary(element(2), Op::Add, element(2)), BOOL, "`bool` has no operator `+`"),
        (binary(element(0), Op::BitAnd, element(0)), F32, "`f32` has no operator `&`"),
        (binary(element(1), Op::Shl, element(0)), Expected::Integer, "`f32` has no operator `<<`"),
        (unary(UnaryOperator::Not, element(0)), F32, "`f32` has no operator `!`"),
        (neg(element(1)), Expected::Integer, "`u32` has no operator `-`"),
        (cast(element(2), ScalarType::F32), F32, "`bool` cannot be cast to `f32`"),
        (cast(element(1), ScalarType::Bool), BOOL, "`u32` cannot be cast to `bool`"),
        (call(Method::Sqrt, [element(1)]), Expected::Integer, "`u32` has no method `sqrt`"),
        (call(Method::Abs, [element(1)]), Expected::Integer, "`u32` has no method `abs`"),
        (call(Method::Min, [element(1)]), Expected::Integer, "`min` has 1 operands, expected 2"),
        (element(0), Expected::Integer, "the value of a `match` is `f32`, expected an integer"),
        (element(7), F32, "the element of access 7 has no type that device expressions compute in"),
        (host(7), F32, "host value 7 has no type that device expressions compute in"),
        (select(element(2), literal("1"), literal("1.0")), F32, "`else` meets an integer and a float"),
        (suffixed("300", ScalarType::U8), Expected::Integer, "the literal `300` is no value of type `u8`"),
    ];
    for (expression, expected, message) in cases {
        assert_eq!(error(&expression, &elements, expected), message);
    }
}
