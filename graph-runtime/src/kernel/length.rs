//! Arithmetic in the lengths of declarations: `w * h`, `n + 1`, `n.div_ceil(256)`.
//!
//! `#[cuda_module]` writes each operator and method of a length as a call of one of these, so that what does not fit is reported and
//! never wraps. The names are those of Rust's operators and of the methods of `usize`.

use crate::element::Element;
use crate::program::IntoExtent;

/// Why a length has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// More than 64 bits hold.
    Overflow,
    /// Less than zero.
    Negative,
    /// A quotient, a remainder or a multiple of zero.
    Zero,
}

/// A kernel touches whatever it is given: its declaration has requirements in place of a length.
pub const WHOLE: u64 = u64::MAX;

type Amount = Result<usize, Fault>;

/// The value parameter at `index` among the values of a launch.
pub fn value<T: Element + IntoExtent + std::fmt::Display>(
    name: &str,
    values: &[&[u8]],
    index: usize,
) -> Result<usize, String> {
    let bytes = values.get(index).ok_or_else(|| format!("`{name}` is missing"))?;
    let value: T = bytemuck::try_pod_read_unaligned(bytes)
        .map_err(|_| format!("`{name}` has {} bytes instead of {}", bytes.len(), size_of::<T>()))?;
    let extent = value.into_extent().ok_or_else(|| format!("`{name}` is {value}, which is no length"))?;
    usize::try_from(extent).map_err(|_| format!("`{name}` is {extent}, which no memory can hold"))
}

/// The value of a length, or what is wrong with it, by its text.
pub fn checked(text: &str, length: Amount) -> Result<u64, String> {
    match length {
        Ok(length) => Ok(length as u64),
        Err(Fault::Overflow) => Err(format!("`{text}` is larger than any memory")),
        Err(Fault::Negative) => Err(format!("`{text}` is negative")),
        Err(Fault::Zero) => Err(format!("`{text}` divides by zero")),
    }
}

macro_rules! operations {
    ($($name:ident = |$left:ident, $right:ident| $value:expr, $fault:ident;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, as in Rust, checked.")]
            pub fn $name($left: usize, $right: usize) -> Amount {
                $value.ok_or(Fault::$fault)
            }
        )*
    };
}

operations! {
    add = |a, b| a.checked_add(b), Overflow;
    sub = |a, b| a.checked_sub(b), Negative;
    mul = |a, b| a.checked_mul(b), Overflow;
    div = |a, b| a.checked_div(b), Zero;
    rem = |a, b| a.checked_rem(b), Zero;
    shl = |a, b| u32::try_from(b).ok().and_then(|b| 1_usize.checked_shl(b)).and_then(|factor| a.checked_mul(factor)), Overflow;
    shr = |a, b| Some(u32::try_from(b).ok().and_then(|b| a.checked_shr(b)).unwrap_or(0)), Overflow;
    min = |a, b| Some(Ord::min(a, b)), Overflow;
    max = |a, b| Some(Ord::max(a, b)), Overflow;
    abs_diff = |a, b| Some(a.abs_diff(b)), Overflow;
    saturating_sub = |a, b| Some(a.saturating_sub(b)), Overflow;
    div_ceil = |a, b| (b != 0).then(|| a.div_ceil(b)), Zero;
}

/// `next_multiple_of`, as in Rust, checked.
pub fn next_multiple_of(a: usize, b: usize) -> Amount {
    if b == 0 {
        return Err(Fault::Zero);
    }
    a.checked_next_multiple_of(b).ok_or(Fault::Overflow)
}

/// `pow`, as in Rust, checked.
pub fn pow(a: usize, exponent: u32) -> Amount {
    a.checked_pow(exponent).ok_or(Fault::Overflow)
}

/// `next_power_of_two`, as in Rust, checked.
pub fn next_power_of_two(a: usize) -> Amount {
    a.checked_next_power_of_two().ok_or(Fault::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_converted_by_their_type() {
        let (narrow, wide, signed) = (7_u8.to_ne_bytes(), (1_u64 << 40).to_ne_bytes(), (-3_i32).to_ne_bytes());
        let values: [&[u8]; 3] = [&narrow, &wide, &signed];
        assert_eq!(value::<u8>("n", &values, 0), Ok(7));
        assert_eq!(value::<u64>("m", &values, 1), Ok(1_099_511_627_776));
        assert_eq!(value::<i32>("k", &values, 2), Err("`k` is -3, which is no length".to_owned()));
        assert_eq!(value::<u32>("n", &values, 0), Err("`n` has 1 bytes instead of 4".to_owned()));
        assert_eq!(value::<u32>("z", &values, 3), Err("`z` is missing".to_owned()));
    }

    #[test]
    fn nothing_wraps() {
        assert_eq!(mul(1 << 40, 1 << 30), Err(Fault::Overflow));
        assert_eq!(add(usize::MAX, 1), Err(Fault::Overflow));
        assert_eq!(sub(0, 1), Err(Fault::Negative));
        assert_eq!(shl(3, 63), Err(Fault::Overflow));
        assert_eq!(shl(1, 64), Err(Fault::Overflow));
        assert_eq!(shl(0, 64), Err(Fault::Overflow));
        assert_eq!(shr(8, 64), Ok(0));
        assert_eq!((div(7, 0), rem(7, 0), div_ceil(7, 0)), (Err(Fault::Zero), Err(Fault::Zero), Err(Fault::Zero)));
        assert_eq!(next_multiple_of(usize::MAX, 2), Err(Fault::Overflow));
        assert_eq!(next_multiple_of(5, 0), Err(Fault::Zero));
        assert_eq!((pow(10, 3), pow(10, 30)), (Ok(1000), Err(Fault::Overflow)));
        assert_eq!(next_power_of_two(usize::MAX), Err(Fault::Overflow));
    }

    #[test]
    fn the_rest_is_rusts_arithmetic() {
        assert_eq!((add(2, 3), sub(5, 3), mul(4, 5), div(7, 2), rem(7, 2)), (Ok(5), Ok(2), Ok(20), Ok(3), Ok(1)));
        assert_eq!((shl(3, 4), shr(48, 4), min(3, 4), max(3, 4)), (Ok(48), Ok(3), Ok(3), Ok(4)));
        assert_eq!((abs_diff(3, 5), saturating_sub(3, 5), div_ceil(7, 2)), (Ok(2), Ok(0), Ok(4)));
        assert_eq!((next_multiple_of(5, 4), next_power_of_two(5)), (Ok(8), Ok(8)));
    }

    #[test]
    fn faults_name_the_length() {
        assert_eq!(checked("w * h", mul(6, 7)), Ok(42));
        assert_eq!(checked("n - 1", sub(0, 1)), Err("`n - 1` is negative".to_owned()));
        assert_eq!(checked("n / k", div(1, 0)), Err("`n / k` divides by zero".to_owned()));
        assert_eq!(checked("w * h", mul(usize::MAX, 2)), Err("`w * h` is larger than any memory".to_owned()));
    }
}
