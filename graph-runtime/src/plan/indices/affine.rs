//! Sums of multiples of what iterates.

use graph_ir::model::ScalarType;

use crate::scalar::facts;

/// Something that runs from a first to a last number.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) name: String,
    pub(super) first: i128,
    /// Not less than the first.
    pub(super) last: i128,
}

impl Iteration {
    /// How far the last number is from the first.
    pub(super) fn reach(&self) -> Option<i128> {
        self.last.checked_sub(self.first)
    }
}

/// An offset and a stride for each iteration; no stride is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Affine {
    pub(super) offset: i128,
    /// By iteration, in order.
    strides: Vec<(usize, i128)>,
}

impl Affine {
    pub(super) fn constant(offset: i128) -> Self {
        Self { offset, strides: Vec::new() }
    }

    pub(super) fn iteration(number: usize) -> Self {
        Self { offset: 0, strides: vec![(number, 1)] }
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        self.strides.is_empty().then_some(self.offset)
    }

    pub(super) fn stride(&self, iteration: usize) -> i128 {
        self.strides.iter().find(|(known, _)| *known == iteration).map_or(0, |(_, stride)| *stride)
    }

    pub(super) fn strides(&self) -> impl Iterator<Item = (usize, i128)> {
        self.strides.iter().copied()
    }

    pub(super) fn add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        sum.offset = sum.offset.checked_add(other.offset)?;
        for (iteration, stride) in other.strides() {
            match sum.strides.binary_search_by_key(&iteration, |(known, _)| *known) {
                Ok(at) => sum.strides[at].1 = sum.strides[at].1.checked_add(stride)?,
                Err(at) => sum.strides.insert(at, (iteration, stride)),
            }
        }
        sum.strides.retain(|(_, stride)| *stride != 0);
        Some(sum)
    }

    pub(super) fn scale(&self, factor: i128) -> Option<Self> {
        let mut scaled = self.clone();
        scaled.offset = self.offset.checked_mul(factor)?;
        for (_, stride) in &mut scaled.strides {
            *stride = stride.checked_mul(factor)?;
        }
        scaled.strides.retain(|(_, stride)| *stride != 0);
        Some(scaled)
    }

    /// The least and the greatest value.
    pub(super) fn interval(&self, iterations: &[Iteration]) -> Option<(i128, i128)> {
        self.interval_from(0, iterations)
    }

    /// The same without what these first iterations add.
    pub(super) fn interval_from(&self, first: usize, iterations: &[Iteration]) -> Option<(i128, i128)> {
        let (mut low, mut high) = (self.offset, self.offset);
        for (iteration, stride) in self.strides().filter(|(iteration, _)| *iteration >= first) {
            let Iteration { first, last, .. } = iterations.get(iteration)?;
            let ends = [first.checked_mul(stride)?, last.checked_mul(stride)?];
            low = low.checked_add(ends[0].min(ends[1]))?;
            high = high.checked_add(ends[0].max(ends[1]))?;
        }
        Some((low, high))
    }

    /// `2 * i + j - 1`
    pub(super) fn text(&self, iterations: &[Iteration]) -> String {
        let mut text = String::new();
        let mut term = |number: i128, name: &str| {
            let sign = match (number < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let number = match (number.unsigned_abs(), name) {
                (size, "") => size.to_string(),
                (1, name) => name.to_owned(),
                (size, name) => format!("{size} * {name}"),
            };
            text.extend([sign, &number]);
        };
        for (iteration, stride) in self.strides() {
            term(stride, iterations.get(iteration).map_or("?", |iteration| &iteration.name));
        }
        if self.offset != 0 || self.strides.is_empty() {
            term(self.offset, "");
        }
        text
    }
}

/// A number that is known to be equal to a sum modulo a power of two.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) affine: Affine,
    /// The power; [`Known::EXACT`] if the two are equal.
    pub(super) bits: u32,
}

impl Known {
    pub(super) const EXACT: u32 = 128;

    /// A value of this type: what is equal modulo its width and fits is equal.
    pub(super) fn new(affine: Affine, bits: u32, scalar: ScalarType, iterations: &[Iteration]) -> Self {
        let width = facts::width(scalar);
        let (least, most) = facts::range(scalar);
        let fits = |(low, high): (i128, i128)| least <= low && high <= most;
        let exact = bits >= width && affine.interval(iterations).is_some_and(fits);
        Self { affine, bits: if exact { Self::EXACT } else { bits.min(width) } }
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        self.affine.as_constant().filter(|_| self.bits == Self::EXACT)
    }

    /// From the least to the greatest number, if it is one of those.
    pub(super) fn exactly(&self, iterations: &[Iteration]) -> Option<(i128, i128)> {
        self.affine.interval(iterations).filter(|_| self.bits == Self::EXACT)
    }

    /// Whether it is the sum, wherever it is an index below `length`.
    pub(super) fn is_sum_below(&self, length: u64, iterations: &[Iteration]) -> bool {
        if self.bits == Self::EXACT {
            return true;
        }
        let modulus = 1_i128 << self.bits;
        let far = |(low, high): (i128, i128)| {
            low.checked_add(modulus).is_some_and(|next| next >= i128::from(length)) && high < modulus
        };
        self.affine.interval(iterations).is_some_and(far)
    }
}
