//! GPT-2 decoding at batch 1: the whole generation, token after token, in one launch.

mod graph;
mod kernels;
#[cfg(test)]
mod reference;
mod shared;
mod weights;

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result};

pub use graph::{Cache, Generate, Layer, Linear, Model, Norm};
pub use weights::{Shape, Weights};

/// This program.
pub const PROGRAM: Program = Program { name: "decoder", about: "a whole generation of a GPT-2 in one launch", run };

/// GPT-2 small, but for the values of its weights: 768 elements, 12 heads.
pub const SMALL: Shape = Shape { layers: 12, words: 50_257, length: 1024, scale: 0.07 };

/// What the reference has: 128 elements, 2 heads.
const TINY: Shape = Shape { layers: 2, words: 200, length: 32, scale: 0.2 };
/// The tokens that it begins with.
const PROMPT: [u32; 3] = [5, 70, 11];
/// How many tokens a launch reads, the prompt's among them.
const TOKENS: u32 = 28;
/// So often it looks for the end.
const BETWEEN: u32 = 4;

/// Of the reference's size.
type Tiny<'g> = Generate<'g, 128, 2>;

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../../references/programs/decoder.json"))?;
    let weights = Weights::<128, 2>::new(device, TINY)?;
    let mut graph = weights.generate(device, &PROMPT, TOKENS, BETWEEN)?;
    let expected = reference.get("tokens")?;
    let read = TOKENS as usize;
    graph.launch()?;
    report.close("tokens", &tokens(&graph)?[..=read], &expected[..=read], 0.0);

    let found = tokens(&graph)?;
    let end = found[20];
    let first = (PROMPT.len()..read).find(|at| found[*at] == end).unwrap_or(read);
    let made = (first + 1).next_multiple_of(BETWEEN as usize);
    graph.set_eos(end)?;
    restart(&mut graph, 0)?;
    graph.launch()?;
    report.equal("passes until an end token", &graph.iterations(Tiny::GENERATE)?, &(made as u64));
    let ended = [&found[..first], &vec![end; made + 1 - first]].concat();
    report.equal("tokens until then", &tokens(&graph)?[..=made].to_vec(), &ended);
    graph.set_eos(u32::MAX)?;

    let mut step = weights.generate(device, &PROMPT, 1, 1)?;
    one_by_one(&mut step)?;
    report.close("a launch a token", &tokens(&step)?, expected, 0.0);
    report.close("logits of the last token", &logits(&step)?, reference.get("logits")?, 2e-3);
    let whole = || {
        restart(&mut graph, 0)?;
        graph.launch()?;
        graph.synchronize()
    };
    report.time_against("28 tokens", whole, "a launch a token", || one_by_one(&mut step).map(|()| true))
}

/// All tokens, those of the prompt first.
///
/// # Errors
/// Those of the launch.
pub fn tokens<const D: usize, const HEADS: usize>(graph: &Generate<'_, D, HEADS>) -> Result<Vec<u32>> {
    Ok(graph.view_of("tokens")?.to_vec()?)
}

/// Of the last token that was read.
///
/// # Errors
/// Those of the launch.
pub fn logits<const D: usize, const HEADS: usize>(graph: &Generate<'_, D, HEADS>) -> Result<Vec<f32>> {
    Ok(graph.view_of("logits")?.to_vec()?)
}

/// The next launch begins at this token.
///
/// # Errors
/// Those of the launch before.
pub fn restart<const D: usize, const HEADS: usize>(
    graph: &mut Generate<'_, D, HEADS>,
    position: u32,
) -> graph_runtime::Result<()> {
    graph.view_of_mut("position")?.write_from(&[position])
}

/// The host launches each token, and looks at it before the next.
fn one_by_one(step: &mut Tiny<'_>) -> Result {
    restart(step, 0)?;
    for position in 1..TINY.length {
        step.launch()?;
        if tokens(step)?[position] == u32::MAX {
            break;
        }
    }
    Ok(())
}
