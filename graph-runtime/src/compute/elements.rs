//! Elements of a node's accesses on the CPU.

use graph_ir::model::Place;

use super::{ElementIndex, Number};
use crate::buffer::mailbox;
use crate::element::Element;
use crate::fault::Fault;

/// Reads and writes elements of a node's accesses on the CPU.
pub struct Elements<'a> {
    accesses: &'a [Touched],
}

/// An access with its address.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// The buffer's name.
    pub(crate) name: String,
    /// Of the element that indices are counted from.
    pub(crate) address: usize,
    /// The size of an element.
    pub(crate) size: usize,
    /// The buffer's lengths by dimension; 1 for those that it has not.
    pub(crate) shape: [u64; 3],
    /// How many dimensions it has.
    pub(crate) rank: usize,
    /// Along each dimension, from where to where the node may touch elements.
    pub(crate) footprint: [[u64; 2]; 3],
    /// The number of the footprint's first element.
    pub(crate) single: u64,
    /// The host looks at its elements meanwhile.
    pub(crate) mailbox: bool,
    /// The argument, as written.
    pub(crate) place: Place,
}

impl<'a> Elements<'a> {
    /// Of these accesses.
    ///
    /// # Safety
    /// Each address has the access's elements, aligned and initialised, for `'a`; nobody else touches them meanwhile in a way that
    /// conflicts with what the functions that get this do.
    pub(crate) unsafe fn new(accesses: &'a [Touched]) -> Self {
        Self { accesses }
    }

    /// The only element of the node's access with this index.
    pub fn get<T: Element>(&self, access: u32) -> T {
        let touched = &self.accesses[access as usize];
        if touched.footprint.iter().any(|[start, end]| start >= end) {
            touched.internal("has no element");
        }
        if touched.mailbox {
            let pointer = touched.pointer::<T>(touched.single);
            let mut element = T::zeroed();
            // SAFETY: `pointer` has checked the type's size; the rest is the contract of `new`.
            unsafe { mailbox::read(pointer.addr() as u64, touched.size, bytemuck::bytes_of_mut(&mut element)) };
            return element;
        }
        // SAFETY: `pointer` has checked the type's size, and the access has this element (the contract of `new`).
        unsafe { touched.pointer::<T>(touched.single).read() }
    }

    /// The element at an index.
    #[inline]
    pub(crate) fn load<T: Number>(&self, access: u32, index: impl ElementIndex) -> T {
        let touched = &self.accesses[access as usize];
        let offset = touched.offset(index);
        // SAFETY: `pointer` has checked the type's size and `offset` that the access has this element (the contract of `new`).
        unsafe { touched.pointer::<T>(offset).read() }
    }

    /// Sets the element at an index.
    #[inline]
    pub(crate) fn store<T: Number>(&self, access: u32, index: impl ElementIndex, element: T) {
        let touched = &self.accesses[access as usize];
        let offset = touched.offset(index);
        // SAFETY: as in `load`; no other index touches what this one writes, which the macro has checked.
        unsafe { touched.pointer::<T>(offset).write(element) };
    }
}

impl Touched {
    #[inline]
    fn offset<I: ElementIndex>(&self, index: I) -> u64 {
        if I::RANK != self.rank {
            self.internal(&format!("has {} dimensions, and is indexed by {}", self.rank, I::RANK));
        }
        let words = index.words();
        for (dimension, word) in words.iter().enumerate().take(I::RANK) {
            let [start, end] = self.footprint[dimension];
            if *word >= self.shape[dimension] {
                self.outside(&index.text());
            }
            if *word < start || *word >= end {
                self.internal("is touched outside of its footprint");
            }
        }
        self.number(words)
    }

    /// The number of an element in the buffer.
    #[inline]
    fn number(&self, [i, j, k]: [u64; 3]) -> u64 {
        (i * self.shape[1] + j) * self.shape[2] + k
    }

    #[inline]
    fn pointer<T>(&self, offset: u64) -> *mut T {
        if size_of::<T>() != self.size {
            self.internal("has elements of another size");
        }
        (self.address as *mut T).wrapping_add(offset as usize)
    }

    #[cold]
    #[inline(never)]
    fn outside(&self, index: &str) -> ! {
        Fault { place: self.place, message: out_of_bounds(index, &self.name, &self.shape[..self.rank]) }.throw()
    }

    #[cold]
    #[inline(never)]
    fn internal(&self, what: &str) -> ! {
        Fault { place: self.place, message: format!("cuda_graph! internal error: `{}` {what}", self.name) }.throw()
    }
}

/// ``index 17 is out of bounds: `p` has 16 elements``
pub(crate) fn out_of_bounds(index: &str, name: &str, shape: &[u64]) -> String {
    let has = match shape {
        [1] => "1 element".to_owned(),
        [length] => format!("{length} elements"),
        _ => format!("{} elements", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ")),
    };
    format!("index {index} is out of bounds: `{name}` has {has}")
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn touched(values: &mut [f32], range: [u64; 2]) -> Touched {
        let (address, length) = (values.as_mut_ptr().expose_provenance(), values.len() as u64);
        let (shape, footprint, place) = ([length, 1, 1], [range, [0, 1], [0, 1]], Place(3));
        Touched {
            name: "p".to_owned(),
            address,
            size: 4,
            shape,
            rank: 1,
            footprint,
            single: range[0],
            mailbox: false,
            place,
        }
    }

    #[test]
    fn elements_are_counted_from_the_buffers_first() {
        let mut values = [1.0, 2.0, 3.0];
        let accesses = [touched(&mut values, [1, 3])];
        // SAFETY: `values` lives and nobody else touches it.
        let elements = unsafe { Elements::new(&accesses) };
        elements.store(0, 2_i32, 5.0_f32);
        assert_eq!((elements.get::<f32>(0), elements.load::<f32>(0, 2_u8)), (2.0, 5.0));
    }

    #[test]
    fn what_is_outside_is_a_fault_with_the_index_and_the_length() {
        let mut values = [0.0; 16];
        let accesses = [touched(&mut values, [0, 16])];
        // SAFETY: `values` lives and nobody else touches it.
        let elements = unsafe { Elements::new(&accesses) };
        let caught = |index: i64| {
            let thrown = catch_unwind(AssertUnwindSafe(|| elements.load::<f32>(0, index))).unwrap_err();
            thrown.downcast::<Fault>().unwrap().message
        };
        assert_eq!(caught(17), "index 17 is out of bounds: `p` has 16 elements");
        assert_eq!(caught(-1), "index -1 is out of bounds: `p` has 16 elements");
        let thrown = catch_unwind(AssertUnwindSafe(|| elements.load::<f64>(0, 0))).unwrap_err();
        assert!(thrown.downcast::<Fault>().unwrap().message.contains("another size"));
    }

    #[test]
    fn the_last_dimension_varies_fastest() {
        let mut values: Vec<f32> = (0..12_u8).map(f32::from).collect();
        let (shape, touched) = ([3, 4, 1], [[1, 3], [0, 4], [0, 1]]);
        let accesses = [Touched { shape, rank: 2, footprint: touched, single: 4, ..touched_whole(&mut values) }];
        // SAFETY: `values` lives and nobody else touches it.
        let elements = unsafe { Elements::new(&accesses) };
        assert_eq!((elements.load::<f32>(0, (2, 1)), elements.get::<f32>(0)), (9.0, 4.0));
        for (index, word) in [((0, 0), "footprint"), ((1, 4), "index (1, 4) is out of bounds: `p` has 3 × 4 elements")]
        {
            let thrown = catch_unwind(AssertUnwindSafe(|| elements.load::<f32>(0, index))).unwrap_err();
            assert!(thrown.downcast::<Fault>().unwrap().message.contains(word), "{index:?}");
        }
    }

    fn touched_whole(values: &mut [f32]) -> Touched {
        let length = values.len() as u64;
        touched(values, [0, length])
    }

    #[test]
    fn shapes_are_printed_by_dimension() {
        assert_eq!(out_of_bounds("(2, 0)", "v", &[2, 3]), "index (2, 0) is out of bounds: `v` has 2 × 3 elements");
        assert_eq!(out_of_bounds("1", "s", &[1]), "index 1 is out of bounds: `s` has 1 element");
    }
}
