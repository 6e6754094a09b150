//! Functions that PTX has no accurate instruction for, against the host's library.

use graph_runtime::prelude::*;

use crate::device;

cuda_graph! {
    graph ExpF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].exp(); } }
    graph ExpF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].exp(); } }
    graph Exp2F32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].exp2(); } }
    graph Exp2F64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].exp2(); } }
    graph ExpM1F32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].exp_m1(); } }
    graph ExpM1F64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].exp_m1(); } }
    graph LnF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].ln(); } }
    graph LnF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].ln(); } }
    graph Log2F32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].log2(); } }
    graph Log2F64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].log2(); } }
    graph Log10F32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].log10(); } }
    graph Log10F64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].log10(); } }
    graph Ln1pF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].ln_1p(); } }
    graph Ln1pF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].ln_1p(); } }
    graph SinF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].sin(); } }
    graph SinF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].sin(); } }
    graph CosF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].cos(); } }
    graph CosF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].cos(); } }
    graph TanF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].tan(); } }
    graph TanF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].tan(); } }
    graph AsinF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].asin(); } }
    graph AsinF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].asin(); } }
    graph AcosF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].acos(); } }
    graph AcosF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].acos(); } }
    graph AtanF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].atan(); } }
    graph AtanF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].atan(); } }
    graph SinhF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].sinh(); } }
    graph SinhF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].sinh(); } }
    graph CoshF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].cosh(); } }
    graph CoshF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].cosh(); } }
    graph TanhF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].tanh(); } }
    graph TanhF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].tanh(); } }
    graph CbrtF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].cbrt(); } }
    graph CbrtF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].cbrt(); } }
    graph Atan2F32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].atan2(x[n - 1 - i] * 0.01); } }
    graph Atan2F64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].atan2(x[n - 1 - i] * 0.01); } }
    graph PowfF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].powf(x[n - 1 - i] * 0.01); } }
    graph PowfF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].powf(x[n - 1 - i] * 0.01); } }
    graph HypotF32(x: &[f32; n], y: &out [f32; n]) { kernel for i in 0..n { y[i] = x[i].hypot(x[n - 1 - i] * 0.01); } }
    graph HypotF64(x: &[f64; n], y: &out [f64; n]) { kernel for i in 0..n { y[i] = x[i].hypot(x[n - 1 - i] * 0.01); } }

    /// Some of them together, in a reduction and in a loop.
    graph Together(x: &[f32; n], s: &out [f32; 1], passes: &mut [u32; 1]) {
        s[0] = 0.0;
        while passes[0] < 2 limit 9 {
            s[0] += (0..n).map(|i| (x[i].sin() * x[i].cos()).exp()).sum();
            passes[0] += 1;
        }
    }
}

/// How many floats lie between two.
fn distance(a: f64, b: f64, single: bool) -> u64 {
    let key = |value: f64| {
        let bits =
            if single { i64::from((value as f32).to_bits().cast_signed()) } else { value.to_bits().cast_signed() };
        let least = if single { i64::from(i32::MIN) } else { i64::MIN };
        if bits < 0 { least - bits } else { bits }
    };
    match (a.is_nan(), b.is_nan()) {
        (true, true) => 0,
        (false, false) => key(a).abs_diff(key(b)),
        _ => u64::MAX,
    }
}

/// Arguments between two powers of two, of both signs or not, and a few that are special.
fn arguments([smallest, largest]: [i32; 2], negative: bool) -> Vec<f64> {
    let mut all = Vec::new();
    for exponent in smallest..largest {
        for step in 0..2048_u32 {
            let value = (1.0 + f64::from(step) / 2048.0 + f64::from(step * step % 977) * 1e-9) * 2.0_f64.powi(exponent);
            all.push(value);
            if negative {
                all.push(-value);
            }
        }
    }
    all.extend([0.0, 1.0, f64::INFINITY, f64::NAN]);
    all
}

/// The largest distance, and where.
fn worst(x: &[f64], found: &[f64], expected: impl Fn(usize) -> f64, single: bool) -> (u64, f64) {
    let distances = x.iter().zip(found).enumerate().map(|(k, (x, y))| (distance(*y, expected(k), single), *x));
    distances.max_by_key(|pair| pair.0).unwrap_or_default()
}

macro_rules! check {
    ($device:ident, $wrong:ident, $arguments:ident, $ty:ident, $x:ident, $limit:literal, $name:literal, |$k:ident| $expected:expr) => {{
        let $x: Vec<$ty> = $x.iter().map(|x| *x as $ty).collect();
        let buffer = $device.buffer_from(&$x).unwrap();
        let mut y = $device.zeros::<$ty>($x.len()).unwrap();
        let mut graph = $arguments { x: &buffer, y: &mut y }.build(&$device).unwrap();
        graph.launch().unwrap();
        let found: Vec<f64> = graph.y().to_vec().unwrap().into_iter().map(f64::from).collect();
        let wide: Vec<f64> = $x.iter().map(|x| f64::from(*x)).collect();
        let worst = worst(&wide, &found, |$k| f64::from($expected), stringify!($ty) == "f32");
        println!("{} of {}: {} ulp, at {:e}", $name, stringify!($ty), worst.0, worst.1);
        if worst.0 > $limit {
            $wrong.push(($name, stringify!($ty), worst));
        }
    }};
}

#[test]
fn exponentials_and_logarithms() {
    let Some(device) = device() else { return };
    let mut wrong = Vec::new();
    let x = arguments([-20, 7], true);
    check!(device, wrong, ExpF32Args, f32, x, 2, "exp", |k| x[k].exp());
    check!(device, wrong, ExpF64Args, f64, x, 2, "exp", |k| x[k].exp());
    let x = arguments([-20, 7], true);
    check!(device, wrong, Exp2F32Args, f32, x, 3, "exp2", |k| x[k].exp2());
    check!(device, wrong, Exp2F64Args, f64, x, 2, "exp2", |k| x[k].exp2());
    let x = arguments([-20, 7], true);
    check!(device, wrong, ExpM1F32Args, f32, x, 2, "exp_m1", |k| x[k].exp_m1());
    check!(device, wrong, ExpM1F64Args, f64, x, 2, "exp_m1", |k| x[k].exp_m1());
    let x = arguments([-60, 60], false);
    check!(device, wrong, LnF32Args, f32, x, 2, "ln", |k| x[k].ln());
    check!(device, wrong, LnF64Args, f64, x, 2, "ln", |k| x[k].ln());
    let x = arguments([-60, 60], false);
    check!(device, wrong, Log2F32Args, f32, x, 2, "log2", |k| x[k].log2());
    check!(device, wrong, Log2F64Args, f64, x, 2, "log2", |k| x[k].log2());
    let x = arguments([-60, 60], false);
    check!(device, wrong, Log10F32Args, f32, x, 3, "log10", |k| x[k].log10());
    check!(device, wrong, Log10F64Args, f64, x, 2, "log10", |k| x[k].log10());
    let x = arguments([-20, 60], false);
    check!(device, wrong, Ln1pF32Args, f32, x, 2, "ln_1p", |k| x[k].ln_1p());
    check!(device, wrong, Ln1pF64Args, f64, x, 2, "ln_1p", |k| x[k].ln_1p());
    let x = arguments([-20, 20], true);
    check!(device, wrong, SinF32Args, f32, x, 3, "sin", |k| x[k].sin());
    check!(device, wrong, SinF64Args, f64, x, 3, "sin", |k| x[k].sin());
    let x = arguments([-20, 20], true);
    check!(device, wrong, CosF32Args, f32, x, 3, "cos", |k| x[k].cos());
    check!(device, wrong, CosF64Args, f64, x, 3, "cos", |k| x[k].cos());
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn angles_and_the_rest() {
    let Some(device) = device() else { return };
    let mut wrong = Vec::new();
    let x = arguments([-20, 20], true);
    check!(device, wrong, TanF32Args, f32, x, 5, "tan", |k| x[k].tan());
    check!(device, wrong, TanF64Args, f64, x, 3, "tan", |k| x[k].tan());
    let x = arguments([-20, 0], true);
    check!(device, wrong, AsinF32Args, f32, x, 3, "asin", |k| x[k].asin());
    check!(device, wrong, AsinF64Args, f64, x, 3, "asin", |k| x[k].asin());
    let x = arguments([-20, 0], true);
    check!(device, wrong, AcosF32Args, f32, x, 3, "acos", |k| x[k].acos());
    check!(device, wrong, AcosF64Args, f64, x, 3, "acos", |k| x[k].acos());
    let x = arguments([-20, 20], true);
    check!(device, wrong, AtanF32Args, f32, x, 3, "atan", |k| x[k].atan());
    check!(device, wrong, AtanF64Args, f64, x, 3, "atan", |k| x[k].atan());
    let x = arguments([-20, 6], true);
    check!(device, wrong, SinhF32Args, f32, x, 4, "sinh", |k| x[k].sinh());
    check!(device, wrong, SinhF64Args, f64, x, 3, "sinh", |k| x[k].sinh());
    let x = arguments([-20, 6], true);
    check!(device, wrong, CoshF32Args, f32, x, 3, "cosh", |k| x[k].cosh());
    check!(device, wrong, CoshF64Args, f64, x, 3, "cosh", |k| x[k].cosh());
    let x = arguments([-20, 6], true);
    check!(device, wrong, TanhF32Args, f32, x, 3, "tanh", |k| x[k].tanh());
    check!(device, wrong, TanhF64Args, f64, x, 3, "tanh", |k| x[k].tanh());
    let x = arguments([-60, 60], true);
    check!(device, wrong, CbrtF32Args, f32, x, 2, "cbrt", |k| x[k].cbrt());
    check!(device, wrong, CbrtF64Args, f64, x, 2, "cbrt", |k| x[k].cbrt());
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn functions_of_two_numbers() {
    let Some(device) = device() else { return };
    let mut wrong = Vec::new();
    let x = arguments([-8, 6], false);
    check!(device, wrong, Atan2F32Args, f32, x, 4, "atan2", |k| x[k].atan2(x[x.len() - 1 - k] * 0.01));
    check!(device, wrong, Atan2F64Args, f64, x, 3, "atan2", |k| x[k].atan2(x[x.len() - 1 - k] * 0.01));
    check!(device, wrong, PowfF32Args, f32, x, 5, "powf", |k| x[k].powf(x[x.len() - 1 - k] * 0.01));
    check!(device, wrong, PowfF64Args, f64, x, 3, "powf", |k| x[k].powf(x[x.len() - 1 - k] * 0.01));
    check!(device, wrong, HypotF32Args, f32, x, 4, "hypot", |k| x[k].hypot(x[x.len() - 1 - k] * 0.01));
    check!(device, wrong, HypotF64Args, f64, x, 3, "hypot", |k| x[k].hypot(x[x.len() - 1 - k] * 0.01));
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn functions_work_in_reductions_and_in_bodies() {
    let Some(device) = device() else { return };
    let x: Vec<f32> = (0..5000_u16).map(|k| f32::from(k) * 0.01).collect();
    let buffer = device.buffer_from(&x).unwrap();
    let (mut s, mut passes) = (device.zeros::<f32>(1).unwrap(), device.zeros::<u32>(1).unwrap());
    let mut graph = TogetherArgs { x: &buffer, s: &mut s, passes: &mut passes }.build(&device).unwrap();
    graph.launch().unwrap();
    let expected: f64 = 2.0 * x.iter().map(|x| f64::from(*x)).map(|x| (x.sin() * x.cos()).exp()).sum::<f64>();
    let found = f64::from(graph.s().to_vec().unwrap()[0]);
    assert!((found - expected).abs() < 1e-5 * expected, "{found} is not {expected}");
}
