//! A graph network on CSR: each node adds up its neighbours, a matrix multiplies the sums, layer by layer. Every batch has another
//! number of nodes and edges, and the graph stays the same.

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "gcn", about: "message passing in a graph network whose size changes every batch", run };

/// Numbers of a node.
const F: usize = 16;
const LAYERS: usize = 2;

cuda_graph! {
    /// `h = relu(A h W)` for each matrix of `w`, from `x` to `y`. Node `i` has the neighbours `column[row[i]..row[i + 1]]`.
    pub graph Gcn(
        nodes: usize <= max_nodes,
        edges: usize <= max_edges,
        row: &[u32; nodes + 1],
        column: &[u32; edges],
        x: &[f32; (nodes, F)],
        w: &[f32; (LAYERS, F, F)],
        y: &out [f32; (nodes, F)],
        max_nodes: usize,
        max_edges: usize,
    ) {
        let h: [f32; (nodes, F)];
        let z: [f32; (nodes, F)];
        copy(&x, &out h);
        for layer in 0..LAYERS {
            kernel for (i, j) in (0..nodes, 0..F) {
                let mut sum = 0.0;
                for k in row[i]..row[i + 1] { sum += h[(column[k], j)]; }
                z[(i, j)] = sum;
            }
            kernel for (i, j) in (0..nodes, 0..F) {
                let mut sum = 0.0;
                for k in 0..F { sum += z[(i, k)] * w[(layer, k, j)]; }
                h[(i, j)] = sum.max(0.0);
            }
        }
        copy(&h, &out y);
    }
}

/// A graph of the script: rows, columns, and what its nodes hold.
fn batch(seed: u64, nodes: usize) -> (Vec<u32>, Vec<u32>, Vec<f32>) {
    let mut row = vec![0];
    for number in uniform(seed, nodes) {
        row.push(row[row.len() - 1] + ((f64::from(number) + 0.5) * 8.0) as u32 + 1);
    }
    let node = |number: f32| (((f64::from(number) + 0.5) * nodes as f64) as u32).min(nodes as u32 - 1);
    let column = uniform(seed + 1, row[nodes] as usize).into_iter().map(node).collect();
    (row, column, uniform(seed + 2, nodes * F))
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/gcn.json"))?;
    let (max_nodes, max_edges) = (300, 300 * 8);
    let weights: Vec<f32> = (0..LAYERS as u64).flat_map(|layer| uniform(30 + layer, F * F)).collect();
    let w = device.buffer_from(&weights)?;
    let mut y = device.zeros(max_nodes * F)?;
    let arguments = GcnArgs {
        nodes: max_nodes,
        edges: max_edges,
        row: device.zeros(max_nodes + 1)?,
        column: device.zeros(max_edges)?,
        x: device.zeros(max_nodes * F)?,
        w: &w,
        y: &mut y,
        max_nodes,
        max_edges,
    };
    let mut graph = arguments.build(device)?;
    for (name, seed, nodes) in [("small", 24, 120), ("large", 20, 300)] {
        let (row, column, x) = batch(seed, nodes);
        graph.set_nodes(nodes)?;
        graph.set_edges(column.len())?;
        graph.row_mut()?.slice_mut(..=nodes)?.write_from(&row)?;
        graph.column_mut()?.slice_mut(..column.len())?.write_from(&column)?;
        graph.x_mut()?.slice_mut(..nodes * F)?.write_from(&x)?;
        graph.launch()?;
        let found = graph.y().slice(..nodes * F)?.to_vec()?;
        let tenth: Vec<f32> = found.chunks(F).step_by(10).flatten().copied().collect();
        report.close(name, &tenth, reference.get(name)?, 1e-5);
    }
    let launches = streams::gcn::Gcn::new(device, batch(20, 300), &weights)?;
    let found: Vec<f64> = graph.y().to_vec()?.into_iter().map(f64::from).collect();
    let launches = report.checked(launches, &found, 1e-5)?;
    report.time_beside("300 nodes", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
