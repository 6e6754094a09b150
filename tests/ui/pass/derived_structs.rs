// Structs of buffers with everything that a field may be, and structs of plain data.
use std::sync::Arc;

use graph_runtime::prelude::*;
use tests::kernels::basic;

#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
struct Pair<T> {
    flag: bool,
    values: [T; 2],
}

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone)]
enum Activation {
    Relu,
}

#[derive(Buffers)]
struct Linear<T: Element, const BIAS: usize = 1> {
    w: Buffer<T>,
    b: [Buffer<T>; BIAS],
    heads: usize,
}

#[derive(Buffers)]
pub struct Layer {
    up: Linear<f32>,
    rest: Vec<Linear<u32, 2>>,
    host: PinnedBuffer<u8>,
    pub(super) tied: Arc<Buffer<f32>>,
    #[value]
    activation: Activation,
    name: String,
}

cuda_graph! {
    graph Points(from: &[Point; n], to: &out [Point; 2 * n]) {
        copy(&from, &out to[..n]);
        fill(&out to[n..], Point { x: 1.0, y: 2.0 });
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let from = device.buffer_from(&[Point { x: 3.0, y: 4.0 }])?;
    let mut graph = PointsArgs { from, to: device.zeros(2)? }.build(&device)?;
    graph.launch()?;
    let to: Vec<[f32; 2]> = graph.to().to_vec()?.iter().map(|point| [point.x, point.y]).collect();
    assert_eq!(to, [[3.0, 4.0], [1.0, 2.0]]);
    Ok(())
}
