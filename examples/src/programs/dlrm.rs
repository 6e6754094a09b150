//! A recommender, DLRM in small: bags of rows from 26 embedding tables, a layer over dense features beside them, the products of all
//! pairs of vectors, and a layer on top.
//!
//! Each table fills columns of its own in `vectors`, so the look-ups wait for nothing and run side by side. Batches have any number of
//! samples up to a bound; the graph stays the same.

use graph_runtime::prelude::*;
use half::f16;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "dlrm", about: "a recommender: 26 embedding tables, interactions, two layers (DLRM)", run };

const TABLES: usize = 26;
/// Numbers of a row of a table.
const WIDTH: usize = 64;
/// Dense features of a sample.
const DENSE: usize = 13;
/// Pairs of vectors: one vector of each table, and one of the dense features.
const PAIRS: usize = TABLES * (TABLES + 1) / 2;

/// The layers: `w` and `b` below, `top` for what comes out.
#[derive(Buffers)]
pub struct Mlp {
    w: Buffer<f16>,
    b: Buffer<f16>,
    top: Buffer<f16>,
}

cuda_graph! {
    /// The probabilities of clicks. Sample `i` adds up the rows `index[t][offset[t][i]..offset[t][i + 1]]` of table `t`.
    pub graph Dlrm(
        tables: [&[f16]],
        index: [&[u32]],
        offset: [&[u32; n + 1]],
        dense: &[f16; (n, DENSE)],
        mlp: &Mlp,
        clicks: &out [f32; n],
        n: usize <= most,
        most: usize,
    ) {
        let vectors: [f32; (n, TABLES + 1, WIDTH)];
        let z: [f32; (n, PAIRS)];
        for t in 0..TABLES {
            kernel for (i, j) in (0..n, 0..WIDTH) {
                let mut sum = 0.0;
                for k in offset[t][i]..offset[t][i + 1] { sum += tables[t][index[t][k] as usize * WIDTH + j]; }
                vectors[(i, t, j)] = sum;
            }
        }
        kernel for (i, j) in (0..n, 0..WIDTH) {
            let mut sum = mlp.b[j];
            for k in 0..DENSE { sum += dense[(i, k)] * mlp.w[k * WIDTH + j]; }
            vectors[(i, TABLES, j)] = sum.max(0.0);
        }
        kernel for (i, pair) in (0..n, 0..PAIRS) {
            let (mut a, mut b) = (0, pair + 1);
            while b > TABLES { a += 1; b = b - TABLES + a; }
            z[(i, pair)] = (0..WIDTH).map(|j| vectors[(i, a, j)] * vectors[(i, b, j)]).sum();
        }
        kernel for i in 0..n {
            let mut sum = 0.0;
            for pair in 0..PAIRS { sum += z[(i, pair)] * mlp.top[pair]; }
            for j in 0..WIDTH { sum += vectors[(i, TABLES, j)] * mlp.top[PAIRS + j]; }
            clicks[i] = 1.0 / (1.0 + (-0.1 * sum).exp());
        }
    }
}

/// Half-precision numbers of the script.
fn halves(seed: u64, count: usize) -> Vec<f16> {
    uniform(seed, count).into_iter().map(f16::from_f32).collect()
}

/// A number that `uniform` gives as one below `end`.
fn below(end: usize, number: f32) -> u32 {
    (((f64::from(number) + 0.5) * end as f64) as u32).min(end as u32 - 1)
}

/// A table, and the rows of it that each sample looks up: one to four.
#[derive(Clone)]
pub struct Table {
    /// `WIDTH` numbers for each row.
    pub rows: Vec<f16>,
    /// Rows, sample after sample.
    pub index: Vec<u32>,
    /// Where a sample's begin.
    pub offset: Vec<u32>,
}

impl Table {
    fn new(number: usize, samples: usize) -> Self {
        let (rows, seed) = (50 + 7 * number, number as u64);
        let mut offset = vec![0];
        for bag in uniform(400 + seed, samples) {
            offset.push(offset[offset.len() - 1] + below(4, bag) + 1);
        }
        let index = uniform(450 + seed, offset[samples] as usize).into_iter().map(|at| below(rows, at)).collect();
        Self { rows: halves(500 + seed, rows * WIDTH), index, offset }
    }
}

/// What the model and a batch are made of.
pub struct Inputs {
    /// Of each kind of feature.
    pub tables: Vec<Table>,
    /// Of each sample.
    pub dense: Vec<f16>,
    /// `w`, `b` and `top`.
    pub mlp: [Vec<f16>; 3],
}

impl Inputs {
    fn new(samples: usize) -> Self {
        let mlp = [halves(601, DENSE * WIDTH), halves(602, WIDTH), halves(603, PAIRS + WIDTH)];
        let tables = (0..TABLES).map(|number| Table::new(number, samples)).collect();
        Self { tables, dense: halves(600, samples * DENSE), mlp }
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/dlrm.json"))?;
    let expected = reference.get("clicks")?;
    // The first samples are the script's, however many there are.
    let most = report.size(expected.len() + 16, 2048);
    let inputs = Inputs::new(most);
    let [w, b, top] = &inputs.mlp;
    let of_tables = |of: fn(&Table) -> &[u32]| {
        inputs.tables.iter().map(|table| device.buffer_from(of(table))).collect::<graph_runtime::Result<Vec<_>>>()
    };
    let tables = inputs.tables.iter().map(|table| device.buffer_from(&table.rows));
    let arguments = DlrmArgs {
        tables: tables.collect::<graph_runtime::Result<Vec<_>>>()?,
        index: of_tables(|table| &table.index)?,
        offset: of_tables(|table| &table.offset)?,
        dense: device.buffer_from(&inputs.dense)?,
        mlp: Mlp { w: device.buffer_from(w)?, b: device.buffer_from(b)?, top: device.buffer_from(top)? },
        clicks: device.zeros(most)?,
        n: most,
        most,
    };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    let all = graph.clicks().to_vec()?;
    report.close("clicks", &all[..expected.len()], expected, 1e-5);
    let first = expected.len() - 20;
    graph.set_n(first)?;
    graph.clicks_mut()?.write_from(&vec![2.0_f32; most])?;
    graph.launch()?;
    let fewer = graph.clicks().to_vec()?;
    report.close("fewer samples", &fewer[..first], &expected[..first], 1e-5);
    report.equal("what lies behind them", &fewer[first..].to_vec(), &vec![2.0; most - first]);
    graph.set_n(most)?;
    let launches = streams::dlrm::Dlrm::new(device, &inputs)?;
    let all: Vec<f64> = all.into_iter().map(f64::from).collect();
    let launches = report.checked(launches, &all, 1e-5)?;
    report.time_beside(&format!("{most} samples"), launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
