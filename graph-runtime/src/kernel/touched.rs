//! What a kernel touches of a buffer, with numbers.

use super::{CpuArgument, KernelDeclaration, ParameterKind};

/// A box that begins at the address which the kernel receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    rank: usize,
    /// Slices, rows, elements of a row; those that the declaration does not have are 1.
    sizes: [u64; 3],
    /// Elements from one slice to the next and from one row to the next, if they are declared.
    pub(crate) pitches: Option<[u64; 2]>,
}

impl Touched {
    /// A box of one to three sizes, the outermost first.
    pub(crate) fn new(sizes: &[u64], pitches: Option<[u64; 2]>) -> Self {
        let mut all = [1; 3];
        all.iter_mut().rev().zip(sizes.iter().rev()).for_each(|(into, size)| *into = *size);
        Self { rank: sizes.len().clamp(1, 3), sizes: all, pitches }
    }

    /// The size of each declared dimension, the outermost first.
    pub(crate) fn sizes(&self) -> &[u64] {
        &self.sizes[3 - self.rank..]
    }

    /// The number of elements.
    pub(crate) fn elements(&self) -> u64 {
        self.sizes.iter().fold(1, |product, size| product.saturating_mul(*size))
    }

    /// Slices, and rows of one.
    pub(crate) fn outer(&self) -> [u64; 2] {
        [self.sizes[0], self.sizes[1]]
    }

    /// Elements from one slice to the next and from one row to the next: as declared, else side by side.
    pub(crate) fn distances(&self) -> [u64; 2] {
        let dense = [self.sizes[1].saturating_mul(self.sizes[2]), self.sizes[2]];
        match (self.pitches, self.rank) {
            (None, _) => dense,
            (Some([_, pitch]), 2) => [self.sizes[1].saturating_mul(pitch), pitch],
            (Some(pitches), _) => pitches,
        }
    }

    /// Whether the elements lie side by side.
    pub(crate) fn is_dense(&self) -> bool {
        let [slice, pitch] = self.distances();
        let rows = self.sizes[1] <= 1 || pitch == self.sizes[2];
        let slices = self.sizes[0] <= 1 || slice == self.sizes[1].saturating_mul(self.sizes[2]);
        self.elements() == 0 || (rows && slices)
    }
}

impl Touched {
    /// As a CPU body receives it.
    pub(crate) fn argument(&self, address: *mut u8) -> CpuArgument<'static> {
        let sizes = self.sizes.map(|size| size as usize);
        CpuArgument::Box { address, sizes, distances: self.distances().map(|distance| distance as usize) }
    }
}

impl KernelDeclaration {
    /// What the kernel touches of each buffer parameter, from the bytes of its values.
    pub(crate) fn touched(&self, values: &[&[u8]]) -> Result<impl Iterator<Item = Touched> + use<>, String> {
        let mut lengths = (self.lengths)(values)?.into_iter();
        let buffers = self.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Buffer { dimensions, pitched, .. } => Some((usize::from(dimensions), pitched)),
            ParameterKind::List { .. } | ParameterKind::Value { .. } | ParameterKind::Condition => None,
        });
        Ok(buffers.map(move |(dimensions, pitched)| {
            let mut sizes = [0; 3];
            let sizes = &mut sizes[..dimensions.min(3)];
            sizes.fill_with(|| lengths.next().unwrap_or(0));
            let mut next = || lengths.next().unwrap_or(0);
            let pitches = match (pitched, dimensions) {
                (true, 2) => Some([0, next()]),
                (true, 3) => Some([next(), next()]),
                _ => None,
            };
            Touched::new(sizes, pitches)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_dense_if_nothing_lies_between_its_rows() {
        assert!(Touched::new(&[7], None).is_dense() && Touched::new(&[3, 4], None).is_dense());
        assert!(Touched::new(&[3, 4], Some([0, 4])).is_dense() && !Touched::new(&[3, 4], Some([0, 5])).is_dense());
        assert!(Touched::new(&[1, 4], Some([0, 5])).is_dense(), "one row");
        assert!(!Touched::new(&[2, 3, 4], Some([13, 4])).is_dense());
        assert_eq!(Touched::new(&[3, 4], Some([0, 5])).distances(), [15, 5]);
        assert_eq!(Touched::new(&[2, 3, 4], None).distances(), [12, 4]);
    }
}
