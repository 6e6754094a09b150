//! A frame of canny three ways: as one graph, node by node, and as stream launches with the loop driven from the host.
//!
//! Prints one JSON object; times are medians in microseconds, launch to synchronised. The three ways take turns. Each result is
//! compared with the graph's, byte by byte.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use benches::{median, time};
use cudarc::driver::{CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg as _};
use examples::canny::{Canny, CannyArgs};
use graph_runtime::Device;

const SOURCE: &str = include_str!("../../../examples/kernels/canny.cu");
const LOW: i32 = 50;
const HIGH: i32 = 100;
const ROUNDS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    for side in [256, 512, 1024, 2048] {
        println!("{}", measure(side)?);
    }
    Ok(())
}

/// Rings and stripes with some noise, in integers: a picture of any size with long edges.
fn picture(side: usize) -> Vec<u8> {
    let mut noise = 12345_u32;
    let mut pixel = |index: usize| {
        let (x, y) = (index % side, index / side);
        let (dx, dy) = (x.abs_diff(side / 2), y.abs_diff(side / 2));
        let ring = if (dx * dx + dy * dy).isqrt() / 24 % 2 == 0 { 90 } else { 0 };
        let stripe = if x / 40 % 2 == 0 { 60 } else { 0 };
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        50 + ring + stripe + (noise >> 28) as u8
    };
    (0..side * side).map(&mut pixel).collect()
}

fn measure(side: usize) -> Result<String, Box<dyn Error>> {
    let pixels = picture(side);
    let device = Device::cuda(0)?;
    let image = device.buffer_from(&pixels)?;
    let mut edges = device.zeros::<u8>(side * side)?;
    let mut graph =
        CannyArgs { image: &image, edges: &mut edges, low: LOW, high: HIGH, w: side, h: side }.build(&device)?;
    let mut streams = Streams::new(&pixels, side as u32)?;
    let (mut whole, mut eager, mut driven) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS + 5 {
        let times: [Duration; 3] = [
            time(|| graph.launch().and_then(|()| graph.synchronize()))?,
            time(|| graph.run_eager())?,
            time(|| streams.frame())?,
        ];
        if round >= 5 {
            whole.push(times[0]);
            eager.push(times[1]);
            driven.push(times[2]);
        }
    }
    graph.launch()?;
    let expected = graph.edges().to_vec()?;
    let passes = graph.iterations(Canny::HYSTERESIS)?;
    let same = streams.stream.clone_dtoh(&streams.edges)? == expected && expected.contains(&255);
    let (whole, eager, driven) = (median(whole), median(eager), median(driven));
    Ok(format!(
        "{{\"bench\": \"canny\", \"side\": {side}, \"passes\": {passes}, \"graph\": {whole:.1}, \"eager\": {eager:.1}, \
         \"host_loop\": {driven:.1}, \"host_loop_over_graph\": {:.2}, \"ok\": {same}}}",
        driven / whole
    ))
}

/// The same kernels, launched into a stream one by one; the host reads the flag back after every second pass, as the graph does.
struct Streams {
    stream: Arc<CudaStream>,
    kernels: Kernels,
    side: u32,
    image: CudaSlice<u8>,
    halfway: CudaSlice<u16>,
    smooth: CudaSlice<u8>,
    gradients: [CudaSlice<i16>; 2],
    peak: CudaSlice<u16>,
    marks: [CudaSlice<u8>; 2],
    changed: CudaSlice<u32>,
    edges: CudaSlice<u8>,
}

struct Kernels {
    blur_rows: CudaFunction,
    blur_columns: CudaFunction,
    sobel_x: CudaFunction,
    sobel_y: CudaFunction,
    suppress: CudaFunction,
    threshold: CudaFunction,
    grow: CudaFunction,
    finish: CudaFunction,
}

impl Streams {
    fn new(pixels: &[u8], side: u32) -> Result<Self, Box<dyn Error>> {
        let context = CudaContext::new(0)?;
        let stream = context.new_stream()?;
        let module = context.load_module(cudarc::nvrtc::compile_ptx(SOURCE)?)?;
        let kernel = |name: &str| module.load_function(name);
        let kernels = Kernels {
            blur_rows: kernel("blur_rows")?,
            blur_columns: kernel("blur_columns")?,
            sobel_x: kernel("sobel_x")?,
            sobel_y: kernel("sobel_y")?,
            suppress: kernel("suppress")?,
            threshold: kernel("threshold")?,
            grow: kernel("grow")?,
            finish: kernel("finish")?,
        };
        let n = pixels.len();
        Ok(Self {
            kernels,
            side,
            image: stream.clone_htod(pixels)?,
            halfway: stream.alloc_zeros(n)?,
            smooth: stream.alloc_zeros(n)?,
            gradients: [stream.alloc_zeros(n)?, stream.alloc_zeros(n)?],
            peak: stream.alloc_zeros(n)?,
            marks: [stream.alloc_zeros(n)?, stream.alloc_zeros(n)?],
            changed: stream.alloc_zeros(1)?,
            edges: stream.alloc_zeros(n)?,
            stream,
        })
    }

    fn frame(&mut self) -> Result<(), DriverError> {
        self.gradient()?;
        self.stream.memset_zeros(&mut self.changed)?;
        let (shape, side) = (pixels(self.side), self.side);
        let mut launch = self.stream.launch_builder(&self.kernels.threshold);
        launch
            .arg(&self.peak)
            .arg(&mut self.marks[0])
            .arg(&mut self.changed)
            .arg(&LOW)
            .arg(&HIGH)
            .arg(&side)
            .arg(&side);
        // SAFETY: the kernel takes these parameters and touches side * side elements, which every slice has.
        unsafe { launch.launch(shape) }?;
        while self.stream.clone_dtoh(&self.changed)?[0] != 0 {
            self.grow()?;
        }
        let mut launch = self.stream.launch_builder(&self.kernels.finish);
        launch.arg(&self.marks[0]).arg(&mut self.edges).arg(&side).arg(&side);
        // SAFETY: as above.
        unsafe { launch.launch(shape) }?;
        self.stream.synchronize()
    }

    /// From the picture to the peaks of its gradient.
    fn gradient(&mut self) -> Result<(), DriverError> {
        let (shape, side) = (pixels(self.side), self.side);
        let stream = &self.stream;
        let [gx, gy] = &mut self.gradients;
        let mut launch = stream.launch_builder(&self.kernels.blur_rows);
        launch.arg(&self.image).arg(&mut self.halfway).arg(&side).arg(&side);
        // SAFETY: the kernel takes these parameters and touches side * side elements, which every slice has.
        unsafe { launch.launch(shape) }?;
        let mut launch = stream.launch_builder(&self.kernels.blur_columns);
        launch.arg(&self.halfway).arg(&mut self.smooth).arg(&side).arg(&side);
        // SAFETY: as above.
        unsafe { launch.launch(shape) }?;
        for (kernel, gradient) in [(&self.kernels.sobel_x, &mut *gx), (&self.kernels.sobel_y, &mut *gy)] {
            let mut launch = stream.launch_builder(kernel);
            launch.arg(&self.smooth).arg(gradient).arg(&side).arg(&side);
            // SAFETY: as above.
            unsafe { launch.launch(shape) }?;
        }
        let mut launch = stream.launch_builder(&self.kernels.suppress);
        launch.arg(&*gx).arg(&*gy).arg(&mut self.peak).arg(&side).arg(&side);
        // SAFETY: as above.
        unsafe { launch.launch(shape) }?;
        Ok(())
    }

    /// Two passes, from the first marks to the second and back.
    fn grow(&mut self) -> Result<(), DriverError> {
        let side = self.side;
        let shape = LaunchConfig {
            grid_dim: (side.div_ceil(32), side.div_ceil(32), 1),
            block_dim: (32, 32, 1),
            shared_mem_bytes: 0,
        };
        for _ in 0..2 {
            self.stream.memset_zeros(&mut self.changed)?;
            let [from, to] = &mut self.marks;
            let mut launch = self.stream.launch_builder(&self.kernels.grow);
            launch.arg(&*from).arg(&mut *to).arg(&mut self.changed).arg(&side).arg(&side);
            // SAFETY: the kernel takes these parameters and touches side * side elements, which every slice has.
            unsafe { launch.launch(shape) }?;
            self.marks.swap(0, 1);
        }
        Ok(())
    }
}

/// A thread per pixel.
fn pixels(side: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (side.div_ceil(32), side.div_ceil(8), 1), block_dim: (32, 8, 1), shared_mem_bytes: 0 }
}
