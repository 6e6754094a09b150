//! Tokens of a GPT-2 by the example `decoder`, beside `PyTorch`: `decoder.py` runs this program, and compares what it writes.
//!
//!     decoder [FOLDER]
//!
//! Reads a prompt of 8 tokens, generates 64, and reads these too. With a folder, writes there what came out: `tokens.u32`, as many as the cache has places
//! for, and `logits.f32`, a row for each token that was read. Then generates 128 tokens behind the first 128, in one launch and by a launch
//! for each. Prints one JSON object per measurement; times are medians in microseconds a token. Runs on `Device::best()`; on the CPU a
//! small model.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use benches::{median, time};
use examples::programs::decoder::{Generate, SMALL, Shape, Weights, logits, restart, tokens};
use graph_runtime::{Device, DeviceKind};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The tokens that `PyTorch` begins with too: of 300 such prompts, one whose generation says different things without a close second anywhere.
const PROMPT: [u32; 8] = [7877, 7612, 35_641, 29_225, 46_937, 26_290, 48_335, 39_753];
/// How many are generated behind it.
const GENERATED: usize = 64;
/// Where the measured tokens begin, and how many they are.
const FROM: u32 = 128;
const MEASURED: u32 = 128;
/// How many passes it makes between two looks at the end token.
const BETWEEN: u32 = 8;
const ROUNDS: usize = 25;

fn main() -> Result {
    let folder = std::env::args().nth(1);
    let folder = folder.as_deref().map(Path::new);
    let device = Device::best()?;
    if matches!(device.kind(), DeviceKind::Cuda(_)) {
        measure::<768, 12>(&device, SMALL, folder)
    } else {
        measure::<128, 2>(&device, Shape { layers: 2, words: 1000, length: 300, scale: 0.2 }, folder)
    }
}

fn measure<const D: usize, const HEADS: usize>(device: &Device, shape: Shape, folder: Option<&Path>) -> Result {
    let weights = Weights::<D, HEADS>::new(device, shape)?;
    let prompt = PROMPT.map(|token| token % shape.words as u32);
    let mut step = weights.generate(device, &prompt, 1, 1)?;
    let mut whole = weights.generate(device, &prompt, (PROMPT.len() + GENERATED) as u32, BETWEEN)?;
    whole.launch()?;
    let by_steps = one_by_one(&mut step)?;
    let same = tokens(&step)? == tokens(&whole)?;
    if let Some(folder) = folder {
        write(&folder.join("tokens.u32"), tokens(&whole)?.into_iter().map(u32::to_le_bytes))?;
        write(&folder.join("logits.f32"), by_steps.into_iter().flatten().map(f32::to_le_bytes))?;
    }

    whole.set_passes(FROM + MEASURED)?;
    restart(&mut whole, 0)?;
    whole.launch()?;
    whole.set_passes(MEASURED)?;
    let loops = rounds(|| {
        restart(&mut whole, FROM)?;
        whole.synchronize()?;
        time(|| whole.launch().and_then(|()| whole.synchronize()))
    })?;
    for _ in (PROMPT.len() + GENERATED) as u32..FROM {
        step.launch()?;
    }
    let queued = rounds(|| {
        restart(&mut step, FROM)?;
        step.synchronize()?;
        time(|| (0..MEASURED).try_for_each(|_| step.launch()).and_then(|()| step.synchronize()))
    })?;
    let waited = rounds(|| {
        restart(&mut step, FROM)?;
        step.synchronize()?;
        time(|| (0..MEASURED).try_for_each(|_| step.launch().and_then(|()| step.synchronize())))
    })?;
    for (how, micros) in
        [("one launch", loops), ("a launch a token", queued), ("a launch a token, each waited for", waited)]
    {
        print(device, how, micros, weights.bytes(), same);
    }
    Ok(())
}

/// The prompt and what follows, a launch a token: the logits of each.
fn one_by_one<const D: usize, const HEADS: usize>(step: &mut Generate<'_, D, HEADS>) -> Result<Vec<Vec<f32>>> {
    let launch = |_| {
        step.launch()?;
        logits(step)
    };
    (0..PROMPT.len() + GENERATED).map(launch).collect()
}

/// The median of some rounds, in microseconds a token.
fn rounds(mut round: impl FnMut() -> graph_runtime::Result<Duration>) -> Result<f64> {
    round()?;
    let times = (0..ROUNDS).map(|_| round()).collect::<graph_runtime::Result<Vec<_>>>()?;
    Ok(median(times) / f64::from(MEASURED))
}

fn write<const BYTES: usize>(path: &Path, words: impl Iterator<Item = [u8; BYTES]>) -> Result {
    let bytes: Vec<u8> = words.flatten().collect();
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn print(device: &Device, how: &str, micros: f64, bytes: usize, same: bool) {
    let rate = bytes as f64 / micros * 1e-6;
    println!(
        "{{\"program\": \"decoder\", \"device\": \"{}\", \"how\": \"{how}\", \"token\": {micros:.2}, \"weight_bytes\": {bytes}, \
         \"terabytes_per_second\": {rate:.2}, \"ok\": {same}}}",
        device.name()
    );
}
