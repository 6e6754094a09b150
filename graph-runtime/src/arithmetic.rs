//! Arithmetic of device expressions on the CPU: what a GPU computes, where Rust's operators would panic.
//!
//! Integers wrap, dividing by zero gives zero and leaves a remainder of zero, amounts of shifts are taken modulo the width. Floats are
//! Rust's.

/// A number of a device expression.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no arithmetic in a device expression",
    label = "expected an integer, `f32` or `f64`"
)]
pub trait Arithmetic: Copy {
    /// `a + b`
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// `a - b`
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// `a * b`
    #[must_use]
    fn mul(self, other: Self) -> Self;
    /// `a / b`
    #[must_use]
    fn div(self, other: Self) -> Self;
    /// `a % b`
    #[must_use]
    fn rem(self, other: Self) -> Self;
    /// The smaller.
    #[must_use]
    fn smaller(self, other: Self) -> Self;
    /// The larger.
    #[must_use]
    fn larger(self, other: Self) -> Self;
    /// `a.rem_euclid(b)`
    #[must_use]
    fn euclidean(self, other: Self) -> Self;
    /// `a.clamp(low, high)`; bounds in the wrong order give the upper one.
    #[must_use]
    fn clamped(self, low: Self, high: Self) -> Self;
}

/// An integer that has powers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no method `pow` in a device expression",
    label = "expected an integer"
)]
pub trait Power: Copy {
    /// `a.pow(exponent)`
    #[must_use]
    fn power(self, exponent: u32) -> Self;
}

/// A number with a sign.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sign in a device expression",
    label = "expected a signed integer, `f32` or `f64`"
)]
pub trait Signed: Arithmetic {
    /// `-a`
    #[must_use]
    fn neg(self) -> Self;
    /// `a.abs()`
    #[must_use]
    fn absolute(self) -> Self;
}

/// An integer that can be shifted.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be shifted", label = "expected an integer")]
pub trait Shift: Copy {
    /// `a << amount`
    #[must_use]
    fn shl(self, amount: u32) -> Self;
    /// `a >> amount`
    #[must_use]
    fn shr(self, amount: u32) -> Self;
    /// The low bits, which are all that a shift looks at.
    fn amount(self) -> u32;
}

macro_rules! integers {
    ($($name:ty),*) => {
        $(
            impl Arithmetic for $name {
                fn add(self, other: Self) -> Self {
                    self.wrapping_add(other)
                }
                fn sub(self, other: Self) -> Self {
                    self.wrapping_sub(other)
                }
                fn mul(self, other: Self) -> Self {
                    self.wrapping_mul(other)
                }
                fn div(self, other: Self) -> Self {
                    if other == 0 { 0 } else { self.wrapping_div(other) }
                }
                fn rem(self, other: Self) -> Self {
                    if other == 0 { 0 } else { self.wrapping_rem(other) }
                }
                fn smaller(self, other: Self) -> Self {
                    Ord::min(self, other)
                }
                fn larger(self, other: Self) -> Self {
                    Ord::max(self, other)
                }
                fn euclidean(self, other: Self) -> Self {
                    if other == 0 { 0 } else { self.wrapping_rem_euclid(other) }
                }
                fn clamped(self, low: Self, high: Self) -> Self {
                    Ord::min(Ord::max(self, low), high)
                }
            }

            impl Power for $name {
                fn power(self, exponent: u32) -> Self {
                    self.wrapping_pow(exponent)
                }
            }

            impl Shift for $name {
                fn shl(self, amount: u32) -> Self {
                    self.wrapping_shl(amount)
                }
                fn shr(self, amount: u32) -> Self {
                    self.wrapping_shr(amount)
                }
                #[expect(clippy::allow_attributes, reason = "only some of the types lose a sign")]
                #[allow(clippy::cast_sign_loss, clippy::cast_lossless, reason = "the low bits are what is asked for")]
                fn amount(self) -> u32 {
                    self as u32
                }
            }
        )*
    };
}

macro_rules! signed {
    ($($name:ty),*) => {
        $(impl Signed for $name {
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            fn absolute(self) -> Self {
                self.wrapping_abs()
            }
        })*
    };
}

macro_rules! floats {
    ($($name:ty),*) => {
        $(
            impl Arithmetic for $name {
                fn add(self, other: Self) -> Self {
                    self + other
                }
                fn sub(self, other: Self) -> Self {
                    self - other
                }
                fn mul(self, other: Self) -> Self {
                    self * other
                }
                fn div(self, other: Self) -> Self {
                    self / other
                }
                fn rem(self, other: Self) -> Self {
                    self % other
                }
                // Rust leaves the order of -0 and +0 open; the device has -0 below +0.
                #[expect(clippy::float_cmp, reason = "only zeros are equal and differ")]
                fn smaller(self, other: Self) -> Self {
                    if self == other { if self.is_sign_negative() { self } else { other } } else { self.min(other) }
                }
                #[expect(clippy::float_cmp, reason = "only zeros are equal and differ")]
                fn larger(self, other: Self) -> Self {
                    if self == other { if self.is_sign_positive() { self } else { other } } else { self.max(other) }
                }
                fn euclidean(self, other: Self) -> Self {
                    let remainder = self % other;
                    if remainder < 0.0 { remainder + other.abs() } else { remainder }
                }
                fn clamped(self, low: Self, high: Self) -> Self {
                    let raised = if self < low { low } else { self };
                    if raised > high { high } else { raised }
                }
            }

            impl Signed for $name {
                fn neg(self) -> Self {
                    -self
                }
                fn absolute(self) -> Self {
                    self.abs()
                }
            }
        )*
    };
}

integers!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);
signed!(i8, i16, i32, i64, isize);
floats!(f32, f64);

macro_rules! functions {
    ($($name:ident = $method:ident, $text:literal;)*) => {
        $(
            #[doc = $text]
            pub fn $name<T: Arithmetic>(a: T, b: T) -> T {
                a.$method(b)
            }
        )*
    };
}

functions! {
    add = add, "`a + b`; integers wrap.";
    sub = sub, "`a - b`; integers wrap.";
    mul = mul, "`a * b`; integers wrap.";
    div = div, "`a / b`; an integer divided by zero is zero.";
    rem = rem, "`a % b`; an integer's remainder of zero is zero.";
    min = smaller, "`a.min(b)`; of floats the other one if one is NaN.";
    max = larger, "`a.max(b)`; of floats the other one if one is NaN.";
    rem_euclid = euclidean, "`a.rem_euclid(b)`; of integers zero if `b` is zero.";
}

/// `-a`; the smallest integer is its own negative.
pub fn neg<T: Signed>(a: T) -> T {
    a.neg()
}

/// `a.abs()`; the smallest integer is its own.
pub fn abs<T: Signed>(a: T) -> T {
    a.absolute()
}

/// `a.clamp(low, high)`; bounds in the wrong order give the upper one, and a NaN stays one.
pub fn clamp<T: Arithmetic>(a: T, low: T, high: T) -> T {
    a.clamped(low, high)
}

/// `a.pow(exponent)`; integers wrap.
pub fn pow<T: Power>(a: T, exponent: u32) -> T {
    a.power(exponent)
}

/// `a << b`, with `b` modulo the width of `a`.
pub fn shl<T: Shift, U: Shift>(a: T, b: U) -> T {
    a.shl(b.amount())
}

/// `a >> b`, with `b` modulo the width of `a`.
pub fn shr<T: Shift, U: Shift>(a: T, b: U) -> T {
    a.shr(b.amount())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap() {
        assert_eq!((add(250_u8, 10), sub(0_u32, 1), mul(1_i64 << 62, 2)), (4, u32::MAX, i64::MIN));
        assert_eq!((neg(i32::MIN), abs(i32::MIN), abs(-7_i8)), (i32::MIN, i32::MIN, 7));
        assert_eq!((div(i32::MIN, -1), rem(i32::MIN, -1)), (i32::MIN, 0));
    }

    #[test]
    fn nothing_panics() {
        assert_eq!((pow(3_u8, 6), pow(-2_i32, 31), pow(0_u64, 0)), (217, i32::MIN, 1));
        assert_eq!((rem_euclid(-7, 4), rem_euclid(-7, 0), rem_euclid(i32::MIN, -1)), (1, 0, 0));
        assert_eq!((rem_euclid(-7.5_f64, 2.0), clamp(5, 9, 3), clamp(2.0, 0.0, 1.0)), (0.5, 3, 1.0));
        assert!(clamp(f32::NAN, 0.0, 1.0).is_nan() && rem_euclid(1.0_f32, 0.0).is_nan());
    }

    #[test]
    fn dividing_by_zero_is_zero() {
        assert_eq!((div(7, 0), rem(7_u64, 0), div(-7, 2), rem(-7, 2)), (0, 0, -3, -1));
        assert!(div(0.0, 0.0_f32).is_nan());
    }

    #[test]
    fn amounts_of_shifts_are_masked() {
        assert_eq!((shl(1_u32, 33), shr(-8_i32, 1_u64), shr(0x80_u8, 8), shl(3_u64, -1_i32)), (2, -4, 0x80, 1 << 63));
    }

    #[test]
    fn a_nan_is_not_the_smaller_nor_the_larger() {
        assert_eq!((min(f32::NAN, 2.0), max(2.0, f64::NAN)), (2.0, 2.0));
        assert_eq!((min(3, -3), max(3_u8, 4)), (-3, 4));
    }

    #[test]
    fn the_negative_zero_is_the_smaller_in_either_order() {
        for (a, b) in [(0.0_f32, -0.0), (-0.0, 0.0)] {
            assert!(min(a, b).is_sign_negative() && max(a, b).is_sign_positive(), "{a} {b}");
        }
    }
}
