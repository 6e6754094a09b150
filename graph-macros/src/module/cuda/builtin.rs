//! Types that CUDA C++ and its own headers have.

use super::super::written::{Class, Layout, Scalar, Type};

/// A word of C++'s own numbers.
pub(super) fn is_arithmetic(word: &str) -> bool {
    matches!(word, "void" | "bool" | "char" | "short" | "int" | "long" | "signed" | "unsigned" | "float" | "double")
}

/// `unsigned long long`, in any order. Where `long` has a size of the system's, it is open.
pub(super) fn arithmetic(words: &[&str]) -> Option<Type> {
    let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
    let class = if count("unsigned") > 0 { Class::Unsigned } else { Class::Signed };
    let sign = count("unsigned") + count("signed");
    let known = |base: usize| sign <= 1 && words.len() == base + sign;
    let scalar = |class, bytes| Some(Type::Scalar(Scalar::new(class, bytes)));
    let int = count("int").min(1);
    match (count("long"), count("short"), count("char")) {
        (0, 0, 1) if known(1) => scalar(class, 1),
        (0, 1, 0) if known(1 + int) => scalar(class, 2),
        (2, 0, 0) if known(2 + int) => scalar(class, 8),
        (1, 0, 0) if known(1 + int) && cfg!(not(windows)) => scalar(class, 8),
        (1, 0, 0) if known(1 + int) => Some(Type::Open),
        (0, 0, 0) if known(int) && !words.is_empty() => scalar(class, 4),
        _ => match words {
            ["void"] => Some(Type::Void),
            ["bool"] => scalar(Class::Bool, 1),
            ["float"] => scalar(Class::Float, 4),
            ["double"] => scalar(Class::Float, 8),
            _ => None,
        },
    }
}

/// A type by a name that its headers give it.
pub(super) fn named(name: &str) -> Option<Type> {
    let scalar = |class, bytes| Some(Type::Scalar(Scalar::new(class, bytes)));
    match name {
        "int8_t" => scalar(Class::Signed, 1),
        "uint8_t" | "byte" => scalar(Class::Unsigned, 1),
        "int16_t" => scalar(Class::Signed, 2),
        "uint16_t" | "ushort" => scalar(Class::Unsigned, 2),
        "int32_t" => scalar(Class::Signed, 4),
        "uint32_t" | "uint" => scalar(Class::Unsigned, 4),
        "int64_t" | "intptr_t" | "ptrdiff_t" | "ssize_t" => scalar(Class::Signed, 8),
        "uint64_t"
        | "uintptr_t"
        | "size_t"
        | "cudaGraphConditionalHandle"
        | "cudaTextureObject_t"
        | "cudaSurfaceObject_t" => scalar(Class::Unsigned, 8),
        "half" | "__half" => scalar(Class::Float, 2),
        "nv_bfloat16" | "__nv_bfloat16" => scalar(Class::Brain, 2),
        "half2" | "__half2" => Some(Type::Vector(Scalar::new(Class::Float, 2), 2)),
        "nv_bfloat162" | "__nv_bfloat162" => Some(Type::Vector(Scalar::new(Class::Brain, 2), 2)),
        "cuComplex" | "cuFloatComplex" => Some(Type::Vector(Scalar::new(Class::Float, 4), 2)),
        "cuDoubleComplex" => Some(Type::Vector(Scalar::new(Class::Float, 8), 2)),
        "dim3" => Some(Type::Vector(Scalar::new(Class::Unsigned, 4), 3)),
        "CUtensorMap" => Some(Type::Struct { layout: Some(Layout { bytes: 128, align: 64 }) }),
        _ => vector(name),
    }
}

/// `float4`, `uchar2`.
fn vector(name: &str) -> Option<Type> {
    let (base, count) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let count: u64 = count.parse().ok().filter(|count| (1..=4).contains(count))?;
    let scalar = match base {
        "char" => Scalar::new(Class::Signed, 1),
        "uchar" => Scalar::new(Class::Unsigned, 1),
        "short" => Scalar::new(Class::Signed, 2),
        "ushort" => Scalar::new(Class::Unsigned, 2),
        "int" => Scalar::new(Class::Signed, 4),
        "uint" => Scalar::new(Class::Unsigned, 4),
        "longlong" => Scalar::new(Class::Signed, 8),
        "ulonglong" => Scalar::new(Class::Unsigned, 8),
        "float" => Scalar::new(Class::Float, 4),
        "double" => Scalar::new(Class::Float, 8),
        _ => return None,
    };
    Some(Type::Vector(scalar, count))
}

/// Of two and four together, up to 16 bytes; of three those of one.
pub(super) fn vector_alignment(scalar: Scalar, count: u64) -> u64 {
    match count {
        2 | 4 => (scalar.bytes * count).min(16),
        _ => scalar.bytes,
    }
}
