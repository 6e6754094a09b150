//! Bits of literals, against Rust's own.

use graph_ir::model::ScalarType;

use crate::scalar::literal::bits;

#[test]
fn integers_have_rusts_bits() {
    let cases: &[(&str, ScalarType, u64)] = &[
        ("0", ScalarType::U8, 0),
        ("255", ScalarType::U8, u64::from(255_u8)),
        ("0xff", ScalarType::U8, 0xff),
        ("-128", ScalarType::I8, u64::from((-128_i8).cast_unsigned())),
        ("0b1010_1010", ScalarType::U16, 0b1010_1010),
        ("-1", ScalarType::I16, 0xffff),
        ("0o777", ScalarType::I32, 0o777),
        ("-2_147_483_648", ScalarType::I32, u64::from(i32::MIN.cast_unsigned())),
        ("4294967295", ScalarType::U32, u64::from(u32::MAX)),
        ("0xFFFF_FFFF_FFFF_FFFF", ScalarType::U64, u64::MAX),
        ("-9223372036854775808", ScalarType::I64, i64::MIN.cast_unsigned()),
        ("true", ScalarType::Bool, 1),
    ];
    for (text, scalar, expected) in cases {
        assert_eq!(bits(text, *scalar), Ok(*expected), "{text} as {scalar:?}");
    }
}

#[test]
fn floats_have_rusts_bits() {
    let texts = [
        "0.0",
        "-0.0",
        "1",
        "1.",
        "0.1",
        "16777217",
        "1e-45",
        "1.17549435e-38",
        "3.4028235e38",
        "2.5E+3",
        "1_0.2_5",
        "8388608.5",
        "0.3333333333333333333333333333",
        "7.0064923216240853546186479164495e-46",
    ];
    for text in texts {
        let plain = text.replace('_', "");
        let single: f32 = plain.parse().unwrap();
        let double: f64 = plain.parse().unwrap();
        assert_eq!(bits(text, ScalarType::F32), Ok(u64::from(single.to_bits())), "{text}");
        assert_eq!(bits(text, ScalarType::F64), Ok(double.to_bits()), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let cases = [
        ("256", ScalarType::U8),
        ("-129", ScalarType::I8),
        ("128", ScalarType::I8),
        ("-1", ScalarType::U32),
        ("0x1_0000_0000", ScalarType::U32),
        ("340282366920938463463374607431768211456", ScalarType::U64),
        ("1.0", ScalarType::I32),
        ("1e3", ScalarType::I32),
        ("1e39", ScalarType::F32),
        ("1e309", ScalarType::F64),
        ("0x10", ScalarType::F32),
        ("inf", ScalarType::F32),
        ("nan", ScalarType::F64),
        ("", ScalarType::U8),
        ("+1", ScalarType::U8),
        ("0x+1", ScalarType::U8),
        ("1", ScalarType::Bool),
    ];
    for (text, scalar) in cases {
        let error = bits(text, scalar).unwrap_err();
        assert!(error.starts_with(&format!("the literal `{text}` is no value of type `")), "{error}");
    }
}
