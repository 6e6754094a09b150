use super::number::{Value, binary, cast, method};
use super::*;
use crate::model::{BinaryOperator, Method};

/// Every element of 16 bits, and what lies between two.
#[test]
fn halves_round_to_the_nearest() {
    for bits in 0..=u16::MAX {
        let single = Value::of_bits(ScalarType::F16, u64::from(bits));
        let nan = bits & 0x7fff > 0x7c00;
        assert_eq!(single.bits(ScalarType::F16), if nan { 0x7e00 } else { u64::from(bits) });
    }
    let half = |number: f64| Value::Float(ScalarType::F32, number).bits(ScalarType::F16);
    assert_eq!([half(1.0), half(65504.0), half(65519.0), half(65520.0)], [0x3c00, 0x7bff, 0x7bff, 0x7c00]);
    assert_eq!([half(2_f64.powi(-25)), half(2_f64.powi(-24)), half(1.0 + 2_f64.powi(-11))], [0, 1, 0x3c00]);
    let brain = |number: f64| Value::Float(ScalarType::F32, number).bits(ScalarType::BF16);
    assert_eq!([brain(1.0), brain(-2.0), brain(f64::INFINITY), brain(3.4e38)], [0x3f80, 0xc000, 0x7f80, 0x7f80]);
}

#[test]
fn singles_are_singles() {
    for seed in 0..2000 {
        let words = bytes(seed, 12);
        let word = |at: usize| u32::from_le_bytes([words[at], words[at + 1], words[at + 2], words[at + 3]]);
        let numbers = [word(0), word(4), word(8)].map(f32::from_bits);
        let ([a, b, c], values) = (numbers, numbers.map(|number| Value::Float(ScalarType::F32, f64::from(number))));
        let (first, second) = (values[0], values[1]);
        let canonical = |number: f32| if number.is_nan() { 0x7fc0_0000 } else { u64::from(number.to_bits()) };
        let same =
            |found: Value, number: f32| assert_eq!(found.bits(ScalarType::F32), canonical(number), "{a} {b} {c}");
        same(binary(BinaryOperator::Add, first, second), a + b);
        same(binary(BinaryOperator::Mul, first, second), a * b);
        same(binary(BinaryOperator::Div, first, second), a / b);
        same(binary(BinaryOperator::Rem, first, second), a % b);
        same(method(Method::MulAdd, &values), a.mul_add(b, c));
        same(method(Method::Sqrt, &[first]), a.sqrt());
        assert_eq!(cast(first, ScalarType::I16).bits(ScalarType::I16), u64::from((a as i16).cast_unsigned()));
        assert_eq!(cast(first, ScalarType::I64).bits(ScalarType::I64), (a as i64).cast_unsigned());
    }
}

#[test]
fn bodies_are_of_every_kind_and_the_same_each_time() {
    let (mut loops, mut branches, mut reductions, mut parts) = (0, 0, 0, 0);
    for seed in 0..500 {
        let case = Case::new(&bytes(seed, 400));
        assert_eq!(case.text("Body"), Case::new(&bytes(seed, 400)).text("Body"));
        let text = case.text("Body");
        loops += usize::from(text.contains("while") || text.contains("for k"));
        branches += usize::from(text.contains("} else {"));
        reductions += usize::from(case.compute.reduction.is_some());
        case.compute.walk(&mut |_| parts += 1);
        let _ = case.interpret();
    }
    assert!(
        loops > 60 && branches > 60 && reductions > 60 && parts > 10_000,
        "{loops} {branches} {reductions} {parts}"
    );
    assert!(Case::new(&[]).text("Body").contains("kernel for i0 in 0u64..1u64"));
}
