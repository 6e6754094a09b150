//! Buffers with shapes of which a value with a bound is a size.

use graph_runtime::prelude::*;

use crate::kernels::{basic, boxes};
use crate::run::{as_usual, run};

/// Elements of a row.
const F: usize = 6;

cuda_graph! {
    /// One layer over the first `nodes` rows: each adds up the rows that `col` names, and what is negative becomes zero.
    graph Layer(
        nodes: u32 <= most, links: u32 <= 2 * most, row: &[u32; nodes + 1], col: &[u32; links], x: &[f32; (nodes, F)],
        y: &mut [f32; (nodes, F)], sums: &out [f32; 1], most: u32,
    ) {
        let h: [f32; (nodes, F)];
        #[allow(unread_result)]
        let z: [f32; (nodes, F)] = 0.0;
        let ends: [f32; nodes + 1];
        copy(&x, &out h);
        kernel for (i, j) in (0..nodes, 0..F) {
            let mut sum = 0.0;
            for k in row[i]..row[i + 1] {
                sum += h[(col[k], j)];
            }
            z[(i, j)] = sum;
        }
        kernel for (i, j) in (0..nodes, 0..F) {
            h[(i, j)] = z[(i, j)].max(0.0);
        }
        kernel for i in 0..nodes + 1 { ends[i] = row[i] as f32; }
        copy(&h, &out y);
        sums[0] = (0..nodes + 1).map(|i| ends[i]).sum();
    }

    /// The value in the middle and the innermost dimension, on both sides of it, and as a length of one piece.
    graph Inner(n: usize <= 5, cube: &mut [u32; (2, n, 3)], wide: &out [u32; (3, n)], all: &out [u32; 3 * n.bound()], count: &out [u32; 1]) {
        fill(&out wide, 7);
        fill(&out wide[(1.., ..)], n as u32);
        kernel for (i, j, k) in (0..2, 0..n, 0..3) { cube[(i, j, k)] += 100 * i + 10 * (j as u32) + k; }
        fill(&out all, 1);
        copy(&wide, &out all[..wide.len()]);
        count[0] = wide.len() as u32;
        basic::increment<<<1, 64>>>(&mut all, wide.len() as u32);
    }

    /// What is only ordered if the rows are those of the bound: the halves meet where `n` is.
    graph Halves(n: usize <= 8, x: &mut [u32; (8, 4)], y: &out [u32; (8, 4)]) {
        kernel for (i, j) in (n..8, 0..4) { x[(i, j)] = 2; }
        kernel for (i, j) in (0..n, 0..4) { x[(i, j)] = 1; }
        kernel for (i, j) in (1..n, 0..4) { x[(i - 1, j)] += 10; }
        copy(&x, &out y);
    }

    /// Columns of their own for each pass, whatever the number of rows.
    graph Columns(n: usize <= 6, x: &[u32; n], y: &out [u32; n]) {
        let wide: [u32; (n, 3)];
        for column in 0..3 {
            kernel for i in 0..n { wide[(i, column)] = x[i] + 10 * column as u32; }
        }
        kernel for i in 0..n { y[i] = wide[(i, 0)] + wide[(i, 1)] * wide[(i, 2)]; }
    }

    /// A kernel of a file over the first rows of a matrix with a pitch.
    graph Sums(n: u32 <= 9, x: &[f32; (n, 8)], sums: &out [f32; n]) {
        boxes::row_sums<<<1, 64>>>(&x, &out sums, n, 8);
    }
}

/// A ring: node `i` has links to its neighbours among the first `n`.
fn ring(n: usize, most: usize) -> (Vec<u32>, Vec<u32>) {
    let mut row: Vec<u32> = (0..=n).map(|i| 2 * i as u32).collect();
    let mut col: Vec<u32> = (0..n).flat_map(|i| [((i + n - 1) % n) as u32, ((i + 1) % n) as u32]).collect();
    row.resize(most + 1, 1 << 20);
    col.resize(2 * most, 1 << 20);
    (row, col)
}

/// Each value up to the bound, with rows behind it that must stay as they are and indices behind it that nothing may read.
pub fn bounded_shapes(device: &Device) -> Result<()> {
    let most = 7;
    let feature = |i: usize, j: usize| (10 * i + j) as f32 - 30.0;
    let x: Vec<f32> = (0..most).flat_map(|i| (0..F).map(move |j| feature(i, j))).collect();
    let x = device.buffer_from(&x)?;
    let (row, col) = ring(most, most);
    let (mut row, mut col) = (device.buffer_from(&row)?, device.buffer_from(&col)?);
    let mut y = device.zeros::<f32>(most * F)?;
    let mut sums = device.zeros::<f32>(1)?;
    let mut memory = None;
    for built in [7, 1] {
        let mut edges = None;
        for n in [7, 3, 1, 5, 7, 0, 2] {
            let (new_row, new_col) = ring(n, most);
            row.write_from(&new_row)?;
            col.write_from(&new_col)?;
            y.write_from(&vec![-1.0; most * F])?;
            let args = LayerArgs {
                nodes: built,
                links: 2 * built,
                row: &row,
                col: &col,
                x: &x,
                y: &mut y,
                sums: &mut sums,
                most: most as u32,
            };
            let mut graph = args.build(device)?;
            graph.set_nodes(n as u32)?;
            graph.set_links(2 * n as u32)?;
            run(&mut graph)?;
            for i in 0..most {
                for j in 0..F {
                    let neighbours = feature((i + n.max(1) - 1) % n.max(1), j) + feature((i + 1) % n.max(1), j);
                    let expected = if i < n { neighbours.max(0.0) } else { -1.0 };
                    assert_eq!(graph.y().to_vec()?[i * F + j], expected, "({i}, {j}) of {n}, built for {built}");
                }
            }
            // 0 + 2 + … + 2 n
            assert_eq!(graph.sums().to_vec()?, [(n * (n + 1)) as f32], "{n}");
            assert_eq!(*memory.get_or_insert(graph.memory()), graph.memory(), "the memory is that of the bound");
            let now = graph.plan().edges();
            assert_eq!(*edges.get_or_insert(now.clone()), now, "so is the order");
        }
    }
    too_large(device, &x, &mut y)
}

/// Columns do not wait for each other, for any value.
pub fn bounded_columns(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1_u32, 2, 3, 4, 5, 6])?;
    let mut graph = ColumnsArgs { n: 6, x: &x, y: device.zeros(6)? }.build(device)?;
    for n in [6, 2, 0, 5] {
        graph.set_n(n)?;
        graph.y_mut()?.write_from(&[0; 6])?;
        run(&mut graph)?;
        let expected = (1..7).map(|x| if x <= n as u32 { x + (x + 10) * (x + 20) } else { 0 });
        assert_eq!(graph.y().to_vec()?, expected.collect::<Vec<_>>(), "{n}");
        let edges = graph.plan().edges();
        let apart = !edges.is_empty() && edges.iter().all(|edge| edge.to.contains("y[i]"));
        assert!(apart || !as_usual(device), "{edges:?}");
    }
    Ok(())
}

/// Values above the bound, and buffers below it.
fn too_large(device: &Device, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Result<()> {
    let most = 7;
    let (row, col) = ring(most, most);
    let (row, col) = (device.buffer_from(&row)?, device.buffer_from(&col)?);
    let mut sums = device.zeros::<f32>(1)?;
    let args =
        LayerArgs { nodes: 7, links: 14, row: &row, col: &col, x, y: &mut *y, sums: &mut sums, most: most as u32 };
    let mut graph = args.build(device)?;
    let text = graph.set_nodes(8).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("`nodes` is 8, but its bound `most` is 7 [CG0206]"), "{text}");
    run(&mut graph)?;
    drop(graph);
    let small = device.zeros::<f32>(6 * F)?;
    let args = LayerArgs { nodes: 2, links: 4, row: &row, col: &col, x: &small, y, sums: &mut sums, most: most as u32 };
    let text = args.build(device).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("`x` has 36 elements, but `nodes * F` is 42 [CG0203]"), "{text}");
    Ok(())
}

/// The elements lie packed for the value.
pub fn bounded_inner(device: &Device) -> Result<()> {
    let (mut cube, mut wide) = (device.zeros::<u32>(30)?, device.zeros::<u32>(15)?);
    let (mut all, mut count) = (device.zeros::<u32>(15)?, device.zeros::<u32>(1)?);
    let mut graph =
        InnerArgs { n: 5, cube: &mut cube, wide: &mut wide, all: &mut all, count: &mut count }.build(device)?;
    for n in [5_usize, 2, 4, 1, 3, 5] {
        graph.set_n(n)?;
        graph.cube_mut()?.write_from(&[0; 30])?;
        run(&mut graph)?;
        let mut cube = vec![0; 30];
        for (at, cell) in cube.iter_mut().enumerate().take(6 * n) {
            *cell = (100 * (at / (3 * n)) + 10 * (at / 3 % n) + at % 3) as u32;
        }
        assert_eq!(graph.cube().to_vec()?, cube, "{n}");
        let wide: Vec<u32> = (0..3 * n).map(|at| if at < n { 7 } else { n as u32 }).collect();
        assert_eq!(graph.wide().to_vec()?[..3 * n], wide, "{n}");
        let all: Vec<u32> = (0..15).map(|at| wide.get(at).map_or(1, |value| value + 1)).collect();
        assert_eq!(graph.all().to_vec()?, all, "{n}");
        assert_eq!(graph.count().to_vec()?, [3 * n as u32]);
    }
    Ok(())
}

/// Rows that a kernel in the block reaches beside its own, for each value.
pub fn bounded_halves(device: &Device) -> Result<()> {
    let (mut x, mut y) = (device.zeros::<u32>(32)?, device.zeros::<u32>(32)?);
    let mut graph = HalvesArgs { n: 4, x: &mut x, y: &mut y }.build(device)?;
    for n in [4, 8, 0, 1, 5, 8] {
        graph.set_n(n)?;
        run(&mut graph)?;
        let value = |i: usize| {
            if i + 1 < n {
                11
            } else if i < n {
                1
            } else {
                2
            }
        };
        let expected: Vec<u32> = (0..32).map(|at| value(at / 4)).collect();
        assert_eq!(graph.y().to_vec()?, expected, "{n} of 8");
    }
    drop(graph);
    let x: Vec<f32> = (0..72_u8).map(f32::from).collect();
    let (x, mut sums) = (device.buffer_from(&x)?, device.zeros::<f32>(9)?);
    let mut graph = SumsArgs { n: 9, x: &x, sums: &mut sums }.build(device)?;
    for n in [9, 1, 4] {
        graph.set_n(n)?;
        run(&mut graph)?;
        // 8 (8 i) + 0 + 1 + … + 7
        let expected: Vec<f32> = (0..n).map(|i| (64 * i + 28) as f32).collect();
        assert_eq!(graph.sums().to_vec()?[..n as usize], expected, "{n} of 9");
    }
    Ok(())
}
