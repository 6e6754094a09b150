//! What `#[requires(…)]` may speak about.

use super::ghost::{Ghost, GhostList};
use crate::element::DeviceValue;

/// A launch's numbers, before it is made.
#[derive(Clone, Copy, Debug)]
pub struct LaunchFacts<'a> {
    values: &'a [&'a [u8]],
    lengths: &'a [u64],
    lists: &'a [Vec<u64>],
    geometry: [[u32; 3]; 2],
}

/// A requirement that a launch does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// As written: `n % 4 == 0`.
    pub text: &'static str,
    /// The parameters that it names, and `grid` and `block`.
    pub names: &'static [&'static str],
}

/// A grid or a block in a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The first size.
    pub x: u32,
    /// The second, 1 if it was not written.
    pub y: u32,
    /// The third, 1 if it was not written.
    pub z: u32,
}

impl Sizes {
    /// All sizes multiplied: how many blocks, or threads of a block.
    pub fn count(self) -> u64 {
        [self.x, self.y, self.z].into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }
}

impl<'a> LaunchFacts<'a> {
    /// The bytes of the value parameters in order, the numbers of elements passed for the buffer parameters in order, those
    /// of the buffers of each list, grid and block.
    ///
    /// # Safety
    /// The bytes are those of values of the declared types.
    pub(crate) unsafe fn new(
        values: &'a [&'a [u8]],
        (lengths, lists): (&'a [u64], &'a [Vec<u64>]),
        geometry: [[u32; 3]; 2],
    ) -> Self {
        Self { values, lengths, lists, geometry }
    }

    /// The value parameter with this index among the value parameters.
    ///
    /// # Panics
    /// If it has another size.
    ///
    /// # Safety
    /// It is declared with this type.
    pub unsafe fn value<T: DeviceValue>(&self, index: usize) -> T {
        let bytes = self.values[index];
        assert_eq!(bytes.len(), size_of::<T>(), "value {index} is no `{}`", std::any::type_name::<T>());
        // SAFETY: there are as many bytes as `T` has, by `new` those of a `T`; unaligned is allowed here.
        unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
    }

    /// The buffer parameter with this index among the buffer parameters.
    pub fn buffer<T>(&self, index: usize) -> Ghost<T> {
        Ghost::new(usize::try_from(self.lengths[index]).unwrap_or(usize::MAX))
    }

    /// The list parameter with this index among the list parameters.
    pub fn list<T>(&self, index: usize) -> GhostList<Ghost<T>> {
        let buffer = |length: &u64| Ghost::new(usize::try_from(*length).unwrap_or(usize::MAX));
        GhostList::new("in a requirement".into(), self.lists[index].iter().map(buffer).collect())
    }

    /// The grid.
    pub fn grid(&self) -> Sizes {
        let [x, y, z] = self.geometry[0];
        Sizes { x, y, z }
    }

    /// The block.
    pub fn block(&self) -> Sizes {
        let [x, y, z] = self.geometry[1];
        Sizes { x, y, z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_passed() {
        let (n, by) = (10_u32.to_ne_bytes(), 0.5_f64.to_ne_bytes());
        let values: [&[u8]; 2] = [&n, &by];
        let lists = [vec![4, 5]];
        // SAFETY: the bytes are those of a `u32` and an `f64`, which is what is asked for.
        let (facts, n, by) = unsafe {
            let facts = LaunchFacts::new(&values, (&[7], &lists), [[2, 3, 1], [32, 1, 4]]);
            (facts, facts.value::<u32>(0), facts.value::<f64>(1))
        };
        assert_eq!((n, by.to_bits()), (10, 0x3fe0_0000_0000_0000));
        assert_eq!(facts.buffer::<f32>(0).len(), 7);
        assert_eq!((facts.list::<f32>(0).len(), facts.list::<f32>(0)[1].len()), (2, 5));
        assert_eq!(facts.grid(), Sizes { x: 2, y: 3, z: 1 });
        assert_eq!(facts.block().count(), 128);
        assert_eq!(Sizes { x: u32::MAX, y: u32::MAX, z: u32::MAX }.count(), u64::MAX);
    }
}
