//! `images`: a copy and two launches for each image, one after another.

use cudarc::driver::{CudaFunction, CudaSlice, DeviceRepr, LaunchConfig, PinnedHostSlice};
use graph_runtime::Device;

use super::super::Result;
use super::super::images::Rect;
use super::{Launches, SOURCE, Stream, launch, wide};

// SAFETY: four numbers, as the kernel declares them.
unsafe impl DeviceRepr for Rect {}

/// A batch of images.
pub struct Images {
    stream: Stream,
    resize_crop: CudaFunction,
    normalise: CudaFunction,
    batch: Vec<(PinnedHostSlice<u8>, [u32; 2], Rect)>,
    brightness: CudaSlice<f32>,
    raw: CudaSlice<u8>,
    small: CudaSlice<f32>,
    /// The bits of `f16`.
    ready: CudaSlice<u16>,
    side: u32,
}

/// An image: its bytes, its size, a crop, its brightness.
pub type Image = (Vec<u8>, [u32; 2], Rect, f32);

impl Images {
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, images: Vec<Image>, side: usize) -> Result<Option<Self>> {
        let source = format!("{SOURCE}{}", include_str!("../../../kernels/programs/images.cu"));
        let Some(with) = Stream::of(device, &source)? else { return Ok(None) };
        let stream = &with.stream;
        let largest = images.iter().map(|image| image.0.len()).max().unwrap_or(0);
        let (raw, small) = (stream.alloc_zeros(largest)?, stream.alloc_zeros(3 * side * side)?);
        let ready = stream.alloc_zeros(images.len() * 3 * side * side)?;
        let brightness = stream.clone_htod(&images.iter().map(|image| image.3).collect::<Vec<_>>())?;
        let pinned = |(bytes, size, crop, _): Image| Ok((super::pinned(&with, &bytes)?, size, crop));
        let batch = images.into_iter().map(pinned).collect::<Result<_>>()?;
        let (resize_crop, normalise) = (with.kernel("resize_crop")?, with.kernel("normalise")?);
        let side = u32::try_from(side)?;
        Ok(Some(Self { stream: with, resize_crop, normalise, batch, brightness, raw, small, ready, side }))
    }
}

impl Launches for Images {
    fn run(&mut self) -> Result {
        let (stream, side, n) = (&self.stream.stream, self.side, 3 * self.side * self.side);
        let blocks = side.div_ceil(16);
        let square = LaunchConfig { grid_dim: (blocks, blocks, 1), block_dim: (16, 16, 1), shared_mem_bytes: 0 };
        for (i, (bytes, [width, height], crop)) in self.batch.iter().enumerate() {
            stream.memcpy_htod(bytes, &mut self.raw)?;
            launch!(stream, self.resize_crop, square, &self.raw, &mut self.small, width, height, crop, &side);
            let brightness = self.brightness.slice(i..=i);
            let mut ready = self.ready.slice_mut(i * n as usize..(i + 1) * n as usize);
            launch!(stream, self.normalise, wide(n), &self.small, &brightness, &mut ready, &n);
        }
        Ok(stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        let bits = self.stream.stream.clone_dtoh(&self.ready)?;
        Ok(bits.into_iter().map(|bits| f64::from(half::f16::from_bits(bits))).collect())
    }
}
