//! What closures get: slices of pinned memory in callbacks, views of device memory in captures.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use super::CaptureStream;
use crate::element::Element;
use crate::kernel::ghost::Ghost;

/// One call of a closure: where its buffers are.
pub struct Call<'a> {
    buffers: &'a [CallBuffer],
    stream: Option<&'a CaptureStream>,
}

/// Where one access of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallBuffer {
    /// Of the first element; never null.
    pub(crate) address: u64,
    /// How many.
    pub(crate) elements: usize,
}

impl<'a> Call<'a> {
    /// A call on the host.
    ///
    /// # Safety
    /// The buffers are host memory of these numbers of initialised elements, and for the call nobody else writes them, nor reads those
    /// that the closure writes.
    pub(crate) unsafe fn on_host(buffers: &'a [CallBuffer]) -> Self {
        Self { buffers, stream: None }
    }

    /// A call that puts work into a stream.
    #[cfg(feature = "cuda")]
    pub(crate) fn into_stream(buffers: &'a [CallBuffer], stream: &'a CaptureStream) -> Self {
        Self { buffers, stream: Some(stream) }
    }

    /// The stream of a capture.
    pub fn stream(&self) -> &'a CaptureStream {
        let Some(stream) = self.stream else { unreachable!("generated code asks in captures") };
        stream
    }

    fn buffer(&self, access: u32) -> CallBuffer {
        self.buffers[access as usize]
    }
}

impl<T: Element> Ghost<T> {
    /// A buffer that a closure on the host reads.
    pub fn call_slice<'c>(self, call: &'c Call<'_>, access: u32) -> &'c [T] {
        let CallBuffer { address, elements } = call.buffer(access);
        // SAFETY: `Call::on_host`'s contract; generated code asks for each access once, by its mode and with its element type.
        unsafe { std::slice::from_raw_parts(address as *const T, elements) }
    }

    /// A buffer that a closure on the host writes.
    #[allow(clippy::mut_from_ref, reason = "each access of a call is asked for once")]
    pub fn call_slice_mut<'c>(self, call: &'c Call<'_>, access: u32) -> &'c mut [T] {
        let CallBuffer { address, elements } = call.buffer(access);
        // SAFETY: as above; accesses of one call that are written share no elements with others (rule CG0202).
        unsafe { std::slice::from_raw_parts_mut(address as *mut T, elements) }
    }

    /// A buffer that a captured call reads.
    pub fn call_view<'c>(self, call: &'c Call<'_>, access: u32) -> DeviceView<'c, T> {
        let CallBuffer { address, elements } = call.buffer(access);
        DeviceView { address, length: elements, stream: call.stream(), elements: PhantomData }
    }

    /// A buffer that a captured call writes.
    pub fn call_view_mut<'c>(self, call: &'c Call<'_>, access: u32) -> DeviceViewMut<'c, T> {
        DeviceViewMut { view: self.call_view(call, access), elements: PhantomData }
    }
}

/// Device memory that a captured call reads, for as long as the closure runs.
#[derive(Clone, Copy)]
pub struct DeviceView<'c, T: Element> {
    address: u64,
    length: usize,
    stream: &'c CaptureStream,
    elements: PhantomData<&'c [T]>,
}

/// Device memory that a captured call writes, for as long as the closure runs.
pub struct DeviceViewMut<'c, T: Element> {
    view: DeviceView<'c, T>,
    elements: PhantomData<&'c mut [T]>,
}

impl<T: Element> DeviceView<'_, T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The address on the device.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The address on the device, for functions of C.
    pub fn as_ptr(&self) -> *const T {
        self.address as *const T
    }

    /// Some of the elements.
    ///
    /// # Panics
    /// If the range leaves the view.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let (start, end) = bounds(&range, self.length);
        Self { address: self.address + (start * size_of::<T>()) as u64, length: end - start, ..*self }
    }
}

#[cfg(feature = "cuda")]
impl<'c, T: Element> DeviceView<'c, T> {
    pub(crate) fn capture_stream(&self) -> &'c CaptureStream {
        self.stream
    }

    pub(crate) fn new(address: u64, length: usize, stream: &'c CaptureStream) -> Self {
        Self { address, length, stream, elements: PhantomData }
    }
}

#[cfg(feature = "cuda")]
impl<'c, T: Element> DeviceViewMut<'c, T> {
    pub(crate) fn new(address: u64, length: usize, stream: &'c CaptureStream) -> Self {
        Self { view: DeviceView::new(address, length, stream), elements: PhantomData }
    }
}

impl<T: Element> DeviceViewMut<'_, T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }

    /// The address on the device.
    pub fn address(&self) -> u64 {
        self.view.address()
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn capture_stream(&self) -> &CaptureStream {
        self.view.capture_stream()
    }

    /// The address on the device, for functions of C.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.view.address as *mut T
    }

    /// The same elements, for reading.
    pub fn as_view(&self) -> DeviceView<'_, T> {
        self.view
    }

    /// Some of the elements.
    ///
    /// # Panics
    /// If the range leaves the view.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> DeviceViewMut<'_, T> {
        DeviceViewMut { view: self.view.slice(range), elements: PhantomData }
    }
}

fn bounds(range: &impl RangeBounds<usize>, length: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before + 1,
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last + 1,
        Bound::Excluded(end) => *end,
        Bound::Unbounded => length,
    };
    assert!(start <= end && end <= length, "the range {start}..{end} leaves a view of {length} elements");
    (start, end)
}

impl<T: Element> fmt::Debug for DeviceView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceView<{}>({} elements)", std::any::type_name::<T>(), self.length)
    }
}

impl<T: Element> fmt::Debug for DeviceViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceViewMut<{}>({} elements)", std::any::type_name::<T>(), self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::bounds;

    #[test]
    fn ranges_of_every_form() {
        assert_eq!(bounds(&(..), 8), (0, 8));
        assert_eq!(bounds(&(2..=3), 8), (2, 4));
        assert_eq!(bounds(&(8..), 8), (8, 8));
    }

    #[test]
    #[should_panic(expected = "the range 3..9 leaves a view of 8 elements")]
    fn a_range_stays_inside() {
        bounds(&(3..9), 8);
    }
}
