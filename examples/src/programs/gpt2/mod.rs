//! GPT-2 decoding at batch 1: the whole generation, token after token, in one launch.

mod kernels;

use graph_runtime::prelude::*;
use half::f16;

use super::{Program, Reference, Report, Result, uniform};
use kernels::k;

/// This program.
pub const PROGRAM: Program = Program { name: "gpt2", about: "a whole generation of a small GPT-2 in one launch", run };

/// A matrix, one row for each output, and what is added.
#[derive(Buffers)]
pub struct Linear {
    w: Buffer<f16>,
    b: Buffer<f16>,
}

/// Layer normalisation.
#[derive(Buffers)]
pub struct Norm {
    gain: Buffer<f32>,
    bias: Buffer<f32>,
}

/// A transformer layer.
#[derive(Buffers)]
pub struct Layer {
    first: Norm,
    qkv: Linear,
    projection: Linear,
    second: Norm,
    up: Linear,
    down: Linear,
}

/// Everything outside the layers.
#[derive(Buffers)]
pub struct Model {
    wte: Buffer<f16>,
    wpe: Buffer<f16>,
    last: Norm,
}

/// Keys and values of one layer, by position.
#[derive(Buffers)]
pub struct Cache {
    keys: Buffer<f32>,
    values: Buffer<f32>,
}

cuda_graph! {
    /// From the token at `position` on, until `eos` or for `passes` tokens.
    pub graph Generate(
        model: &Model,
        layers: [&Layer],
        cache: [&mut Cache],
        tokens: &mut [u32; length],
        position: &mut [u32; 1],
        logits: &out [f32; words],
        passes: u32,
        eos: u32,
        d: usize,
        heads: usize,
    ) {
        let token: [u32; 1];
        let x: [f32; d];
        let h: [f32; d];
        let qkv: [f32; 3 * d];
        let wide: [f32; 4 * d];
        let (width, most, vocabulary) = (d as u32, length as u32, words as u32);
        'generate: loop limit passes {
            k::embed<<<d.div_ceil(256)>>>(&model.wte, &model.wpe, &tokens, &position, &out x, width, vocabulary, most);
            for (l, cache) in layers.iter().zip(cache.iter()) {
                k::normalise<<<1>>>(&x, &l.first.gain, &l.first.bias, &out h, width);
                k::linear::<0><<<(3 * d).div_ceil(8)>>>(&l.qkv.w, &l.qkv.b, &h, &out qkv, width, 3 * width);
                k::attend<<<heads>>>(
                    &qkv, &mut cache.keys, &mut cache.values, &position, &out h, width, width / heads as u32, most,
                );
                k::linear_add<<<d.div_ceil(8)>>>(&l.projection.w, &l.projection.b, &h, &mut x, width, width);
                k::normalise<<<1>>>(&x, &l.second.gain, &l.second.bias, &out h, width);
                k::linear::<1><<<(4 * d).div_ceil(8)>>>(&l.up.w, &l.up.b, &h, &out wide, width, 4 * width);
                k::linear_add<<<d.div_ceil(8)>>>(&l.down.w, &l.down.b, &wide, &mut x, 4 * width, width);
            }
            k::normalise<<<1>>>(&x, &model.last.gain, &model.last.bias, &out h, width);
            k::unembed<<<words.div_ceil(8)>>>(&model.wte, &h, &out logits, width, vocabulary);
            k::pick<<<1>>>(&logits, &mut tokens, &position, &out token, vocabulary, most);
            position[0] += 1;
            if token[0] == eos { break; }
        }
    }
}

const WIDTH: usize = 64;
const HEADS: usize = 4;
const LAYERS: u64 = 2;
const VOCABULARY: usize = 128;
const LENGTH: usize = 32;
const START: u32 = 5;

/// Half-precision weights, as the script makes them.
fn weights(seed: u64, count: usize, scale: f32) -> Vec<f16> {
    uniform(seed, count).into_iter().map(|value| f16::from_f32(value * scale)).collect()
}

fn linear(device: &Device, seed: u64, inputs: usize, outputs: usize) -> Result<Linear> {
    let w = device.buffer_from(&weights(seed, inputs * outputs, 0.6))?;
    Ok(Linear { w, b: device.buffer_from(&weights(seed + 1, outputs, 0.2))? })
}

fn norm(device: &Device, seed: u64) -> Result<Norm> {
    let numbers = |seed, offset: f32| -> Vec<f32> {
        weights(seed, WIDTH, 0.2).into_iter().map(|value| offset + value.to_f32()).collect()
    };
    Ok(Norm { gain: device.buffer_from(&numbers(seed, 1.0))?, bias: device.buffer_from(&numbers(seed + 1, 0.0))? })
}

fn layer(device: &Device, seed: u64) -> Result<Layer> {
    Ok(Layer {
        first: norm(device, seed)?,
        second: norm(device, seed + 2)?,
        qkv: linear(device, seed + 4, WIDTH, 3 * WIDTH)?,
        projection: linear(device, seed + 6, WIDTH, WIDTH)?,
        up: linear(device, seed + 8, WIDTH, 4 * WIDTH)?,
        down: linear(device, seed + 10, 4 * WIDTH, WIDTH)?,
    })
}

/// All weights.
struct Weights {
    model: Model,
    layers: Vec<Layer>,
}

impl Weights {
    fn new(device: &Device) -> Result<Self> {
        let model = Model {
            wte: device.buffer_from(&weights(100, VOCABULARY * WIDTH, 2.0))?,
            wpe: device.buffer_from(&weights(101, LENGTH * WIDTH, 1.0))?,
            last: norm(device, 102)?,
        };
        let layers = (0..LAYERS).map(|index| layer(device, 200 + 100 * index)).collect::<Result<_>>()?;
        Ok(Self { model, layers })
    }

    /// A graph with a state of its own, for this many tokens a launch.
    fn generate(&self, device: &Device, passes: u32) -> Result<Generate<'_>> {
        let room = || device.zeros::<f32>(LENGTH * WIDTH);
        let cache = (0..LAYERS).map(|_| Ok(Cache { keys: room()?, values: room()? }));
        let arguments = GenerateArgs {
            model: &self.model,
            layers: &self.layers,
            cache: cache.collect::<Result<Vec<_>>>()?,
            tokens: device.buffer_from(&[START; LENGTH])?,
            position: device.zeros(1)?,
            logits: device.zeros(VOCABULARY)?,
            passes,
            eos: u32::MAX,
            d: WIDTH,
            heads: HEADS,
        };
        Ok(arguments.build(device)?)
    }
}

/// What a token's position is at the end.
const TOKENS: u32 = LENGTH as u32 - 1;

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../../references/programs/gpt2.json"))?;
    let weights = Weights::new(device)?;
    let mut graph = weights.generate(device, TOKENS)?;
    graph.launch()?;
    report.close("tokens", &tokens(&graph)?, reference.get("tokens")?, 0.0);
    report.close("logits of the last token", &logits(&graph)?, reference.get("logits")?, 1e-4);
    let end = tokens(&graph)?[20];
    graph.set_eos(end)?;
    restart(&mut graph)?;
    graph.launch()?;
    report.equal("tokens until an end token", &graph.iterations(Generate::GENERATE)?, &20);
    graph.set_eos(u32::MAX)?;

    let mut step = weights.generate(device, 1)?;
    one_by_one(&mut step)?;
    report.close("a launch a token", &tokens(&step)?, reference.get("tokens")?, 0.0);
    let whole = || {
        restart(&mut graph)?;
        graph.launch()?;
        graph.synchronize()
    };
    report.time_against("31 tokens", whole, "a launch a token", || one_by_one(&mut step).map(|()| true))
}

fn tokens(graph: &Generate<'_>) -> Result<Vec<u32>> {
    Ok(graph.view_of("tokens")?.to_vec()?)
}

fn logits(graph: &Generate<'_>) -> Result<Vec<f32>> {
    Ok(graph.view_of("logits")?.to_vec()?)
}

/// The next launch begins at the first token.
fn restart(graph: &mut Generate<'_>) -> graph_runtime::Result<()> {
    graph.view_of_mut("position")?.write_from(&[0_u32])
}

/// The host launches each token, and looks at it before the next.
fn one_by_one(step: &mut Generate<'_>) -> Result {
    restart(step)?;
    for position in 1..LENGTH {
        step.launch()?;
        if tokens(step)?[position] == u32::MAX {
            break;
        }
    }
    Ok(())
}
