//! A launch on the CPU, as a kernel's generated entry sees it.

use std::sync::atomic::AtomicU32;

use super::{Atomic, Condition, Out, Tile, TileMut};

/// One argument of a launch on the CPU.
#[derive(Clone, Copy, Debug)]
pub enum CpuArgument<'a> {
    /// A buffer, or the range of it that was passed.
    Buffer {
        /// Of the first element.
        address: *mut u8,
        /// How many elements the body may touch.
        elements: usize,
    },
    /// A buffer that is declared with a shape: a box of it.
    Box {
        /// Of the first element.
        address: *mut u8,
        /// Slices, rows, elements of a row; those that the declaration does not have are 1.
        sizes: [usize; 3],
        /// Elements from one slice to the next, and from one row to the next.
        distances: [usize; 2],
    },
    /// A list of buffers, each by the address of its first element and its number of elements.
    List(&'a [(*mut u8, usize)]),
    /// The bytes of a value.
    Value(&'a [u8]),
    /// A loop's condition.
    Condition(&'a AtomicU32),
}

/// The arguments of one launch, for the body that runs the whole grid at once.
///
/// # Why the accessors are unsafe
/// [`new`](Self::new) promises that the memory is there and whose it is; only the caller of an accessor knows that it asks for the
/// type and the mode that the kernel declares. Both callers are ours: the executor, and the code that `#[cuda_module]` generates from
/// the declaration, where the types are checked to be plain data (a bound here would report one wrong type twice). The body is safe code: what it receives ends with the launch, and it receives each argument once.
#[derive(Debug)]
pub struct CpuLaunch<'a> {
    arguments: &'a [CpuArgument<'a>],
}

impl<'a> CpuLaunch<'a> {
    /// # Safety
    /// For the kernel whose entry gets this launch, and during `'a`:
    /// - there is one argument per declared parameter, in order, of the declared kind;
    /// - the address of a buffer argument is aligned for the declared element (for zero elements also: dangling is fine, null is not),
    ///   and valid for that many initialised elements: for reads if the mode is `&`, else for reads and writes;
    /// - the elements of a `&` argument are not written by anybody; those of a `&mut` or `Out` argument are accessed through this
    ///   launch only, and through one argument of it only; those of an `Atomic` argument only by atomic operations of their size;
    /// - the same holds for each buffer of a list, and no two of them overlap unless they are only read;
    /// - the same holds for each element of a box, whose rows and slices do not overlap;
    /// - the bytes of a value argument are those of a value of the declared type.
    pub unsafe fn new(arguments: &'a [CpuArgument<'a>]) -> Self {
        Self { arguments }
    }

    /// An argument declared `&[T]`.
    ///
    /// # Safety
    /// The parameter with this index is declared `&[T]`.
    pub unsafe fn read<T>(&self, index: usize) -> &'a [T] {
        // SAFETY: by `new`, aligned, initialised and not written during 'a.
        unsafe { &*self.elements(index) }
    }

    /// An argument declared `&mut [T]`.
    ///
    /// # Safety
    /// The parameter with this index is declared `&mut [T]`, and this is its only use.
    pub unsafe fn update<T>(&self, index: usize) -> &'a mut [T] {
        // SAFETY: by `new`, aligned, initialised and this launch's alone during 'a; by the caller, taken once.
        unsafe { &mut *self.elements(index) }
    }

    /// An argument declared `Out<[T]>`.
    ///
    /// # Safety
    /// The parameter with this index is declared `Out<[T]>`, and this is its only use.
    pub unsafe fn out<T>(&self, index: usize) -> Out<'a, [T]> {
        // SAFETY: as in `update`.
        Out::new(unsafe { &mut *self.elements(index) })
    }

    /// An argument declared `Atomic<[T]>`.
    ///
    /// # Safety
    /// The parameter with this index is declared `Atomic<[T]>`.
    pub unsafe fn atomic<T>(&self, index: usize) -> Atomic<'a, [T]> {
        // SAFETY: by `new`, aligned, initialised and accessed only by atomic operations during 'a.
        unsafe { Atomic::from_raw(self.elements(index)) }
    }

    /// An argument declared `&List<[T]>`.
    ///
    /// # Safety
    /// The parameter with this index is declared so.
    pub unsafe fn read_list<T>(&self, index: usize) -> Vec<&'a [T]> {
        // SAFETY: by `new`, aligned, initialised and not written during 'a.
        self.listed(index).map(|elements| unsafe { &*elements }).collect()
    }

    /// An argument declared `&mut List<[T]>` or `Out<List<[T]>>`.
    ///
    /// # Safety
    /// The parameter with this index is declared so, and this is its only use.
    pub unsafe fn write_list<T>(&self, index: usize) -> Vec<&'a mut [T]> {
        // SAFETY: by `new`, aligned, initialised, disjoint and this launch's alone during 'a; by the caller, taken once.
        self.listed(index).map(|elements| unsafe { &mut *elements }).collect()
    }

    /// An argument declared `Atomic<List<[T]>>`.
    ///
    /// # Safety
    /// The parameter with this index is declared so.
    pub unsafe fn atomic_list<T>(&self, index: usize) -> Vec<Atomic<'a, [T]>> {
        // SAFETY: by `new`, aligned, initialised and accessed only by atomic operations during 'a.
        self.listed(index).map(|elements| unsafe { Atomic::from_raw(elements) }).collect()
    }

    /// An argument declared `&[T; (h, w)]`, with as many dimensions.
    ///
    /// # Safety
    /// The parameter with this index is declared so.
    pub unsafe fn read_box<T, const N: usize>(&self, index: usize) -> Tile<'a, T, N> {
        let (first, sizes, distances) = self.rows(index);
        // SAFETY: by `new`, aligned, initialised and not written during 'a.
        unsafe { Tile::new(first, sizes, distances) }
    }

    /// An argument declared `&mut [T; (h, w)]` or `Out<[T; (h, w)]>`, with as many dimensions.
    ///
    /// # Safety
    /// The parameter with this index is declared so, and this is its only use.
    pub unsafe fn write_box<T, const N: usize>(&self, index: usize) -> TileMut<'a, T, N> {
        let (first, sizes, distances) = self.rows(index);
        // SAFETY: by `new`, aligned, initialised and this launch's alone during 'a; by the caller, taken once.
        unsafe { TileMut::new(first, sizes, distances) }
    }

    /// An argument passed by value.
    ///
    /// # Panics
    /// If the argument has another size.
    ///
    /// # Safety
    /// The parameter with this index is declared as a value of type `T`.
    pub unsafe fn value<T>(&self, index: usize) -> T {
        let bytes = match self.arguments[index] {
            CpuArgument::Value(bytes) => bytes,
            _ => &[],
        };
        assert_eq!(bytes.len(), size_of::<T>(), "argument {index} is no `{}`", std::any::type_name::<T>());
        // SAFETY: there are as many bytes as `T` has, and by `new` they are those of a `T`; unaligned is allowed here.
        unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
    }

    /// An argument declared `Condition`.
    ///
    /// # Panics
    /// If it is none.
    ///
    /// # Safety
    /// The parameter with this index is declared `Condition`.
    pub unsafe fn condition(&self, index: usize) -> Condition<'a> {
        match self.arguments[index] {
            CpuArgument::Condition(value) => Condition::new(value),
            _ => unreachable!("argument {index} is no condition"),
        }
    }

    /// The elements of a buffer argument; of a value, none.
    fn elements<T>(&self, index: usize) -> *mut [T] {
        match self.arguments[index] {
            CpuArgument::Buffer { address, elements } => std::ptr::slice_from_raw_parts_mut(address.cast(), elements),
            _ => std::ptr::slice_from_raw_parts_mut(std::ptr::dangling_mut(), 0),
        }
    }

    /// The buffers of a list; of anything else, none.
    fn listed<T>(&self, index: usize) -> impl Iterator<Item = *mut [T]> + use<'a, T> {
        let buffers: &'a [(*mut u8, usize)] = match self.arguments[index] {
            CpuArgument::List(buffers) => buffers,
            _ => &[],
        };
        buffers.iter().map(|(address, elements)| std::ptr::slice_from_raw_parts_mut(address.cast(), *elements))
    }

    /// First element, sizes and distances of the last `N` dimensions; of anything but a box, no elements.
    fn rows<T, const N: usize>(&self, index: usize) -> (*mut T, [usize; N], [usize; N]) {
        match self.arguments[index] {
            CpuArgument::Box { address, sizes, distances: [slice, pitch] } => {
                let last = |all: [usize; 3]| std::array::from_fn(|axis| all[3 - N.min(3) + axis.min(2)]);
                (address.cast(), last(sizes), last([slice, pitch, 1]))
            }
            _ => (std::ptr::dangling_mut(), [0; N], [0; N]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CpuArgument, CpuLaunch};

    fn buffer<T>(memory: &mut [T]) -> CpuArgument<'static> {
        CpuArgument::Buffer { address: memory.as_mut_ptr().cast(), elements: memory.len() }
    }

    #[test]
    fn arguments_arrive_as_declared() {
        let (mut x, mut y, mut next, mut error) = ([1.0_f32, 2.0], [10_i64], [0_u8; 2], [5_u32]);
        let bytes = 0.25_f64.to_ne_bytes();
        let arguments =
            [buffer(&mut x), buffer(&mut y), buffer(&mut next), buffer(&mut error), CpuArgument::Value(&bytes)];
        // SAFETY: the arrays outlive the launch, which alone uses them, with the types that they have.
        unsafe {
            let launch = CpuLaunch::new(&arguments);
            assert_eq!(launch.read::<f32>(0), [1.0, 2.0]);
            launch.update::<i64>(1)[0] += 1;
            launch.out::<u8>(2).copy_from_slice(&[3, 4]);
            launch.atomic::<u32>(3).fetch_add(0, 2);
            assert_eq!(launch.value::<f64>(4).to_bits(), 0x3fd0_0000_0000_0000);
        }
        assert_eq!((y, next, error), ([11], [3, 4], [7]));
    }

    #[test]
    fn lists_arrive_as_slices_of_slices() {
        let (mut x, mut y) = ([1.0_f32, 2.0], [3.0_f32]);
        let mut addresses = [(x.as_mut_ptr().cast::<u8>(), 2), (y.as_mut_ptr().cast(), 1)];
        // SAFETY: as above; the list is taken once in each mode, one behind the other.
        unsafe {
            assert_eq!(CpuLaunch::new(&[CpuArgument::List(&addresses)]).read_list::<f32>(0), [&[1.0, 2.0][..], &[3.0]]);
            addresses.reverse();
            CpuLaunch::new(&[CpuArgument::List(&addresses)]).write_list::<f32>(0)[1][1] = 5.0;
            assert!(CpuLaunch::new(&[CpuArgument::List(&[])]).read_list::<f32>(0).is_empty());
        }
        assert_eq!((x, y), ([1.0, 5.0], [3.0]));
    }

    #[test]
    fn values_need_no_alignment() {
        let bytes = [0xff, 1, 0, 0, 0, 0, 0, 0, 0];
        let arguments = [CpuArgument::Value(&bytes[1..])];
        // SAFETY: eight bytes are a `u64`.
        assert_eq!(unsafe { CpuLaunch::new(&arguments).value::<u64>(0) }, 1);
    }

    #[test]
    #[should_panic(expected = "argument 0 is no `u64`")]
    fn a_value_of_another_size_is_found_out() {
        let arguments = [CpuArgument::Value(&[0; 4])];
        // SAFETY: not kept here: the size is checked before a byte is read.
        unsafe { CpuLaunch::new(&arguments).value::<u64>(0) };
    }
}
