//! Speculative decoding: a cheap model drafts the next words, the dear one looks at all of them at once and keeps those that it would
//! have written itself, and one more. Each sequence accepts another number of words; the graph ends when all are full.

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "speculative", about: "decoding with a draft model until every sequence is full", run };

/// Sequences.
const BATCH: usize = 4;
/// Words that there are.
const WORDS: usize = 48;
/// Words of a sequence.
const LENGTH: usize = 64;
/// Words that are drafted in a round.
const DRAFTED: usize = 3;

/// Stands for a language model: the logits behind a word at a place are one of its rows.
#[derive(Buffers)]
pub struct Model {
    rows: Buffer<f32>,
}

cuda_graph! {
    /// The likeliest word behind each of `n`.
    pub graph Step(model: &Model, word: &[u32; n], place: &[u32; n], next: &out [u32; n], words: u32) {
        kernel for i in 0..n {
            let row = (5 * word[i] + place[i]) % words * words;
            let mut best = 0;
            for w in 1..words { if model.rows[row + w] > model.rows[row + best] { best = w; } }
            next[i] = best;
        }
    }

    /// Fills each row of `text` behind `position` with what `target` alone would write.
    pub graph Speculate(
        draft: &Model,
        target: &Model,
        text: &mut [u32; (b, length)],
        position: &mut [u32; b],
        length: usize,
        drafted: usize,
        words: u32,
    ) {
        let guess: [u32; (drafted + 1) * b];
        let place: [u32; (drafted + 1) * b];
        let right: [u32; (drafted + 1) * b];
        let live: [u32; 1];
        'rounds: loop limit length {
            kernel for s in 0..b { guess[s] = text[(s, position[s])]; }
            kernel for (k, s) in (0..drafted + 1, 0..b) { place[k * b + s] = position[s] + k as u32; }
            for k in 0..drafted {
                let (at, next) = (k * b, (k + 1) * b);
                Step { model: &draft, word: &guess[at..next], place: &place[at..next], next: &out guess[next..next + b], words };
            }
            Step { model: &target, word: &guess, place: &place, next: &out right, words };
            kernel for s in 0..b {
                let mut at = position[s];
                for k in 0..=drafted {
                    if at + 1 == length as u32 { break; }
                    at += 1;
                    text[(s, at)] = right[k * b + s];
                    if k == drafted || guess[(k + 1) * b + s] != right[k * b + s] { break; }
                }
                position[s] = at;
            }
            live[0] = (0..b).map(|s| (position[s] + 1 < length as u32) as u32).sum();
            if live[0] == 0 { break; }
        }
    }
}

/// The rows of the target and of the draft.
fn rows() -> [Vec<f32>; 2] {
    let (target, noise) = (uniform(952, WORDS * WORDS), uniform(953, WORDS * WORDS));
    let draft = target.iter().zip(noise).map(|(target, noise)| target + 0.05 * noise).collect();
    [target, draft]
}

/// Each sequence begins with a word of its own.
fn start() -> Vec<u32> {
    (0..BATCH * LENGTH).map(|at| if at % LENGTH == 0 { (at / LENGTH * 7) as u32 } else { 0 }).collect()
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/speculative.json"))?;
    let [target, draft] = rows();
    let (written, first) = (reference.get("tokens")?, start());
    let beside = streams::speculative::Speculative::new(device, [&target, &draft], &first, [BATCH, LENGTH, DRAFTED])?;
    let arguments = SpeculateArgs {
        draft: Model { rows: device.buffer_from(&draft)? },
        target: Model { rows: device.buffer_from(&target)? },
        text: device.buffer_from(&first)?,
        position: device.zeros(BATCH)?,
        length: LENGTH,
        drafted: DRAFTED,
        words: WORDS as u32,
    };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    report.close("words", &graph.view_of::<u32>("text")?.to_vec()?, written, 0.0);
    report.close("rounds", &[graph.iterations(Speculate::ROUNDS)? as f64], reference.get("rounds")?, 0.0);
    let beside = report.checked(beside, written, 0.0)?;
    report.time_beside("four sequences of 64 words", beside, || {
        graph.view_of_mut("position")?.write_from(&[0_u32; BATCH])?;
        graph.launch()?;
        graph.synchronize()
    })
}
