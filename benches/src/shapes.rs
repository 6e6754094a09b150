//! Graphs of common shapes, given as data: which node updates which cell and reads which others.

use graph_runtime::prelude::*;

#[cuda_module("kernels/spin.cu")]
unsafe mod kernels {
    /// Waits.
    pub fn spin0(own: &mut [u32; 1], cycles: u32);
    /// Waits.
    pub fn spin1(a: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// Waits.
    pub fn spin2(a: &[u32; 1], b: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// Waits.
    pub fn spin3(a: &[u32; 1], b: &[u32; 1], c: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// Waits.
    pub fn spin4(a: &[u32; 1], b: &[u32; 1], c: &[u32; 1], d: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// Waits.
    pub fn join(before: &[u32; 1], own: Atomic<[u32; 1]>, cycles: u32);
}

cuda_graph! {
    /// Node `k` updates `x[own[k]]` and reads up to four others: `reads[first[k]..]`, of which there are `count[k]`.
    pub graph Nodes(x: [&mut [u32; 1]], own: [usize], first: [usize], count: [usize], reads: [usize], cycles: [u32]) {
        for k in 0..own.len() {
            let f = first[k];
            if count[k] == 0 { kernels::spin0<<<1, 1>>>(&mut x[own[k]], cycles[k]); }
            if count[k] == 1 { kernels::spin1<<<1, 1>>>(&x[reads[f]], &mut x[own[k]], cycles[k]); }
            if count[k] == 2 { kernels::spin2<<<1, 1>>>(&x[reads[f]], &x[reads[f + 1]], &mut x[own[k]], cycles[k]); }
            if count[k] == 3 {
                kernels::spin3<<<1, 1>>>(&x[reads[f]], &x[reads[f + 1]], &x[reads[f + 2]], &mut x[own[k]], cycles[k]);
            }
            if count[k] == 4 {
                kernels::spin4<<<1, 1>>>(
                    &x[reads[f]], &x[reads[f + 1]], &x[reads[f + 2]], &x[reads[f + 3]], &mut x[own[k]], cycles[k]
                );
            }
        }
    }

    /// All of a layer wait for all of the layer before.
    pub graph Layers(x: [&mut [u32; 1]], wide: usize, cycles: u32) {
        for t in 1..x.len() {
            for _ in 0..wide { kernels::join<<<1, 1>>>(&x[t - 1], &atomic x[t], cycles); }
        }
    }
}

/// A statement as often as ten to the power of the number of `ten`s.
macro_rules! written {
    ($x:ident {$($body:tt)*}) => {
        cuda_graph! {
            /// A thousand nodes that are written out, each behind the one before.
            pub graph Written($x: &mut [u32; 1]) { $($body)* }
        }
    };
    ($x:ident {$($body:tt)*} ten $($more:tt)*) => {
        written! {
            $x
            { $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* }
            $($more)*
        }
    };
}

written! { x { kernels::spin0<<<1, 1>>>(&mut x, 0); } ten ten ten }

/// A graph as its nodes: which cell each updates, and which it reads.
#[derive(Default)]
pub struct Shape {
    /// How many cells there are.
    pub cells: usize,
    /// The cell of each node, and those that it reads.
    pub nodes: Vec<(usize, Vec<usize>)>,
}

/// No node waits for another.
pub fn independent(count: usize) -> Shape {
    Shape { cells: count, nodes: (0..count).map(|own| (own, Vec::new())).collect() }
}

/// Rows of nodes, each of which reads its neighbours in the row before.
pub fn stencil(wide: usize, steps: usize) -> Shape {
    let node = |step: usize, at: usize| {
        let before = ((step + 1) % 2) * wide;
        let near = at.saturating_sub(1)..(at + 2).min(wide);
        ((step % 2) * wide + at, near.map(|near| before + near).collect())
    };
    let nodes = (0..steps).flat_map(|step| (0..wide).map(move |at| node(step, at))).collect();
    Shape { cells: 2 * wide, nodes }
}

/// A Cholesky decomposition in tiles.
pub fn cholesky(tiles: usize) -> Shape {
    let cell = |row: usize, column: usize| row * tiles + column;
    let mut nodes = Vec::new();
    for k in 0..tiles {
        nodes.push((cell(k, k), vec![]));
        nodes.extend((k + 1..tiles).map(|i| (cell(i, k), vec![cell(k, k)])));
        for i in k + 1..tiles {
            nodes.push((cell(i, i), vec![cell(i, k)]));
            nodes.extend((k + 1..i).map(|j| (cell(i, j), vec![cell(i, k), cell(j, k)])));
        }
    }
    Shape { cells: tiles * tiles, nodes }
}

/// Each node reads four different ones of the row before.
pub fn random(wide: usize, rows: usize) -> Shape {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut nodes = Vec::new();
    for row in 0..rows {
        for at in 0..wide {
            let mut reads: Vec<usize> = Vec::new();
            while row > 0 && reads.len() < 4 {
                let other = (row - 1) * wide + next() % wide;
                if !reads.contains(&other) {
                    reads.push(other);
                }
            }
            nodes.push((row * wide + at, reads));
        }
    }
    Shape { cells: wide * rows, nodes }
}

/// Each node waits for the one before.
pub fn line(count: usize) -> Shape {
    Shape { cells: 1, nodes: vec![(0, Vec::new()); count] }
}

/// Builds the graph of a shape whose kernels run for these numbers of clock cycles.
///
/// # Errors
/// If the device refuses it.
pub fn nodes(device: &Device, shape: &Shape, cycles: Vec<u32>) -> Result<Nodes<'static>> {
    let x: Vec<_> = (0..shape.cells).map(|_| device.zeros::<u32>(1)).collect::<Result<_>>()?;
    let own: Vec<usize> = shape.nodes.iter().map(|(own, _)| *own).collect();
    let count: Vec<usize> = shape.nodes.iter().map(|(_, reads)| reads.len()).collect();
    let first: Vec<usize> = count.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count))).collect();
    let reads: Vec<usize> = shape.nodes.iter().flat_map(|(_, reads)| reads.iter().copied()).collect();
    NodesArgs { x, own, first, count, reads, cycles }.build(device)
}
