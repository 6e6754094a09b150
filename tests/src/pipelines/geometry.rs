//! Grids and blocks of one to three dimensions, and dynamic shared memory.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph Plane(x: &out [u32; w * h], w: usize, h: usize) {
        let block = (16, 4);
        basic::index_2d<<<(w.div_ceil(16), h.div_ceil(4)), block>>>(&out x, w as u32, h as u32);
    }

    graph Space(x: &out [u32; a * b * c], a: u32, b: u32, c: u32) {
        basic::index_3d<<<(a.div_ceil(4), b.div_ceil(4), c.div_ceil(2)), (4, 4, 2)>>>(&out x, a, b, c);
    }

    graph Reverse(x: &mut [u32; n], bytes: usize) {
        basic::reverse_block<<<n / 64, 64, bytes>>>(&mut x, n as u32);
    }
}

/// Odd sizes, so that the grid is larger than the picture.
pub fn two_dimensions(device: &Device) -> Result<()> {
    let (w, h) = (37, 9);
    let mut x = device.zeros::<u32>(w * h)?;
    let mut graph = PlaneArgs { x: &mut x, w, h }.build(device)?;
    run(&mut graph)?;
    let expected: Vec<u32> = (0..h as u32).flat_map(|j| (0..w as u32).map(move |i| 1000 * j + i)).collect();
    assert_eq!(graph.x().to_vec()?, expected);
    Ok(())
}

/// All three dimensions differ.
pub fn three_dimensions(device: &Device) -> Result<()> {
    let (a, b, c) = (5, 7, 3);
    let mut x = device.zeros::<u32>(105)?;
    let mut graph = SpaceArgs { x: &mut x, a, b, c }.build(device)?;
    run(&mut graph)?;
    let at = |index: u32| 10_000 * (index / 35) + 100 * (index / 5 % 7) + index % 5;
    assert_eq!(graph.x().to_vec()?, (0..105).map(at).collect::<Vec<u32>>());
    Ok(())
}

/// With 256 bytes, and with more than the 48 KiB that need an opt-in.
pub fn shared_memory(device: &Device) -> Result<()> {
    for bytes in [256, 60 * 1024] {
        let numbers: Vec<u32> = (0..192).collect();
        let mut x = device.buffer_from(&numbers)?;
        let mut graph = ReverseArgs { x: &mut x, bytes }.build(device)?;
        run(&mut graph)?;
        let expected: Vec<u32> = (0..192).map(|i| i / 64 * 64 + 63 - i % 64).collect();
        assert_eq!(graph.x().to_vec()?, expected);
    }
    Ok(())
}
