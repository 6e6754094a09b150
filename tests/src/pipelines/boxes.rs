//! Buffers with shapes, boxes in copies, fills and launches, single elements by several indices.

use graph_runtime::prelude::*;

use crate::kernels::{basic, boxes};
use crate::run::{as_usual, run};

/// An element of 3 bytes.
type Rgb = [u8; 3];

cuda_graph! {
    /// A tile in every direction: device to device, to pinned memory and back, packed and in place.
    graph Tiles(x: &[u32; (h, w)], far: &out host [u32; (h, w)], y: &out [u32; (h, w)], h: usize, w: usize, r: usize, c: usize) {
        let packed: [u32; (h - r, w - c)];
        let staging: host [u32; (2, h - r, w - c)];
        fill(&out far, 0);
        copy(&x[(r.., c..)], &out packed);
        copy(&packed, &out staging[(0, .., ..)]);
        copy(&x[(r.., c..)], &out staging[(1..2, .., ..)]);
        copy(&staging[(0, .., ..)], &out far[(r.., c..)]);
        fill(&out y, 7);
        copy(&staging[(1, .., ..)], &out y[(..h - r, ..w - c)]);
        copy(&far[(r..=r, c..)], &out y[(h - 1, c..)]);
    }

    /// The corner of a cube, in one memcpy with two distances.
    graph Cube(x: &[u16; (4, 5, 6)], y: &mut [u16; (3, 4, 5)]) {
        copy(&x[(1..3, 2..4, 1..4)], &out y[(..2, 1..3, 2..)]);
    }

    graph Frames(a: &out [u8; (h, w)], b: &out [f32; (h, w)], c: &out [Rgb; (2, h, w)], d: &out [f64; (h, w)], h: usize, w: usize) {
        fill(&out a, 1);
        fill(&out a[(1..h - 1, 1..w - 1)], 9);
        fill(&out b, 1.0);
        fill(&out b[(1..h - 1, 1..w - 1)], 0.5);
        fill(&out c, [1, 2, 3]);
        fill(&out c[(1, 1..h - 1, 1..w - 1)], [7, 8, 9]);
        fill(&out d, 1.0);
        fill(&out d[1..h - 1], 2.0);
    }

    graph Elements(s: &mut [f32; (2, 3)], t: &mut [u32; (2, 2, 2)], row: usize) {
        s[(0, 1)] = s[(row, 2)] + 1.0;
        s[(row, 0)] *= 10.0;
        t[(1, 0, 1)] += t[(0, 1, 1)];
    }

    /// Look-ups side by side, each into its columns of one matrix.
    pub graph Lookups(
        t0: &[f32; rows * 64], t1: &[f32; (rows, 64)], t2: &[f32; (rows, 64)],
        index: &[u32; (3, n, per)], emb: &out [f32; (n, 4 * 64)], sums: &out [f32; n], rows: usize, n: usize, per: usize,
    ) {
        let pitch = emb.pitch() as u32;
        boxes::bag<<<n, 64>>>(&t0, &index[0..1], &out emb[(.., ..64)], rows as u32, n as u32, per as u32, pitch);
        boxes::bag<<<n, 64>>>(&t1, &index[1..2], &out emb[(.., 64..128)], rows as u32, n as u32, per as u32, pitch);
        boxes::bag<<<n, 64>>>(&t2, &index[(2, .., ..)], &out emb[(.., 128..192)], rows as u32, n as u32, per as u32, pitch);
        fill(&out emb[(.., 192..)], 1.0);
        boxes::row_sums<<<n.div_ceil(64), 64>>>(&emb, &out sums, n as u32, 4 * 64);
    }

    /// A product of 2 × 2 tiles of row-major matrices, in a loop.
    pub graph Product(a: &[f32; (2 * b, 2 * b)], x: &mut [f32; (2 * b, 2 * b)], passes: u32, b: usize) {
        let y: [f32; (2 * b, 2 * b)];
        loop limit passes {
            fill(&out y, 0.0);
            boxes::tile_product<<<1, 64>>>(&a[(..b, ..b)], &x[(..b, ..b)], &mut y[(..b, ..b)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(..b, b..)], &x[(b.., ..b)], &mut y[(..b, ..b)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(..b, ..b)], &x[(..b, b..)], &mut y[(..b, b..)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(..b, b..)], &x[(b.., b..)], &mut y[(..b, b..)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(b.., ..b)], &x[(..b, ..b)], &mut y[(b.., ..b)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(b.., b..)], &x[(b.., ..b)], &mut y[(b.., ..b)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(b.., ..b)], &x[(..b, b..)], &mut y[(b.., b..)], b as u32, x.pitch() as u32);
            boxes::tile_product<<<1, 64>>>(&a[(b.., b..)], &x[(b.., b..)], &mut y[(b.., b..)], b as u32, x.pitch() as u32);
            copy(&y[(.., ..b)], &out x[(.., ..b)]);
            copy(&y[(.., b..)], &out x[(.., b..)]);
        }
    }

    /// A box that setters move, in a body that the device chooses.
    graph Moved(x: &mut [i32; (4, 5, 6)], flag: &[u32; 1], z: usize, d: usize, by: i32) {
        let t: [i32; (4, 5, 6)];
        fill(&out t, 0);
        if flag[0] != 0 {
            boxes::add_to_box<<<1, 128>>>(&mut x[(z..z + d, 1..4, 2..5)], by, d as u32, 3, 3, 30, 6);
            copy(&x[(z..z + d, 1..4, 2..5)], &out t[(z..z + d, 1..4, ..3)]);
            copy(&t[(z..z + d, 1..4, ..3)], &out x[(z..z + d, 1..4, 3..)]);
        }
    }

    /// A kernel with a length takes rows in one piece.
    graph Rows(x: &mut [u32; (h, w)], h: usize, w: usize) {
        basic::increment<<<1, 64>>>(&mut x[1..3], (2 * w) as u32);
        basic::increment<<<1, 64>>>(&mut x[(0, 2..)], (w - 2) as u32);
        basic::increment<<<1, 64>>>(&mut x[(h - 1, ..)], w as u32);
    }
}

/// `100 row + column`
fn numbered(h: usize, w: usize) -> Vec<u32> {
    (0..h).flat_map(|i| (0..w).map(move |j| (100 * i + j) as u32)).collect()
}

/// Whatever way a tile goes, its elements keep their places.
pub fn tiles(device: &Device) -> Result<()> {
    let (h, w) = (7, 9);
    let x = device.buffer_from(&numbered(h, w))?;
    for (r, c) in [(0, 0), (2, 0), (0, 3), (2, 3), (6, 8)] {
        let (mut far, mut y) = (device.pinned_zeros::<u32>(h * w)?, device.zeros::<u32>(h * w)?);
        let mut graph = TilesArgs { x: &x, far: &mut far, y: &mut y, h, w, r, c }.build(device)?;
        run(&mut graph)?;
        let number = |i: usize, j: usize| (100 * i + j) as u32;
        let (far, y) = (graph.far().to_vec()?, graph.y().to_vec()?);
        for i in 0..h {
            for j in 0..w {
                let (inside, packed) = (i >= r && j >= c, i < h - r && j < w - c);
                assert_eq!(far[i * w + j], if inside { number(i, j) } else { 0 }, "far, {i}, {j} of {r}, {c}");
                let expected = if i == h - 1 && j >= c {
                    number(r, j)
                } else if packed {
                    number(i + r, j + c)
                } else {
                    7
                };
                assert_eq!(y[i * w + j], expected, "y, {i}, {j} of {r}, {c}");
            }
        }
    }
    Ok(())
}

/// `x[z][y][x] = 100 z + 10 y + x`, moved by (-1, -1, +1).
pub fn cube(device: &Device) -> Result<()> {
    let at = |index: usize| (100 * (index / 30) + 10 * (index / 6 % 5) + index % 6) as u16;
    let x = device.buffer_from(&(0..120).map(at).collect::<Vec<u16>>())?;
    let mut y = device.zeros::<u16>(60)?;
    let mut graph = CubeArgs { x: &x, y: &mut y }.build(device)?;
    run(&mut graph)?;
    let mut expected = vec![0; 60];
    for (z, y, x) in (0..2).flat_map(|z| (0..2).flat_map(move |y| (0..3).map(move |x| (z, y, x)))) {
        expected[z * 20 + (y + 1) * 5 + x + 2] = (100 * (z + 1) + 10 * (y + 2) + x + 1) as u16;
    }
    assert_eq!(graph.y().to_vec()?, expected);
    Ok(())
}

/// The inside gets one value and the frame around it another, for elements of 1, 3, 4 and 8 bytes.
pub fn frames(device: &Device) -> Result<()> {
    for (h, w) in [(3, 3), (4, 7), (5, 66)] {
        let (mut a, mut b) = (device.zeros::<u8>(h * w)?, device.zeros::<f32>(h * w)?);
        let (mut c, mut d) = (device.zeros::<[u8; 3]>(2 * h * w)?, device.zeros::<f64>(h * w)?);
        let arguments = FramesArgs { a: &mut a, b: &mut b, c: &mut c, d: &mut d, h, w };
        let mut graph = arguments.build(device)?;
        run(&mut graph)?;
        let inside = |index: usize| {
            let (i, j) = (index / w % h, index % w);
            i > 0 && j > 0 && i + 1 < h && j + 1 < w
        };
        let (a, b) = (graph.a().to_vec()?, graph.b().to_vec()?);
        let (c, d) = (graph.c().to_vec()?, graph.d().to_vec()?);
        for index in 0..h * w {
            assert_eq!(a[index], if inside(index) { 9 } else { 1 });
            assert_eq!(b[index].to_bits(), if inside(index) { 0.5_f32 } else { 1.0 }.to_bits());
            assert_eq!((c[index], c[h * w + index]), ([1, 2, 3], if inside(index) { [7, 8, 9] } else { [1, 2, 3] }));
            let row = index / w;
            assert_eq!(d[index].to_bits(), if row > 0 && row + 1 < h { 2.0_f64 } else { 1.0 }.to_bits());
        }
    }
    Ok(())
}

/// Single elements by two and three indices.
pub fn elements(device: &Device) -> Result<()> {
    let mut s = device.buffer_from(&[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    let mut t = device.buffer_from(&[0_u32, 1, 2, 3, 4, 5, 6, 7])?;
    let mut graph = ElementsArgs { s: &mut s, t: &mut t, row: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.s().to_vec()?, [0.0, 6.0, 2.0, 30.0, 4.0, 5.0]);
    assert_eq!(graph.t().to_vec()?, [0, 1, 2, 3, 4, 8, 6, 7]);
    graph.set_row(0)?;
    run(&mut graph)?;
    assert_eq!(graph.s().to_vec()?, [0.0, 3.0, 2.0, 30.0, 4.0, 5.0]);
    Ok(())
}

/// Row `r` of table `t` is `100 t + r` in every column, and no look-up waits for another.
pub fn lookups(device: &Device) -> Result<()> {
    let (rows, n, per) = (10, 6, 2);
    let table = |t: usize| (0..rows * 64).map(|index| (100 * t + index / 64) as f32).collect::<Vec<_>>();
    let tables = [device.buffer_from(&table(0))?, device.buffer_from(&table(1))?, device.buffer_from(&table(2))?];
    let bags: Vec<u32> = (0..3 * n * per).map(|index| (index % rows) as u32).collect();
    let index = device.buffer_from(&bags)?;
    let (mut emb, mut sums) = (device.zeros::<f32>(n * 256)?, device.zeros::<f32>(n)?);
    let [t0, t1, t2] = &tables;
    let arguments = LookupsArgs { t0, t1, t2, index: &index, emb: &mut emb, sums: &mut sums, rows, n, per };
    let mut graph = arguments.build(device)?;
    let apart = graph.plan().edges().iter().all(|edge| edge.to.contains("row_sums"));
    assert!(apart || !as_usual(device), "{:?}", graph.plan().edges());
    run(&mut graph)?;
    let bag = |t: usize, i: usize| (0..per).map(|k| (100 * t) as f32 + bags[(t * n + i) * per + k] as f32).sum::<f32>();
    let (emb, sums) = (graph.emb().to_vec()?, graph.sums().to_vec()?);
    for i in 0..n {
        for column in 0..256 {
            let expected = if column < 192 { bag(column / 64, i) } else { 1.0 };
            assert_eq!(emb[i * 256 + column].to_bits(), expected.to_bits(), "row {i}, column {column}");
        }
        let expected = 64.0 * (bag(0, i) + bag(1, i) + bag(2, i) + 1.0);
        assert_eq!(sums[i].to_bits(), expected.to_bits());
    }
    Ok(())
}

/// Powers of a matrix, tile by tile, against the product by its definition.
pub fn tile_products(device: &Device) -> Result<()> {
    let b = 3;
    let n = 2 * b;
    let matrix: Vec<f32> = (0..n * n).map(|index| (index % 5) as f32 - 2.0).collect();
    let a = device.buffer_from(&matrix)?;
    let mut x = device.buffer_from(&matrix)?;
    let mut graph = ProductArgs { a: &a, x: &mut x, passes: 2, b }.build(device)?;
    run(&mut graph)?;
    let times = |right: &[f32]| -> Vec<f32> {
        let at = |i: usize, j: usize| (0..n).map(|k| matrix[i * n + k] * right[k * n + j]).sum();
        (0..n * n).map(|index| at(index / n, index % n)).collect()
    };
    assert_eq!(graph.x().to_vec()?, times(&times(&matrix)), "small integers are exact in any order");
    Ok(())
}

/// Copies in rows and boxes of kernels follow their setters, also within a conditional body.
pub fn moved(device: &Device) -> Result<()> {
    let mut x = device.zeros::<i32>(120)?;
    let flag = device.buffer_from(&[1_u32])?;
    let mut graph = MovedArgs { x: &mut x, flag: &flag, z: 0, d: 2, by: 1 }.build(device)?;
    let mut expected = vec![0_i32; 120];
    let step = |expected: &mut Vec<i32>, z: usize, d: usize, by: i32| {
        for (z, y) in (z..z + d).flat_map(|z| (1..4).map(move |y| (z, y))) {
            let row = z * 30 + y * 6;
            (2..5).for_each(|x| expected[row + x] += by);
            let copied: Vec<i32> = expected[row + 2..row + 5].to_vec();
            expected[row + 3..row + 6].copy_from_slice(&copied);
        }
    };
    run(&mut graph)?;
    step(&mut expected, 0, 2, 1);
    assert_eq!(graph.x().to_vec()?, expected);
    graph.set_z(2)?;
    graph.set_by(5)?;
    run(&mut graph)?;
    step(&mut expected, 2, 2, 5);
    assert_eq!(graph.x().to_vec()?, expected);
    graph.set_d(1)?;
    run(&mut graph)?;
    step(&mut expected, 2, 1, 5);
    assert_eq!(graph.x().to_vec()?, expected);
    Ok(())
}

/// What a kernel with a length touches of a matrix is rows, or a part of one.
pub fn rows(device: &Device) -> Result<()> {
    let (h, w) = (5, 6);
    let mut x = device.buffer_from(&numbered(h, w))?;
    let mut graph = RowsArgs { x: &mut x, h, w }.build(device)?;
    assert!(graph.plan().edges().is_empty() || !as_usual(device), "all three are apart");
    run(&mut graph)?;
    let more = |i: usize, j: usize| u32::from(i == 1 || i == 2 || i == 4 || (i == 0 && j >= 2));
    let expected: Vec<u32> = (0..h * w).map(|at| numbered(h, w)[at] + more(at / w, at % w)).collect();
    assert_eq!(graph.x().to_vec()?, expected);
    Ok(())
}
