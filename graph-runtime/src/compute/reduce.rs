//! The order in which reductions combine, the same on every device.
//!
//! The indices are numbered, the last axis fastest. There are [`blocks`] times [`WIDTH`] accumulators, each starting at the operation's
//! neutral value; index number `k` goes to accumulator `k` modulo their number, in rising order. Then neighbours are combined, the one
//! with the smaller number on the left, until one value is left; an old value that takes part is combined with it last, on the left.
//! The number of blocks depends on the number of indices alone.

use graph_ir::model::Combine;

use super::Axes;
use crate::arithmetic::Arithmetic;
use crate::element::Scalar;

/// Accumulators of one block.
pub(crate) const WIDTH: u64 = 1024;

/// The most blocks. Devices with other blocks compute the same: the tree is one over all accumulators.
const MOST_BLOCKS: u64 = 256;

/// How many blocks a reduction over `count` indices has: a power of two.
pub(crate) fn blocks(count: u64) -> u64 {
    count.div_ceil(WIDTH).clamp(1, MOST_BLOCKS).next_power_of_two()
}

/// A value that can be reduced.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` cannot be reduced",
    label = "expected an integer, `f32` or `f64`"
)]
pub trait Reducible: Scalar + Arithmetic {
    /// What changes nothing.
    fn neutral(operator: Combine) -> Self;

    /// The value with these bits.
    fn from_bits(bits: u64) -> Self;

    /// `left ⊕ right`
    #[must_use]
    #[inline]
    fn combine(operator: Combine, left: Self, right: Self) -> Self {
        match operator {
            Combine::Sum => left.add(right),
            Combine::Product => left.mul(right),
            Combine::Min => left.smaller(right),
            Combine::Max => left.larger(right),
        }
    }
}

macro_rules! reducible {
    ($($name:ty, $zero:literal, $one:literal, $least:expr, $most:expr, |$bits:ident| $from:expr;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl Reducible for $name {
            fn neutral(operator: Combine) -> Self {
                match operator {
                    Combine::Sum => $zero,
                    Combine::Product => $one,
                    Combine::Min => $most,
                    Combine::Max => $least,
                }
            }

            fn from_bits($bits: u64) -> Self {
                $from
            }
        })*
    };
}

reducible! {
    u8, 0, 1, u8::MIN, u8::MAX, |bits| bits as Self;
    i8, 0, 1, i8::MIN, i8::MAX, |bits| bits as Self;
    u16, 0, 1, u16::MIN, u16::MAX, |bits| bits as Self;
    i16, 0, 1, i16::MIN, i16::MAX, |bits| bits as Self;
    u32, 0, 1, u32::MIN, u32::MAX, |bits| bits as Self;
    i32, 0, 1, i32::MIN, i32::MAX, |bits| bits as Self;
    u64, 0, 1, u64::MIN, u64::MAX, |bits| bits;
    i64, 0, 1, i64::MIN, i64::MAX, |bits| bits.cast_signed();
    usize, 0, 1, usize::MIN, usize::MAX, |bits| bits as Self;
    isize, 0, 1, isize::MIN, isize::MAX, |bits| bits.cast_signed() as Self;
    f32, 0.0, 1.0, f32::NEG_INFINITY, f32::INFINITY, |bits| f32::from_bits(bits as u32);
    f64, 0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY, |bits| f64::from_bits(bits);
}

/// The value of one block of a reduction over `count` indices.
pub(crate) fn block<V: Reducible, A: Axes>(
    operator: Combine,
    count: u64,
    block: u64,
    axes: &A,
    value: impl Fn(A::Index) -> V,
) -> V {
    let mut accumulators = vec![V::neutral(operator); WIDTH as usize];
    let stride = blocks(count) * WIDTH;
    let mut first = block * WIDTH;
    while first < count {
        let mut into = accumulators.iter_mut();
        axes.visit(first, count.min(first.saturating_add(WIDTH)), |index| {
            if let Some(accumulator) = into.next() {
                *accumulator = V::combine(operator, *accumulator, value(index));
            }
        });
        first = first.saturating_add(stride);
    }
    let mut pairs = WIDTH as usize / 2;
    while pairs > 0 {
        for pair in 0..pairs {
            accumulators[pair] = V::combine(operator, accumulators[2 * pair], accumulators[2 * pair + 1]);
        }
        pairs /= 2;
    }
    accumulators[0]
}

/// Combines neighbours until one is left; their number is a power of two.
pub(crate) fn neighbours(mut values: Vec<u64>, combine: impl Fn(u64, u64) -> u64) -> u64 {
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| combine(pair[0], pair[pair.len() - 1])).collect();
    }
    values.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole<V: Reducible>(operator: Combine, values: &[V]) -> V {
        let count = values.len() as u64;
        let one = |number| block(operator, count, number, &(0..values.len()), |index| values[index]).to_bits();
        let blocks = (0..blocks(count)).map(one).collect();
        let combine = |left, right| V::combine(operator, V::from_bits(left), V::from_bits(right)).to_bits();
        V::from_bits(neighbours(blocks, combine))
    }

    #[test]
    fn blocks_are_a_power_of_two_and_grow_with_the_count() {
        assert_eq!([0, 1, 1024, 1025, 9000, 1 << 18].map(blocks), [1, 1, 1, 2, 16, 256]);
        assert_eq!([1 << 20, 1 << 40, u64::MAX].map(blocks), [256; 3]);
    }

    #[test]
    fn integers_are_summed_exactly() {
        for count in [0_u64, 1, 2, 1023, 1024, 1025, 5000, 100_000] {
            let values: Vec<u64> = (0..count).collect();
            assert_eq!(whole(Combine::Sum, &values), count * count.saturating_sub(1) / 2, "{count}");
        }
        let odd: Vec<u32> = (0..20_000).map(|k| 2 * k + 1).collect();
        let product = odd.iter().fold(1_u32, |product, value| product.wrapping_mul(*value));
        assert_eq!(whole(Combine::Product, &odd), product);
        assert_eq!(whole(Combine::Min, &[7_i8, -3, 5]), -3);
        assert_eq!(whole(Combine::Max, &[7_u16, 9, 5]), 9);
    }

    #[test]
    fn a_float_sum_is_the_documented_tree() {
        // Two blocks: 1025 values, and none for most accumulators of the second.
        let values: Vec<f32> = (0..1025_u16).map(|k| 1.0 / f32::from(k + 1)).collect();
        let mut tree: Vec<f32> = [&values[..], &[0.0; 1023]].concat();
        while tree.len() > 1 {
            tree = tree.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        assert_eq!(whole(Combine::Sum, &values).to_bits(), tree[0].to_bits());
    }

    #[test]
    fn nans_are_passed_over_by_extrema_only() {
        let values = [f32::NAN, 2.0, -1.0, f32::NAN];
        assert_eq!((whole(Combine::Min, &values), whole(Combine::Max, &values)), (-1.0, 2.0));
        assert!(whole(Combine::Sum, &values).is_nan());
    }

    #[test]
    fn nothing_has_the_neutral_value() {
        assert_eq!((whole::<f32>(Combine::Sum, &[]), whole::<i32>(Combine::Product, &[])), (0.0, 1));
        assert_eq!((whole::<f64>(Combine::Min, &[]), whole::<u8>(Combine::Max, &[])), (f64::INFINITY, 0));
    }
}
