//! Indices of elements: integers, and tuples of them.

use std::fmt::Display;

/// An integer that counts elements.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an index", label = "expected an integer")]
pub trait Coordinate: Copy + Display {
    /// The number, or something beyond every length.
    fn word(self) -> u64;
}

macro_rules! coordinates {
    ($($name:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl Coordinate for $name {
            #[inline]
            #[expect(clippy::allow_attributes, reason = "only some of the types have a sign")]
            #[allow(
                clippy::cast_sign_loss,
                clippy::cast_lossless,
                reason = "a negative number is beyond every length, as it must be"
            )]
            fn word(self) -> u64 {
                self as u64
            }
        })*
    };
}

coordinates!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);

/// What stands between the brackets of an element: `i`, `(i, j)`, `(i, j, k)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index",
    label = "expected an integer, or a tuple of two or three integers"
)]
pub trait ElementIndex: Copy {
    /// How many numbers.
    const RANK: usize;

    /// The numbers, the outermost first; zeros behind them.
    fn words(self) -> [u64; 3];

    /// As it is printed: `17`, `(3, -1)`.
    fn text(self) -> String;
}

impl<I: Coordinate> ElementIndex for I {
    const RANK: usize = 1;

    #[inline]
    fn words(self) -> [u64; 3] {
        [self.word(), 0, 0]
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl<I: Coordinate, J: Coordinate> ElementIndex for (I, J) {
    const RANK: usize = 2;

    #[inline]
    fn words(self) -> [u64; 3] {
        [self.0.word(), self.1.word(), 0]
    }

    fn text(self) -> String {
        format!("({}, {})", self.0, self.1)
    }
}

impl<I: Coordinate, J: Coordinate, K: Coordinate> ElementIndex for (I, J, K) {
    const RANK: usize = 3;

    #[inline]
    fn words(self) -> [u64; 3] {
        [self.0.word(), self.1.word(), self.2.word()]
    }

    fn text(self) -> String {
        format!("({}, {}, {})", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_order_and_negative_ones_are_beyond_every_length() {
        assert_eq!((2_usize, 1_i32).words(), [2, 1, 0]);
        assert_eq!((1_u8, 2_u8, 3_u8).words(), [1, 2, 3]);
        assert_eq!((-1_i32).words(), [u64::MAX, 0, 0]);
        assert_eq!((3, -1).text(), "(3, -1)");
    }
}
