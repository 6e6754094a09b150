//! Copies, fills, pinned memory, swaps and buffers without elements.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// Elements of 16 and of 3 bytes.
type Four = [u32; 4];
type Rgb = [u8; 3];

cuda_graph! {
    graph Parts(x: &[u32; 10], y: &out [u32; 10], cut: usize) {
        copy(&x[..cut], &out y[10 - cut..]);
        copy(&x[cut..10], &out y[..10 - cut]);
    }

    graph Fills(a: &out [u8; n], b: &out [u16; n], c: &out [f32; n], d: &out [f64; n], e: &out [Four; n], f: &out [Rgb; n], v: Rgb) {
        fill(&out a, 0xab);
        fill(&out b, 0x1234);
        fill(&out c, -1.5);
        fill(&out d, 1e-300);
        fill(&out e, [1, 2, 3, 4]);
        fill(&out f, v);
    }

    graph RoundTrip(from: &host [u32; n], to: &out host [u32; n]) {
        let x: [u32; n];
        let staging: host [u32; n];
        copy(&from, &out x);
        basic::increment<<<n.div_ceil(32), 32>>>(&mut x, n as u32);
        copy(&x, &out staging);
        copy(&staging, &out to);
    }

    /// An odd number of swaps: `x` must end in its owner's buffer all the same.
    graph OddSwaps(x: &mut [f32; n], n: usize) {
        let y: [f32; n];
        basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out y, 2.0, n as u32);
        swap(&mut x, &mut y);
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut x, 1.0, n as u32);
    }

    #[allow(unread_result)]
    graph Nothing(x: &mut [u32; n], y: &out [u32; n]) {
        let t: [u32; n] = 5;
        copy(&x, &out y);
        drop(t);
    }
}

/// A rotation in two copies, for every place to cut.
pub fn copies(device: &Device) -> Result<()> {
    let numbers: Vec<u32> = (0..10).collect();
    let x = device.buffer_from(&numbers)?;
    let mut y = device.zeros::<u32>(10)?;
    for cut in 0..=10 {
        let mut graph = PartsArgs { x: &x, y: &mut y, cut }.build(device)?;
        run(&mut graph)?;
        let mut expected = numbers.clone();
        expected.rotate_left(cut);
        assert_eq!(graph.y().to_vec()?, expected, "cut at {cut}");
    }
    Ok(())
}

/// Elements of 1, 2, 3, 4, 8 and 16 bytes, at lengths around the vector width.
pub fn fills(device: &Device) -> Result<()> {
    for n in [1, 3, 15, 16, 17, 1000] {
        let (mut a, mut b) = (device.zeros::<u8>(n)?, device.zeros::<u16>(n)?);
        let (mut c, mut d) = (device.zeros::<f32>(n)?, device.zeros::<f64>(n)?);
        let (mut e, mut f) = (device.zeros::<[u32; 4]>(n)?, device.zeros::<[u8; 3]>(n)?);
        let arguments = FillsArgs { a: &mut a, b: &mut b, c: &mut c, d: &mut d, e: &mut e, f: &mut f, v: [7, 8, 9] };
        let mut graph = arguments.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.a().to_vec()?, vec![0xab; n]);
        assert_eq!(graph.b().to_vec()?, vec![0x1234; n]);
        assert_eq!(graph.c().to_vec()?, vec![-1.5; n]);
        assert_eq!(graph.d().to_vec()?, vec![1e-300; n]);
        assert_eq!(graph.e().to_vec()?, vec![[1, 2, 3, 4]; n]);
        assert_eq!(graph.f().to_vec()?, vec![[7, 8, 9]; n]);
    }
    Ok(())
}

/// Host to device, through a kernel, to pinned memory of the graph's own, to the host.
pub fn pinned(device: &Device) -> Result<()> {
    let mut from = device.pinned_from(&(0..100).collect::<Vec<u32>>())?;
    let mut to = device.pinned_zeros::<u32>(100)?;
    for launch in 1..=3_u32 {
        from.as_mut_slice()?[0] = 1000 * launch;
        let mut graph = RoundTripArgs { from: &from, to: &mut to }.build(device)?;
        run(&mut graph)?;
        let result = graph.to().to_vec()?;
        assert_eq!(result[0], 1000 * launch + 1);
        assert_eq!(result[1..], (2..=100).collect::<Vec<u32>>());
        drop(graph);
        assert_eq!(to.as_slice()?[0], 1000 * launch + 1);
    }
    Ok(())
}

/// `2 x + 1`, again and again.
pub fn swaps(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1.0_f32; 5])?;
    let mut graph = OddSwapsArgs { x: &mut x, n: 5 }.build(device)?;
    for expected in [3.0, 7.0, 15.0] {
        run(&mut graph)?;
        assert_eq!(graph.x().to_vec()?, [expected; 5]);
    }
    Ok(())
}

/// Buffers without elements are fine wherever no kernel needs a block.
pub fn zero_sizes(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.zeros::<u32>(0)?, device.zeros::<u32>(0)?);
    let mut graph = NothingArgs { x: &mut x, y: &mut y }.build(device)?;
    run(&mut graph)?;
    assert!(graph.y().to_vec()?.is_empty());
    Ok(())
}
