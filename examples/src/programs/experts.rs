//! A mixture of experts: each token goes through the expert with the largest gate. For one token the device chooses among bodies that
//! were unrolled when the graph was built; of many tokens each expert takes its own, and is skipped if it has none.

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "experts", about: "a mixture of experts, chosen by the device, for one token and for many", run };

/// Numbers of a token.
pub(super) const D: usize = 32;
/// Numbers of what an expert makes of it.
pub(super) const H: usize = 64;
/// Experts.
pub(super) const E: usize = 8;
const TOKENS: usize = 40;

/// Two matrices with nothing but `max(0)` between them.
#[derive(Buffers)]
pub struct Expert {
    up: Buffer<f32>,
    down: Buffer<f32>,
}

cuda_graph! {
    /// The expert of each of `n` tokens.
    pub graph Choose(x: &[f32; n * D], gate: &[f32; D * E], top: &out [u32; n], n: usize) {
        let score: [f32; n * E];
        kernel for (i, e) in (0..n, 0..E) {
            score[i * E + e] = (0..D).map(|k| x[i * D + k] * gate[k * E + e]).sum();
        }
        kernel for i in 0..n {
            let mut best = 0;
            for e in 1..E { if score[i * E + e] > score[i * E + best] { best = e; } }
            top[i] = best as u32;
        }
    }

    /// One token.
    pub graph Decode(x: &[f32; D], gate: &[f32; D * E], experts: [&Expert], top: &out [u32; 1], y: &out [f32; D]) {
        let hidden: [f32; H];
        Choose { x: &x, gate: &gate, top: &out top, n: 1 };
        match top[0] {
            e @ 0..E => {
                kernel for j in 0..H {
                    let sum: f32 = (0..D).map(|k| x[k] * experts[e].up[k * H + j]).sum();
                    hidden[j] = sum.max(0.0);
                }
                kernel for j in 0..D { y[j] = (0..H).map(|k| hidden[k] * experts[e].down[k * D + j]).sum(); }
            }
            _ => { fill(&out y, 0.0); }
        }
    }

    /// Many tokens.
    pub graph Prefill(
        x: &[f32; n * D],
        gate: &[f32; D * E],
        experts: [&Expert],
        top: &out [u32; n],
        y: &out [f32; n * D],
        n: usize,
    ) {
        let count: [u32; E];
        let hidden: [f32; n * H];
        Choose { x: &x, gate: &gate, top: &out top, n };
        kernel for e in 0..E { count[e] = (0..n).map(|i| (top[i] == e as u32) as u32).sum(); }
        fill(&out hidden, 0.0);
        fill(&out y, 0.0);
        for (e, expert) in experts.iter().enumerate() {
            let own = e as u32;
            if count[e] > 0 {
                kernel for (i, j) in (0..n, 0..H) {
                    if top[i] == own {
                        let sum: f32 = (0..D).map(|k| x[i * D + k] * expert.up[k * H + j]).sum();
                        hidden[i * H + j] = sum.max(0.0);
                    }
                }
                kernel for (i, j) in (0..n, 0..D) {
                    if top[i] == own {
                        y[i * D + j] = (0..H).map(|k| hidden[i * H + k] * expert.down[k * D + j]).sum();
                    }
                }
            }
        }
    }
}

/// The matrices of an expert, up and down.
fn matrices(expert: u64) -> [Vec<f32>; 2] {
    [uniform(710 + expert, D * H), uniform(730 + expert, H * D)]
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/experts.json"))?;
    let (tokens, gates) = (uniform(700, TOKENS * D), uniform(701, D * E));
    let weights: Vec<_> = (0..E as u64).map(matrices).collect();
    let expert = |[up, down]: &[Vec<f32>; 2]| -> Result<Expert> {
        Ok(Expert { up: device.buffer_from(up)?, down: device.buffer_from(down)? })
    };
    let experts = weights.iter().map(expert).collect::<Result<Vec<_>>>()?;
    let gate = device.buffer_from(&gates)?;
    let launches = |at_once| streams::experts::Experts::new(device, &tokens, &gates, &weights, at_once);
    let (top, y) = (reference.get("top")?, reference.get("y")?);

    let arguments = PrefillArgs {
        x: device.buffer_from(&tokens)?,
        gate: &gate,
        experts: &experts,
        top: device.zeros(TOKENS)?,
        y: device.zeros(TOKENS * D)?,
        n: TOKENS,
    };
    let mut prefill = arguments.build(device)?;
    prefill.launch()?;
    report.close("at once: experts", &prefill.top().to_vec()?, top, 0.0);
    report.close("at once: results", &prefill.y().to_vec()?, y, 1e-5);
    let beside = report.checked(launches(true)?, y, 1e-5)?;
    report.time_beside("40 tokens at once", beside, || {
        prefill.launch()?;
        prefill.synchronize()
    })?;

    let (x, one, result) = (device.zeros(D)?, device.zeros(1)?, device.zeros(D)?);
    let mut decode = DecodeArgs { x, gate: &gate, experts: &experts, top: one, y: result }.build(device)?;
    let (mut chosen, mut found) = (Vec::new(), Vec::new());
    for token in tokens.chunks_exact(D) {
        found.extend(one_token(&mut decode, token)?);
        chosen.extend(decode.top().to_vec()?);
    }
    report.close("one by one: experts", &chosen, top, 0.0);
    report.close("one by one: results", &found, y, 1e-5);
    let beside = report.checked(launches(false)?, y, 1e-5)?;
    report.time_beside("40 tokens, one by one", beside, || {
        tokens.chunks_exact(D).try_for_each(|token| one_token(&mut decode, token).map(drop))
    })
}

fn one_token(decode: &mut Decode<'_>, token: &[f32]) -> graph_runtime::Result<Vec<f32>> {
    decode.x_mut()?.write_from(token)?;
    decode.launch()?;
    decode.y().to_vec()
}
