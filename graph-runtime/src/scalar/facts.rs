//! Facts about the types that device expressions compute in.

use graph_ir::model::{Combine, ScalarType};

/// The type's name in Rust.
pub(crate) fn name(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool => "bool",
        ScalarType::U8 => "u8",
        ScalarType::I8 => "i8",
        ScalarType::U16 => "u16",
        ScalarType::I16 => "i16",
        ScalarType::U32 => "u32",
        ScalarType::I32 => "i32",
        ScalarType::U64 => "u64",
        ScalarType::I64 => "i64",
        ScalarType::F16 => "f16",
        ScalarType::BF16 => "bf16",
        ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
    }
}

/// Bits of a value in memory.
pub(crate) fn width(scalar: ScalarType) -> u32 {
    match scalar {
        ScalarType::Bool | ScalarType::U8 | ScalarType::I8 => 8,
        ScalarType::U16 | ScalarType::I16 | ScalarType::F16 | ScalarType::BF16 => 16,
        ScalarType::U32 | ScalarType::I32 | ScalarType::F32 => 32,
        ScalarType::U64 | ScalarType::I64 | ScalarType::F64 => 64,
    }
}

/// `i8` to `i64`.
pub(crate) fn is_signed(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64)
}

/// `f16` to `f64`.
pub(crate) fn is_float(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 | ScalarType::F64)
}

/// The type in which elements of this type are computed with.
pub(crate) fn value(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::F16 | ScalarType::BF16 => ScalarType::F32,
        other => other,
    }
}

/// The unsigned type of the same width.
pub(crate) fn unsigned(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::I8 => ScalarType::U8,
        ScalarType::I16 => ScalarType::U16,
        ScalarType::I32 => ScalarType::U32,
        ScalarType::I64 => ScalarType::U64,
        other => other,
    }
}

/// The bits of an element that holds a value of the type that it is computed with.
pub(crate) fn narrow(scalar: ScalarType, bits: u64) -> u64 {
    let single = f32::from_bits(bits as u32);
    match scalar {
        ScalarType::F16 => u64::from(half::f16::from_f32(single).to_bits()),
        ScalarType::BF16 => u64::from(half::bf16::from_f32(single).to_bits()),
        _ => bits,
    }
}

/// The value of an element with these bits, in the type that it is computed with.
pub(crate) fn widen(scalar: ScalarType, bits: u64) -> u64 {
    match scalar {
        ScalarType::F16 => u64::from(half::f16::from_bits(bits as u16).to_f32().to_bits()),
        ScalarType::BF16 => u64::from(half::bf16::from_bits(bits as u16).to_f32().to_bits()),
        _ => bits,
    }
}

/// `u8` to `i64`; not `bool`.
pub(crate) fn is_integer(scalar: ScalarType) -> bool {
    !is_float(scalar) && scalar != ScalarType::Bool
}

/// The smallest and the largest value of an integer type (of `bool`: 0 and 1).
pub(crate) fn range(scalar: ScalarType) -> (i128, i128) {
    let width = width(scalar);
    match scalar {
        ScalarType::Bool => (0, 1),
        _ if is_signed(scalar) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        _ => (0, (1 << width) - 1),
    }
}

/// The bits of the value that changes nothing when it is combined.
pub(crate) fn neutral(operator: Combine, scalar: ScalarType) -> u64 {
    match (operator, scalar) {
        (Combine::Sum, _) => 0,
        (Combine::Product, ScalarType::F32) => u64::from(1.0_f32.to_bits()),
        (Combine::Product, ScalarType::F64) => 1.0_f64.to_bits(),
        (Combine::Product, _) => 1,
        (Combine::Min, ScalarType::F32) => u64::from(f32::INFINITY.to_bits()),
        (Combine::Min, ScalarType::F64) => f64::INFINITY.to_bits(),
        (Combine::Max, ScalarType::F32) => u64::from(f32::NEG_INFINITY.to_bits()),
        (Combine::Max, ScalarType::F64) => f64::NEG_INFINITY.to_bits(),
        (Combine::Min, scalar) => range(scalar).1.cast_unsigned() as u64,
        (Combine::Max, scalar) => range(scalar).0.cast_unsigned() as u64,
    }
}
