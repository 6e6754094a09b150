//! Views of captured calls as cudarc takes memory.

use std::sync::Arc;

use cudarc::driver::{CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop, sys};

use crate::call::{CaptureStream, DeviceView, DeviceViewMut};
use crate::element::Element;

impl<T: Element> DeviceSlice<T> for DeviceView<'_, T> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    /// Some stream of the device: not the captured one, which only `unsafe` gives out.
    fn stream(&self) -> &Arc<CudaStream> {
        self.capture_stream().other()
    }
}

impl<T: Element> DeviceSlice<T> for DeviceViewMut<'_, T> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn stream(&self) -> &Arc<CudaStream> {
        self.capture_stream().other()
    }
}

impl<T: Element> DevicePtr<T> for DeviceView<'_, T> {
    fn device_ptr<'a>(&'a self, stream: &'a CudaStream) -> (sys::CUdeviceptr, SyncOnDrop<'a>) {
        (self.address(), behind(self.capture_stream(), stream))
    }
}

impl<T: Element> DevicePtr<T> for DeviceViewMut<'_, T> {
    fn device_ptr<'a>(&'a self, stream: &'a CudaStream) -> (sys::CUdeviceptr, SyncOnDrop<'a>) {
        (self.address(), behind(self.capture_stream(), stream))
    }
}

impl<T: Element> DevicePtrMut<T> for DeviceViewMut<'_, T> {
    fn device_ptr_mut<'a>(&'a mut self, stream: &'a CudaStream) -> (sys::CUdeviceptr, SyncOnDrop<'a>) {
        (self.address(), behind(self.capture_stream(), stream))
    }
}

/// Without the closure's promise the stream is one of its own, and the memory its only for the call: it is waited for.
fn behind<'a>(capture: &CaptureStream, stream: &'a CudaStream) -> SyncOnDrop<'a> {
    if capture.promised() { SyncOnDrop::Record(None) } else { SyncOnDrop::sync_stream(stream) }
}
