//! CG0701 with numbers: whether two indices of a kernel can meet at one element.

use graph_ir::analysis::meeting::{self, Pair};

use super::affine::{Affine, Known};
use super::walk::{Use, Walk};

/// What is wrong with two uses of a buffer, one of which writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not known which element an index is.
    Unknown,
    /// Its type wraps around within the buffer: its number among the coordinates.
    Wraps(usize),
    /// Two indices may come out as one element.
    Meets,
}

impl Walk<'_> {
    /// Why equal elements of two uses of a buffer of these lengths may be those of different indices; none if they cannot.
    pub(super) fn fault(&self, [a, b]: [&Use; 2], lengths: &[u64], axes: usize) -> Option<Fault> {
        if a.never || b.never {
            return None;
        }
        let mut told = vec![false; axes];
        let mut fault = Fault::Meets;
        for (dimension, (a, b)) in a.coordinates.iter().zip(&b.coordinates).enumerate() {
            let (Some(a), Some(b)) = (a, b) else {
                fault = Fault::Unknown;
                continue;
            };
            let length = lengths.get(dimension).copied().unwrap_or(u64::MAX);
            if ![a, b].iter().all(|known: &&Known| known.is_sum_below(length, &self.iterations)) {
                fault = Fault::Wraps(dimension);
                continue;
            }
            if self.never_meet(&a.affine, &b.affine) {
                return None;
            }
            for axis in self.told_apart(&a.affine, &b.affine, axes).unwrap_or_default() {
                told[axis] = true;
            }
        }
        let single = |axis: usize| self.iterations[axis].first == self.iterations[axis].last;
        let apart = told.iter().enumerate().all(|(axis, told)| *told || single(axis));
        (!apart && !self.only_in_step([a, b], lengths, axes)).then_some(fault)
    }

    /// The same by a search through the numbers.
    fn only_in_step(&self, [a, b]: [&Use; 2], lengths: &[u64], axes: usize) -> bool {
        let pair = |(dimension, (a, b)): (usize, (&Option<Known>, &Option<Known>))| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            let length = lengths.get(dimension).copied().unwrap_or(u64::MAX);
            let sums = [a, b].iter().all(|known| known.is_sum_below(length, &self.iterations));
            let strides = |known: &Known| (0..self.iterations.len()).map(|at| known.affine.stride(at)).collect();
            Some(Pair {
                strides: [strides(a), strides(b)],
                offsets: [a.affine.offset, b.affine.offset],
                modulus: if sums { None } else { Some(1_i128.checked_shl(a.bits.min(b.bits)).filter(|one| *one > 0)?) },
                length: Some(i128::from(length)),
            })
        };
        let pairs: Vec<Pair> = a.coordinates.iter().zip(&b.coordinates).enumerate().filter_map(pair).collect();
        let intervals: Vec<_> = self.iterations.iter().map(|one| (one.first, one.last)).collect();
        meeting::only_in_step(&pairs, &intervals, axes) == Some(true)
    }

    /// The two have no number in common: they lie in different places, or in the gaps of each other.
    fn never_meet(&self, a: &Affine, b: &Affine) -> bool {
        let spans = (a.interval(&self.iterations), b.interval(&self.iterations));
        if matches!(spans, (Some(a), Some(b)) if a.1 < b.0 || b.1 < a.0) {
            return true;
        }
        let common = a.strides().chain(b.strides()).fold(0, |common, (_, stride)| divisor(common, stride));
        common != 0 && b.offset.checked_sub(a.offset).is_some_and(|distance| distance % common != 0)
    }

    /// The axes whose values are equal wherever the two numbers are.
    ///
    /// Equal numbers mean that the axes' part of the one, less that of the other, is what the inner loops and the offsets make up for.
    /// That is at most so much; an axis with a longer stride than what is left to all smaller ones must be equal.
    fn told_apart(&self, a: &Affine, b: &Affine, axes: usize) -> Option<Vec<usize>> {
        if (0..axes).any(|axis| a.stride(axis) != b.stride(axis)) {
            return None;
        }
        let inner = |whole: &Affine| whole.interval_from(axes, &self.iterations);
        let (first, second) = (inner(a)?, inner(b)?);
        let apart = [first.1.checked_sub(second.0)?, second.1.checked_sub(first.0)?];
        let mut reach = apart[0].max(apart[1]).max(0);
        let mut steps: Vec<(i128, usize)> = a
            .strides()
            .filter(|(iteration, _)| *iteration < axes && self.iterations[*iteration].reach() != Some(0))
            .map(|(axis, stride)| (stride.abs(), axis))
            .collect();
        steps.sort_unstable();
        for (stride, axis) in &steps {
            if *stride <= reach {
                return None;
            }
            reach = reach.checked_add(stride.checked_mul(self.iterations[*axis].reach()?)?)?;
        }
        Some(steps.into_iter().map(|(_, axis)| axis).collect())
    }
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}
