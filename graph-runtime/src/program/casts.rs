//! `as` in host expressions: what it would lose is refused when the graph is built.

use std::any::{Any, type_name};
use std::cell::RefCell;

/// A conversion that lost its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostCast {
    /// Place in the program.
    pub place: u32,
    /// The value that was converted.
    pub value: String,
    /// The type that cannot hold it.
    pub target: &'static str,
}

/// The conversions of one evaluation.
#[derive(Debug, Default)]
pub struct Casts(RefCell<Vec<LostCast>>);

impl Casts {
    /// A value that is about to be converted, if it is a number.
    pub fn see<S: 'static>(&self, from: &S) -> Seen {
        Seen(number(from))
    }

    /// Compares it with what `as` made of it, which is returned.
    pub fn compare<T: 'static>(&self, place: u32, seen: Seen, to: T) -> T {
        if let (Some(before), Some(after)) = (seen.0, number(&to)) {
            self.keep(place, before, after, type_name::<T>());
        }
        to
    }

    fn keep(&self, place: u32, before: Number, after: Number, target: &'static str) {
        let mut lost = self.0.borrow_mut();
        if !keeps(before, after) && !lost.iter().any(|known| known.place == place) {
            let value = match before {
                Number::Integer(value) => value.to_string(),
                Number::Float(value) => value.to_string(),
            };
            lost.push(LostCast { place, value, target });
        }
    }

    pub(super) fn lost(&self) -> Vec<LostCast> {
        self.0.borrow().clone()
    }
}

macro_rules! conversions {
    ($($target:ident),*) => {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_lossless,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            clippy::unnecessary_cast,
            trivial_numeric_casts,
            reason = "the conversions that are looked at"
        )]
        impl Casts {
            $(
                #[doc = concat!("A value in front of `as ", stringify!($target), "`, as it is; compared with what that makes of it.")]
                pub fn $target<S: 'static>(&self, place: u32, from: S) -> S {
                    let after = |before| match before {
                        Number::Integer(value) => number(&(value as $target)),
                        Number::Float(value) => number(&(value as $target)),
                    };
                    if let Some((before, after)) = number(&from).and_then(|before| Some((before, after(before)?))) {
                        self.keep(place, before, after, stringify!($target));
                    }
                    from
                }
            )*
        }
    };
}

conversions!(u8, u16, u32, u64, usize, u128, i8, i16, i32, i64, isize, i128, f32, f64);

/// A value in front of `as`.
#[derive(Clone, Copy, Debug)]
pub struct Seen(Option<Number>);

#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(i128),
    Float(f64),
}

fn number(value: &dyn Any) -> Option<Number> {
    macro_rules! integers {
        ($($name:ty),*) => {
            $(if let Some(value) = value.downcast_ref::<$name>() {
                return Some(Number::Integer(i128::try_from(*value).unwrap_or(i128::MAX)));
            })*
        };
    }
    integers!(usize, u32, i32, u64, i64, u8, i8, u16, i16, isize, i128, u128);
    let float = value.downcast_ref::<f32>().map(|value| f64::from(*value));
    float.or_else(|| value.downcast_ref::<f64>().copied()).map(Number::Float)
}

/// Rounding is what `as` is for; another number is not.
fn keeps(from: Number, to: Number) -> bool {
    match (from, to) {
        (Number::Integer(from), Number::Integer(to)) => from == to,
        (Number::Integer(_), Number::Float(_)) => true,
        (Number::Float(from), Number::Integer(to)) => !from.is_nan() && from.trunc() as i128 == to,
        (Number::Float(from), Number::Float(to)) => from.is_finite() == to.is_finite(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(
        clippy::cast_lossless,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "what is tested"
    )]
    fn only_another_number_is_a_loss() {
        let casts = Casts::default();
        macro_rules! cast {
            ($place:literal, $value:expr, $target:ident) => {
                let value = $value;
                assert_eq!(casts.$target($place, value), value);
                assert_eq!(casts.compare($place + 100, casts.see(&value), value as $target), value as $target);
            };
        }
        let large = 3_000_000_000_usize;
        cast!(1, large, i32);
        cast!(1, large, i32);
        cast!(2, large, u32);
        cast!(3, -1_i32, u32);
        cast!(4, 2.75_f64, u32);
        cast!(5, 300.5_f32, u8);
        cast!(6, 16_777_217_u32, f32);
        cast!(7, true, u32);
        cast!(8, 1e300_f64, f32);
        let value = |place, value: &str, target| (place, value.to_owned(), target);
        // In front of `as` and behind it.
        for first in [0, 100] {
            let lost = casts.lost().into_iter().filter(|lost| lost.place / 100 * 100 == first);
            let lost: Vec<_> = lost.map(|lost| (lost.place - first, lost.value, lost.target)).collect();
            assert_eq!(lost[..3], [value(1, "3000000000", "i32"), value(3, "-1", "u32"), value(5, "300.5", "u8")]);
            assert_eq!((lost.len(), lost[3].0), (4, 8));
        }
    }
}
