//! Templates, kernels with C++ names, fixed blocks, requirements, macros from outside.

use graph_runtime::prelude::*;

use crate::run::run;

/// Two numbers side by side, as in the kernel file.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Pair {
    first: f32,
    second: f32,
}

/// What turns round.
pub trait Turn: Element {
    /// The other way round.
    #[must_use]
    fn turned(self) -> Self;
}

impl Turn for Pair {
    fn turned(self) -> Self {
        Self { first: self.second, second: self.first }
    }
}

/// See `kernels/templates.cu`.
#[cuda_module(
    "kernels/templates.cu",
    define(TILE = 64, FACTOR = 2.0f32),
    include("kernels/include"),
    options("--std=c++17")
)]
pub unsafe mod templates {
    use std::ops::{AddAssign, Mul};

    use super::{DeviceValue, Element, Pair, Turn};

    /// `y += a * x`, `N` elements a thread.
    pub fn axpy<T, const N: usize>(y: &mut [T; n], x: &[T; n], a: T, n: u32)
    where
        T: Element + DeviceValue + AddAssign + Mul<Output = T>,
    {
        let _ = n;
        y.iter_mut().zip(x).for_each(|(y, x)| *y += a * *x);
    }

    /// Exchanges the two halves of each.
    #[name = "pairs::turn"]
    pub fn turn<P: Turn>(x: &mut [P; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|pair| *pair = pair.turned());
    }

    /// `x *= FACTOR`
    #[name = "pairs::twice"]
    pub fn twice(x: &mut [Pair; n], n: u32) {
        let _ = n;
        x.iter_mut().for_each(|pair| *pair = Pair { first: 2.0 * pair.first, second: 2.0 * pair.second });
    }

    /// One sum for each block.
    #[block(64)]
    #[requires(grid.x == blocks)]
    pub fn tile_sums(x: &[f32; n], mut sums: Out<[f64; blocks]>, n: u32, blocks: u32) {
        let _ = n;
        sums.fill(0.0);
        for (tile, elements) in x.chunks(64).enumerate() {
            sums[tile % blocks as usize] += elements.iter().map(|x| f64::from(*x)).sum::<f64>();
        }
    }

    /// `x *= by`, four at a time.
    #[requires(n % 4 == 0)]
    #[requires(x.len() >= n as usize && grid.x as u64 * block.count() * 4 >= u64::from(n))]
    pub fn scale_quads(x: &mut [f32], by: f32, n: u32) {
        x[..n as usize].iter_mut().for_each(|x| *x *= by);
    }
}

cuda_graph! {
    /// Two instances of one template, and what the graph's own type asks for.
    graph Axpy<T>(x: &[T; n], y: &mut [T; n], z: &mut [f64; m], w: &[f64; m], a: T)
    where
        T: Element + DeviceValue + std::ops::AddAssign + std::ops::Mul<Output = T>,
    {
        templates::axpy::<T, 4><<<n.div_ceil(256), 64>>>(&mut y, &x, a, n as u32);
        templates::axpy::<f64, 1><<<m.div_ceil(32), 32>>>(&mut z, &w, 0.5, m as u32);
        templates::axpy::<T, 4><<<n.div_ceil(256), 64>>>(&mut y, &x, a, n as u32);
    }

    graph Turned(x: &mut [Pair; n]) {
        templates::turn::<Pair><<<n.div_ceil(32), 32>>>(&mut x, n as u32);
        templates::twice<<<n.div_ceil(32), 32>>>(&mut x, n as u32);
    }

    graph Sum(x: &[f32; n], total: &out [f64; 1]) {
        let sums: [f64; 3];
        templates::tile_sums<<<3>>>(&x, &out sums, n as u32, 3);
        total[0] = sums[0] + sums[1] + sums[2];
    }

    graph Quads(x: &mut [f32; n], part: u32) {
        templates::scale_quads<<<n.div_ceil(128), 32>>>(&mut x, 3.0, part);
    }
}

/// Instances by the graph's types and by literals.
pub fn instances(device: &Device) -> Result<()> {
    let (x, w) = (device.buffer_from(&[1.0_f32; 301])?, device.buffer_from(&[2.0_f64; 5])?);
    let (mut y, mut z) = (device.zeros::<f32>(301)?, device.zeros::<f64>(5)?);
    let mut graph = AxpyArgs { x: &x, y: &mut y, z: &mut z, w: &w, a: 1.5 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [3.0; 301]);
    assert_eq!(graph.z().to_vec()?, [1.0; 5]);
    graph.set_a(-0.5)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [2.0; 301]);
    drop(graph);

    let x = device.buffer_from(&[3_u32, 5])?;
    let mut y = device.buffer_from(&[10_u32, 20])?;
    let mut graph = AxpyArgs { x: &x, y: &mut y, z: &mut z, w: &w, a: 7 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [10 + 2 * 7 * 3, 20 + 2 * 7 * 5]);
    Ok(())
}

/// Kernels in namespaces, and a template over a struct.
pub fn namespaces(device: &Device) -> Result<()> {
    let pair = |first, second| Pair { first, second };
    let mut x = device.buffer_from(&[pair(1.0, 2.0), pair(-3.0, 0.5)])?;
    let mut graph = TurnedArgs { x: &mut x }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [pair(4.0, 2.0), pair(1.0, -6.0)]);
    Ok(())
}

/// A block that the declaration fixes, with shared memory of its size.
pub fn fixed_block(device: &Device) -> Result<()> {
    let numbers: Vec<f32> = (0..1001_u16).map(f32::from).collect();
    let x = device.buffer_from(&numbers)?;
    let mut total = device.zeros::<f64>(1)?;
    let mut graph = SumArgs { x: &x, total: &mut total }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.total().to_vec()?, [500_500.0], "the sum of 0 to 1000");
    Ok(())
}

/// A kernel without a length, whose requirements are checked at each build and setter.
pub fn requirements(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1.0_f32; 12])?;
    let mut graph = QuadsArgs { x: &mut x, part: 8 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0]);
    let odd = graph.set_part(6).unwrap_err().to_string();
    assert!(odd.contains("kernel `scale_quads` requires `n % 4 == 0`, which does not hold [CG0212]"), "{odd}");
    assert!(odd.contains("note: `n` is 6"), "{odd}");
    let long = graph.set_part(16).unwrap_err().to_string();
    assert!(long.contains("note: `x` has 12 elements") && long.contains("note: `n` is 16"), "{long}");
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?[..9], [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 1.0], "nothing has changed");
    Ok(())
}
