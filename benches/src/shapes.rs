//! Graphs of common shapes, given as data: which node updates which cell and reads which others.

use graph_runtime::prelude::*;

#[cuda_module("kernels/spin.cu")]
unsafe mod kernels {
    /// Waits, then makes a number of its own one.
    pub fn spin0(own: &mut [u32; 1], cycles: u32);
    /// The same, of what it reads too.
    pub fn spin1(a: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// The same.
    pub fn spin2(a: &[u32; 1], b: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// The same.
    pub fn spin3(a: &[u32; 1], b: &[u32; 1], c: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// The same.
    pub fn spin4(a: &[u32; 1], b: &[u32; 1], c: &[u32; 1], d: &[u32; 1], own: &mut [u32; 1], cycles: u32);
    /// Waits, then adds one and what it reads.
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
    /// Nodes add to their cell, in any order, instead of updating it one behind the other.
    pub adds: bool,
}

impl Shape {
    fn updating(cells: usize, nodes: Vec<(usize, Vec<usize>)>) -> Self {
        Self { cells, nodes, adds: false }
    }

    /// What one launch leaves in the cells, which held zero: the nodes one behind the other.
    pub fn result(&self) -> Vec<u32> {
        let mut x = vec![0_u32; self.cells];
        for (own, reads) in &self.nodes {
            let read = reads.iter().fold(1_u32, |sum, cell| sum.wrapping_add(x[*cell]));
            x[*own] = x[*own].wrapping_mul(if self.adds { 1 } else { 3 }).wrapping_add(read);
        }
        x
    }

    /// The shape for `cpp/lanes.cu`: a line with the name, the numbers of cells and nodes, and whether nodes add; then one for each node with
    /// its cell, its clock cycles, and the cells that it reads.
    pub fn text(&self, name: &str, cycles: &[u32]) -> String {
        let mut text = format!("{name}\n{} {} {}\n", self.cells, self.nodes.len(), u8::from(self.adds));
        for ((own, reads), cycles) in self.nodes.iter().zip(cycles) {
            let numbers = [*own, *cycles as usize, reads.len()];
            let numbers: Vec<String> = numbers.iter().chain(reads).map(ToString::to_string).collect();
            text += &numbers.join(" ");
            text.push('\n');
        }
        text
    }
}

/// No node waits for another.
pub fn independent(count: usize) -> Shape {
    Shape::updating(count, (0..count).map(|own| (own, Vec::new())).collect())
}

/// Rows of nodes, each of which reads its neighbours in the row before.
pub fn stencil(wide: usize, steps: usize) -> Shape {
    let node = |step: usize, at: usize| {
        let before = ((step + 1) % 2) * wide;
        let near = at.saturating_sub(1)..(at + 2).min(wide);
        ((step % 2) * wide + at, near.map(|near| before + near).collect())
    };
    let nodes = (0..steps).flat_map(|step| (0..wide).map(move |at| node(step, at))).collect();
    Shape::updating(2 * wide, nodes)
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
    Shape::updating(tiles * tiles, nodes)
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
    Shape::updating(wide * rows, nodes)
}

/// All nodes of a row read the cell of the row before and add to that of their own.
pub fn layers(wide: usize, rows: usize) -> Shape {
    let nodes = (1..=rows).flat_map(|row| std::iter::repeat_n((row, vec![row - 1]), wide)).collect();
    Shape { cells: rows + 1, nodes, adds: true }
}

/// Each node waits for the one before.
pub fn line(count: usize) -> Shape {
    Shape::updating(1, vec![(0, Vec::new()); count])
}

/// A line in which each node waits for the eight before: it reads what four of them left, and changes what four others have read.
pub fn band(count: usize) -> Shape {
    let cell = |at: usize| at % 9;
    let node = |at: usize| (cell(at), (1..=4.min(at)).map(|before| cell(at - before)).collect());
    Shape::updating(9, (0..count).map(node).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_plan_come_in_the_order_of_the_shape() {
        let shape = cholesky(5);
        let graph = nodes(&Device::dry(), &shape, vec![0; shape.nodes.len()]).unwrap();
        let labels: Vec<String> = graph.plan().data().nodes.into_iter().map(|node| node.label).collect();
        let expected = (0..).zip(&shape.nodes).map(|(k, (_, reads)): (usize, _)| format!("spin{}[{k}]", reads.len()));
        assert_eq!(labels, expected.collect::<Vec<_>>());
    }

    #[test]
    fn in_a_band_each_waits_for_eight() {
        let device = Device::dry().planned(graph_runtime::Planning::as_written());
        let plan = nodes(&device, &band(30), vec![0; 30]).unwrap().plan().data();
        let waits =
            |at: u32| plan.edges.iter().filter(|edge| edge.to == at).map(|edge| at - edge.from).collect::<Vec<_>>();
        let mut of_the_last = waits(29);
        of_the_last.sort_unstable();
        assert_eq!(of_the_last, (1..=8).collect::<Vec<_>>());
    }

    #[test]
    fn what_a_launch_leaves_is_what_its_nodes_make_one_behind_the_other() {
        // 1, then 3 * 1 + 1 + 1 from the other cell.
        let shape = Shape::updating(2, vec![(0, vec![]), (1, vec![0]), (0, vec![1])]);
        assert_eq!(shape.result(), [3 + 1 + 2, 2]);
        // Two add 1 to the first row, two add 2 + 1 to the second.
        assert_eq!(layers(2, 2).result(), [0, 2, 6]);
    }
}
