//! Random device expressions give the same bits on the GPU as on the CPU, over NaN, zeros of both signs, infinities, subnormals, and the
//! ends of every integer type.

#[path = "conditions_generated.rs"]
mod conditions_generated;

use conditions_generated::{STATEMENTS, every_graph};
use graph_runtime::Result;
use graph_runtime::prelude::*;

const F32: [f32; 20] = [
    f32::NAN,
    0.0,
    -0.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e-45,
    -1e-40,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    1.0,
    -1.5,
    0.1,
    255.5,
    -128.75,
    16_777_216.0,
    2_147_483_648.0,
    -2_147_483_904.0,
    1.844_674_4e19,
    -3.0,
];
const F64: [f64; 20] = [
    -f64::NAN,
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    -1e-310,
    1e-46,
    f64::MAX,
    -1e39,
    1.0,
    -2.5,
    0.1,
    65_535.999,
    -32_768.5,
    16_777_217.0,
    4_294_967_296.0,
    -9_223_372_036_854_775_808.0,
    1.844_674_407_370_955_2e19,
    3.0,
];
const INTEGERS: [i128; 24] = [
    0,
    1,
    -1,
    2,
    -3,
    7,
    31,
    33,
    64,
    127,
    128,
    -128,
    255,
    256,
    -32_768,
    65_535,
    16_777_217,
    i32::MIN as i128,
    i32::MAX as i128,
    u32::MAX as i128,
    i64::MIN as i128,
    i64::MAX as i128,
    u64::MAX as i128,
    0x0123_4567_89ab_cdef,
];

/// What one launch computes with.
struct Inputs {
    f: [f32; 8],
    d: [f64; 8],
    u: [u32; 8],
    w: [u64; 8],
    i: [i32; 8],
    l: [i64; 8],
    b: [u8; 8],
    s: [i16; 8],
    hf: f32,
    hd: f64,
    hu: u32,
    hl: i64,
}

/// Eight values from a list, other ones for each set and each buffer.
fn chosen<T: Copy>(values: &[T], set: usize, buffer: usize) -> [T; 8] {
    std::array::from_fn(|index| values[(index * 7 + set * 11 + buffer * 3) % values.len()])
}

impl Inputs {
    #[expect(clippy::cast_sign_loss, reason = "the low bits are the edge values of the narrow types")]
    fn new(set: usize) -> Self {
        let integers = |buffer| chosen(&INTEGERS, set, buffer);
        Self {
            f: chosen(&F32, set, 0),
            d: chosen(&F64, set, 1),
            u: integers(2).map(|value| value as u32),
            w: integers(3).map(|value| value as u64),
            i: integers(4).map(|value| value as i32),
            l: integers(5).map(|value| value as i64),
            b: integers(6).map(|value| value as u8),
            s: integers(7).map(|value| value as i16),
            hf: F32[(set * 3 + 5) % F32.len()],
            hd: F64[(set * 3 + 8) % F64.len()],
            hu: INTEGERS[(set * 5 + 12) % INTEGERS.len()] as u32,
            hl: INTEGERS[(set * 5 + 20) % INTEGERS.len()] as i64,
        }
    }
}

/// A graph's name, and what runs it.
type Run = (&'static str, fn(&Device, &Inputs) -> Result<Vec<u32>>);

macro_rules! run {
    ($graph:ident, $arguments:ident) => {
        (
            stringify!($graph),
            (|device: &Device, inputs: &Inputs| -> Result<Vec<u32>> {
                let f = device.buffer_from(&inputs.f)?;
                let d = device.buffer_from(&inputs.d)?;
                let u = device.buffer_from(&inputs.u)?;
                let w = device.buffer_from(&inputs.w)?;
                let i = device.buffer_from(&inputs.i)?;
                let l = device.buffer_from(&inputs.l)?;
                let b = device.buffer_from(&inputs.b)?;
                let s = device.buffer_from(&inputs.s)?;
                let mut out = device.zeros::<u32>(STATEMENTS)?;
                let mut graph = conditions_generated::$arguments {
                    f: &f,
                    d: &d,
                    u: &u,
                    w: &w,
                    i: &i,
                    l: &l,
                    b: &b,
                    s: &s,
                    out: &mut out,
                    hf: inputs.hf,
                    hd: inputs.hd,
                    hu: inputs.hu,
                    hl: inputs.hl,
                }
                .build(device)?;
                graph.launch()?;
                graph.out().to_vec()
            }) as fn(&Device, &Inputs) -> Result<Vec<u32>>,
        )
    };
}

#[test]
fn the_gpu_decides_as_the_cpu_does() -> Result<()> {
    let Some(gpu) = crate::device() else { return Ok(()) };
    let cpu = Device::cpu();
    let graphs: Vec<Run> = every_graph!(run);
    let mut differences = Vec::new();
    for set in 0..6 {
        let inputs = Inputs::new(set);
        for (name, run) in &graphs {
            let (expected, found) = (run(&cpu, &inputs)?, run(&gpu, &inputs)?);
            let pairs = expected.iter().zip(&found).enumerate().filter(|(_, (expected, found))| expected != found);
            differences.extend(pairs.map(|(index, pair)| format!("{name}, out[{index}], inputs {set}: {pair:?}")));
        }
    }
    assert!(differences.is_empty(), "CPU and GPU differ:\n{}", differences.join("\n"));
    Ok(())
}
