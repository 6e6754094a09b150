//! Random graphs of fills and copies of parts, with kernels, bodies and loops between them, against plain Rust.
//!
//! Ranges begin and end at few places, so that they often cover each other, or lie side by side.

use graph_ir::testing::bodies::{Choices, bytes};
use graph_runtime::Result;
use graph_runtime::prelude::*;

/// Elements of each buffer.
pub const LENGTH: usize = 48;

const BUFFERS: usize = 3;

cuda_graph! {
    graph Moves(
        w: [&mut [f32; n]],
        z: &out [f32; n],
        c: &[u32; 4],
        kind: [u32],
        from: [usize],
        to: [usize],
        a: [usize],
        b: [usize],
        len: [usize],
        value: [f32],
        n: usize,
    ) {
        let t: [[f32; n]; 3];
        let left: [u32; 1];
        for i in 0..3 { fill(&out t[i], -1.0); }
        fill(&out z, 0.5);
        for i in 0..kind.len() {
            if kind[i] == 0 { fill(&out w[to[i]][b[i]..b[i] + len[i]], value[i]); }
            if kind[i] == 1 { fill(&out t[to[i]][b[i]..b[i] + len[i]], value[i]); }
            if kind[i] == 2 { copy(&w[from[i]][a[i]..a[i] + len[i]], &out w[to[i]][b[i]..b[i] + len[i]]); }
            if kind[i] == 3 { copy(&w[from[i]][a[i]..a[i] + len[i]], &out t[to[i]][b[i]..b[i] + len[i]]); }
            if kind[i] == 4 { copy(&t[from[i]][a[i]..a[i] + len[i]], &out w[to[i]][b[i]..b[i] + len[i]]); }
            if kind[i] == 5 { copy(&t[from[i]][a[i]..a[i] + len[i]], &out t[to[i]][b[i]..b[i] + len[i]]); }
            if kind[i] == 6 { kernel for k in 0..len[i] { w[to[i]][k + b[i]] = t[from[i]][k + a[i]] + value[i]; } }
            if kind[i] == 7 { fill(&out z[b[i]..b[i] + len[i]], value[i]); }
            if kind[i] == 8 { copy(&w[from[i]][a[i]..a[i] + len[i]], &out z[b[i]..b[i] + len[i]]); }
            if kind[i] == 11 {
                fill(&out w[to[i]][b[i]..b[i] + len[i] / 2], value[i]);
                fill(&out w[to[i]][b[i] + len[i] / 2..b[i] + len[i]], value[i]);
            }
            if kind[i] == 12 {
                copy(&t[from[i]][a[i] + len[i] / 2..a[i] + len[i]], &out w[to[i]][b[i] + len[i] / 2..b[i] + len[i]]);
                copy(&t[from[i]][a[i]..a[i] + len[i] / 2], &out w[to[i]][b[i]..b[i] + len[i] / 2]);
            }
            if kind[i] == 9 {
                if c[to[i]] > 0 {
                    fill(&out w[to[i]][b[i]..b[i] + len[i]], value[i]);
                    copy(&t[from[i]][a[i]..a[i] + len[i]], &out w[to[i]][b[i]..b[i] + len[i]]);
                } else {
                    fill(&out t[from[i]][a[i]..a[i] + len[i]], value[i]);
                }
            }
            if kind[i] == 10 {
                left[0] = c[3];
                while left[0] > 0 {
                    copy(&w[from[i]][a[i]..a[i] + len[i]], &out t[to[i]][b[i]..b[i] + len[i]]);
                    fill(&out w[from[i]][a[i]..a[i] + len[i]], value[i]);
                    kernel for k in 0..len[i] { w[to[i]][k + b[i]] = t[to[i]][k + b[i]] + 1.0; }
                    fill(&out t[from[i]][a[i]..a[i] + len[i]], value[i]);
                    left[0] -= 1;
                }
            }
        }
    }
}

/// Statements, by what they are and where.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    kind: Vec<u32>,
    from: Vec<usize>,
    to: Vec<usize>,
    a: Vec<usize>,
    b: Vec<usize>,
    len: Vec<usize>,
    value: Vec<f32>,
    /// What the device decides by.
    c: [u32; 4],
}

/// What is in the buffers, as plain Rust computes it.
#[derive(Clone, Debug, PartialEq)]
struct Contents {
    w: Vec<Vec<f32>>,
    t: Vec<Vec<f32>>,
    z: Vec<f32>,
}

impl Drawn {
    /// What this number decides.
    pub fn new(seed: u64) -> Self {
        let bytes = bytes(seed, 400);
        let mut choices = Choices::new(&bytes);
        let mut drawn = Self { c: [0; 4].map(|_| choices.below(3) as u32), ..Self::default() };
        for _ in 0..4 + choices.below(12) {
            let piece = LENGTH / 6;
            let len = piece * choices.pick(&[1, 1, 2, 3, 6]);
            let mut start = || choices.below(((LENGTH - len) / piece + 1) as u64) as usize * piece;
            let (a, b) = (start(), start());
            let (from, shift) = (choices.below(3) as usize, choices.pick(&[1, 2]));
            drawn.kind.push(choices.below(13) as u32);
            drawn.from.push(from);
            drawn.to.push((from + shift) % BUFFERS);
            drawn.a.push(a);
            drawn.b.push(b);
            drawn.len.push(len);
            // Few values, so that neighbours are often filled alike.
            drawn.value.push(choices.pick(&[0.0, 1.0, 2.0]));
        }
        drawn
    }

    fn expected(&self) -> Contents {
        let w = (0..BUFFERS).map(begins).collect();
        let mut contents = Contents { w, t: vec![vec![-1.0; LENGTH]; BUFFERS], z: vec![0.5; LENGTH] };
        (0..self.kind.len()).for_each(|step| self.step(step, &mut contents));
        contents
    }

    fn step(&self, step: usize, Contents { w, t, z }: &mut Contents) {
        let (from, to, value) = (self.from[step], self.to[step], self.value[step]);
        let (a, b) = (self.a[step]..self.a[step] + self.len[step], self.b[step]..self.b[step] + self.len[step]);
        let part = |buffer: &[f32]| buffer[a.clone()].to_vec();
        match self.kind[step] {
            0 | 11 => w[to][b].fill(value),
            1 => t[to][b].fill(value),
            2 => {
                let moved = part(&w[from]);
                w[to][b].copy_from_slice(&moved);
            }
            3 => t[to][b].copy_from_slice(&part(&w[from])),
            4 | 12 => w[to][b].copy_from_slice(&part(&t[from])),
            5 => {
                let moved = part(&t[from]);
                t[to][b].copy_from_slice(&moved);
            }
            6 => w[to][b].copy_from_slice(&part(&t[from]).iter().map(|t| t + value).collect::<Vec<_>>()),
            7 => z[b].fill(value),
            8 => z[b].copy_from_slice(&part(&w[from])),
            9 if self.c[to] > 0 => w[to][b].copy_from_slice(&part(&t[from])),
            9 => t[from][a].fill(value),
            _ => {
                for _ in 0..self.c[3] {
                    t[to][b.clone()].copy_from_slice(&part(&w[from]));
                    w[from][a.clone()].fill(value);
                    let more: Vec<f32> = t[to][b.clone()].iter().map(|t| t + 1.0).collect();
                    w[to][b.clone()].copy_from_slice(&more);
                    t[from][a.clone()].fill(value);
                }
            }
        }
    }
}

fn begins(buffer: usize) -> Vec<f32> {
    (0..LENGTH).map(|index| (100 * buffer + index) as f32).collect()
}

/// Launches the graph, compares what it leaves with plain Rust, and says how often each of its passes applied.
///
/// # Errors
/// Those of the device.
pub fn run(device: &Device, drawn: &Drawn) -> Result<Vec<(String, u64)>> {
    let expected = drawn.expected();
    let w = (0..BUFFERS).map(|buffer| device.buffer_from(&begins(buffer))).collect::<Result<Vec<_>>>()?;
    // What nobody writes shows.
    let z = device.buffer_from(&[f32::NAN; LENGTH])?;
    let Drawn { kind, from, to, a, b, len, value, c } = drawn.clone();
    let c = device.buffer_from(&c)?;
    let mut graph = MovesArgs { w, z, c, kind, from, to, a, b, len, value, n: LENGTH }.build(device)?;
    graph.launch()?;
    for (buffer, expected) in expected.w.iter().enumerate() {
        assert_eq!(&graph.w(buffer)?.to_vec()?, expected, "w[{buffer}] of {drawn:?}\n{}", graph.plan());
    }
    assert_eq!(graph.z().to_vec()?, expected.z, "z of {drawn:?}\n{}", graph.plan());
    Ok(graph.plan().data().passes.into_iter().map(|pass| (pass.name, pass.count)).collect())
}

/// The sum of how often a pass applied.
pub fn applied(passes: &[(String, u64)], name: &str) -> u64 {
    passes.iter().filter(|(pass, _)| pass == name).map(|(_, count)| count).sum()
}
