//! A batch of images as networks want them: cropped, resized, brightened, normalised. Each batch has other images of other sizes, and
//! the graph stays the same.

use graph_runtime::prelude::*;
use half::f16;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "images", about: "crops, resizes and normalises images of many sizes, batch by batch", run };

/// Part of an image.
#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
pub struct Rect {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// One thread for each pixel of the small image.
#[cuda_module("kernels/programs/images.cu")]
unsafe mod k {
    use super::{Rect, resized};

    #[requires(crop.width > 0 && crop.x + crop.width <= width && crop.height > 0 && crop.y + crop.height <= height)]
    pub fn resize_crop(
        image: &[u8; 3 * width * height],
        small: Out<[f32; 3 * side * side]>,
        width: u32,
        height: u32,
        crop: Rect,
        side: u32,
    ) {
        for (plane, small) in small.chunks_exact_mut((side * side) as usize).enumerate() {
            let plane = &image[plane * (width * height) as usize..];
            resized(plane, small, width as usize, crop, side);
        }
    }
}

cuda_graph! {
    /// Image `i` is `size[i].0` by `size[i].1` pixels in planes of red, green and blue, in the first bytes of `src[i]`.
    pub graph Preprocess(
        src: [&host [u8]],
        size: [(u32, u32)],
        crop: [Rect],
        light: &host [f32; n],
        ready: &out [f16; (n, 3 * side * side)],
        side: usize,
        largest: usize,
    ) {
        let brightness: [f32; n];
        let raw: [[u8; largest]; 3];
        let blocks = side.div_ceil(16) as u32;
        copy(&light, &out brightness);
        for i in 0..src.len() {
            let small: [f32; 3 * side * side];
            let (width, height) = size[i];
            let bytes = 3 * (width * height) as usize;
            copy(&src[i][..bytes], &out raw[i % 3][..bytes]);
            k::resize_crop<<<(blocks, blocks), (16, 16)>>>(
                &raw[i % 3][..bytes], &out small, width, height, crop[i], side as u32);
            kernel for p in 0..3 * side * side {
                ready[(i, p)] = ((small[p] * brightness[i]).min(255.0) / 255.0 - 0.45) / 0.22;
            }
        }
    }
}

/// What the kernel does, for one plane.
fn resized(plane: &[u8], small: &mut [f32], width: usize, crop: Rect, side: u32) {
    let place = |at: u32, of: u32| ((at as f32 + 0.5) * of as f32 / side as f32 - 0.5).max(0.0);
    let pixel = |x: u32, y: u32| {
        let (x, y) = (crop.x + x.min(crop.width - 1), crop.y + y.min(crop.height - 1));
        f32::from(plane[y as usize * width + x as usize])
    };
    for (at, small) in (0..side * side).zip(small) {
        let (x, y) = (place(at % side, crop.width), place(at / side, crop.height));
        let (left, top) = (x as u32, y as u32);
        let (across, down) = (x - left as f32, y - top as f32);
        let row = |y| pixel(left, y) * (1.0 - across) + pixel(left + 1, y) * across;
        *small = row(top) * (1.0 - down) + row(top + 1) * down;
    }
}

const SIDE: usize = 24;
/// Bytes of the largest image.
const LARGEST: usize = 16 << 10;

/// Width, height, crop, brightness.
type Image = (u32, u32, Rect, f32);

const fn image(width: u32, height: u32, [x, y, columns, rows]: [u32; 4], light: f32) -> Image {
    (width, height, Rect { x, y, width: columns, height: rows }, light)
}

const BATCHES: [[Image; 4]; 2] = [
    [
        image(64, 48, [3, 5, 40, 32], 1.1),
        image(33, 57, [0, 0, 33, 57], 0.9),
        image(40, 40, [8, 8, 24, 24], 1.0),
        image(90, 31, [10, 1, 60, 28], 1.3),
    ],
    [
        image(50, 70, [1, 2, 45, 60], 0.8),
        image(64, 64, [16, 16, 32, 32], 1.2),
        image(25, 25, [0, 0, 25, 25], 1.0),
        image(31, 90, [4, 40, 20, 45], 0.7),
    ],
];

/// The images of a batch, each in memory for the largest one.
fn batch(device: &Device, number: usize) -> Result<Vec<PinnedBuffer<u8>>> {
    let image = |mut bytes: Vec<u8>| {
        bytes.resize(LARGEST, 0);
        Ok(device.pinned_from(&bytes)?)
    };
    pixels(number).into_iter().map(image).collect()
}

/// Noise.
fn pixels(batch: usize) -> Vec<Vec<u8>> {
    let image = |(index, (width, height, ..)): (usize, &Image)| {
        let numbers = uniform((800 + 10 * batch + index) as u64, (3 * width * height) as usize);
        numbers.into_iter().map(|x| ((f64::from(x) + 0.5) * 256.0) as u8).collect()
    };
    BATCHES[batch].iter().enumerate().map(image).collect()
}

/// The second batch as stream launches.
fn launches(device: &Device) -> Result<Option<streams::images::Images>> {
    let images = pixels(1).into_iter().zip(BATCHES[1]);
    let images = images.map(|(bytes, (width, height, crop, light))| (bytes, [width, height], crop, light));
    streams::images::Images::new(device, images.collect(), SIDE)
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/images.json"))?;
    let (first, second) = (batch(device, 0)?, batch(device, 1)?);
    let light = device.pinned_from(&BATCHES[0].map(|image| image.3))?;
    let mut ready = device.zeros(4 * 3 * SIDE * SIDE)?;
    let arguments = PreprocessArgs {
        src: &first,
        size: BATCHES[0].map(|image| (image.0, image.1)),
        crop: BATCHES[0].map(|image| image.2),
        light,
        ready: &mut ready,
        side: SIDE,
        largest: LARGEST,
    };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    check(report, "the first batch", &graph.ready().to_vec()?, reference.get("first")?);
    for (i, image) in BATCHES[1].iter().enumerate() {
        graph.rebind_src(i, &second[i])?;
        // A crop lies in the image at every moment.
        graph.set_crop(i, Rect { x: 0, y: 0, width: 1, height: 1 })?;
        graph.set_size(i, (image.0, image.1))?;
        graph.set_crop(i, image.2)?;
    }
    graph.light_mut()?.write_from(&BATCHES[1].map(|image| image.3))?;
    graph.launch()?;
    check(report, "the second batch, by setters", &graph.ready().to_vec()?, reference.get("second")?);
    let launches = report.checked(
        launches(device)?,
        &graph.ready().to_vec()?.into_iter().map(f64::from).collect::<Vec<_>>(),
        1e-3,
    )?;
    report.time_beside("four images", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}

/// `f16` has eleven bits.
fn check(report: &mut Report, what: &str, found: &[f16], expected: &[f64]) {
    let some: Vec<f64> = found.iter().copied().step_by(17).map(f64::from).collect();
    report.close(what, &some, expected, 1e-3);
}
