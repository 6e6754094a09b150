//! Kernels in the block on a device, against the CPU bit by bit: bodies, ends and starts of vectors, reductions, faults.

use graph_runtime::Error;
use graph_runtime::prelude::*;
use half::{bf16, f16};

use crate::device;

/// `SplitMix64`, so that runs are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Of every size and sign, but finite.
    fn single(&mut self) -> f32 {
        loop {
            let value = f32::from_bits(self.next() as u32);
            if value.is_finite() {
                return value;
            }
        }
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}

fn singles(seed: u64, count: usize) -> Vec<f32> {
    let mut random = Random(seed);
    (0..count).map(|_| random.unit() * 2.0 - 1.0).collect()
}

/// Runs on the device and on the CPU; both must give the same. Skipped without a device.
fn same<R: PartialEq + std::fmt::Debug>(what: impl Fn(&Device) -> Result<R>) {
    let Some(cuda) = device() else { return };
    let (found, expected) = (what(&cuda).unwrap(), what(&Device::cpu()).unwrap());
    assert!(found == expected, "{found:?}\nis not\n{expected:?}");
}

fn bits(values: Vec<f32>) -> Vec<u32> {
    values.into_iter().map(|value| if value.is_nan() { u32::MAX } else { value.to_bits() }).collect()
}

cuda_graph! {
    graph Part(a: f32, x: &[f32; n], y: &mut [f32; n], from: usize, to: usize) {
        kernel for i in from..to { y[i] += a * x[i]; }
    }

    /// The same elements at other distances from a multiple of 16 bytes: nothing can be moved together.
    graph Apart(x: &[f32; n], y: &mut [f64; n], z: &out [u8; n], from: usize, to: usize) {
        fill(&out z, 0);
        kernel for i in from..to { y[i] = x[i] as f64 * 3.0; z[i] = (y[i] * 7.0) as u8; }
    }

    graph Halves(x: &[f16; n], y: &[bf16; n], to: &out [f16; n], brain: &out [bf16; n]) {
        kernel for i in 0..n { to[i] = x[i] * y[i]; brain[i] = x[i] + y[i] / 3.0; }
    }
}

#[test]
fn every_start_and_every_end() {
    same(|device| {
        let mut all = Vec::new();
        for from in 0..9 {
            for to in [from, from + 1, from + 2, from + 7, 31, 64, 1031] {
                let (x, mut y) = (device.buffer_from(&singles(1, 1040))?, device.buffer_from(&singles(2, 1040))?);
                let mut graph = PartArgs { a: 0.37, x: &x, y: &mut y, from, to }.build(device)?;
                graph.launch()?;
                graph.launch()?;
                all.push(bits(graph.y().to_vec()?));
            }
        }
        Ok(all)
    });
}

#[test]
fn a_setter_changes_the_grid() {
    same(|device| {
        let (x, mut y) = (device.buffer_from(&singles(1, 100_000))?, device.buffer_from(&singles(2, 100_000))?);
        let mut graph = PartArgs { a: 0.37, x: &x, y: &mut y, from: 3, to: 5 }.build(device)?;
        let mut all = Vec::new();
        for (from, to) in [(0, 100_000), (7, 1001), (5, 5), (99_998, 100_000)] {
            graph.set_from(from.min(to))?;
            graph.set_to(to)?;
            graph.set_from(from)?;
            graph.launch()?;
            all.push(bits(graph.y().to_vec()?));
        }
        Ok(all)
    });
}

#[test]
fn elements_of_several_sizes() {
    same(|device| {
        let mut all = Vec::new();
        for (from, to) in [(0, 1000), (1, 999), (2, 3), (3, 1000), (5, 5)] {
            let (x, mut y) = (device.buffer_from(&singles(3, 1000))?, device.buffer_from(&vec![0.5_f64; 1000])?);
            let mut z = device.zeros::<u8>(1000)?;
            let mut graph = ApartArgs { x: &x, y: &mut y, z: &mut z, from, to }.build(device)?;
            graph.launch()?;
            let y: Vec<u64> = graph.y().to_vec()?.into_iter().map(f64::to_bits).collect();
            all.push((y, graph.z().to_vec()?));
        }
        Ok(all)
    });
}

#[test]
fn half_precision_rounds_as_the_host_does() {
    same(|device| {
        let mut random = Random(4);
        let patterns: Vec<u16> = (0..40_000).map(|_| random.next() as u16).collect();
        let x: Vec<f16> = patterns.iter().map(|bits| f16::from_bits(*bits)).collect();
        let y: Vec<bf16> = patterns.iter().rev().map(|bits| bf16::from_bits(*bits)).collect();
        let (x, y) = (device.buffer_from(&x)?, device.buffer_from(&y)?);
        let (mut to, mut brain) = (device.zeros::<f16>(40_000)?, device.zeros::<bf16>(40_000)?);
        let mut graph = HalvesArgs { x: &x, y: &y, to: &mut to, brain: &mut brain }.build(device)?;
        graph.launch()?;
        let to = graph.to().to_vec()?.into_iter().map(|value| (!value.is_nan()).then(|| value.to_bits()));
        let brain = graph.brain().to_vec()?.into_iter().map(|value| (!value.is_nan()).then(|| value.to_bits()));
        Ok((to.collect::<Vec<_>>(), brain.collect::<Vec<_>>()))
    });
}

cuda_graph! {
    /// Everything that a body may say about integers, on one type.
    graph Integers(x: &[i32; n], y: &[i32; n], out: &mut [i64; 24 * n], n: usize) {
        kernel for i in 0..n {
            let a = x[i];
            let b = y[i];
            let s = (b & 31) as u32;
            let o = 24 * i;
            out[24 * i] = (a + b) as i64;
            out[24 * i + 1] = (a - b) as i64;
            out[24 * i + 2] = (a * b) as i64;
            out[24 * i + 3] = (a / b) as i64;
            out[24 * i + 4] = (a % b) as i64;
            out[24 * i + 5] = (a << s) as i64;
            out[24 * i + 6] = (a >> s) as i64;
            out[24 * i + 7] = (a & b) as i64 + (a | b) as i64 * 3 + (a ^ b) as i64 * 5;
            out[24 * i + 8] = a.abs() as i64;
            out[24 * i + 9] = a.signum() as i64;
            out[24 * i + 10] = a.rem_euclid(b) as i64;
            out[24 * i + 11] = a.pow(s % 7) as i64;
            out[24 * i + 12] = a.abs_diff(b) as i64;
            out[24 * i + 13] = a.count_ones() as i64;
            out[24 * i + 14] = a.leading_zeros() as i64 * 100 + a.trailing_zeros() as i64;
            out[24 * i + 15] = a.rotate_left(s) as i64;
            out[24 * i + 16] = a.rotate_right(s) as i64;
            out[24 * i + 17] = a.swap_bytes() as i64;
            out[24 * i + 18] = a.reverse_bits() as i64;
            out[24 * i + 19] = (a as i16).swap_bytes() as i64 + (a as u8).reverse_bits() as i64;
            out[24 * i + 20] = (a as u64).is_power_of_two() as i64 + (a as i8).rotate_left(s) as i64;
            out[24 * i + 21] = a.clamp(-5, 1000) as i64 + a.min(b) as i64 + a.max(b) as i64;
            out[24 * i + 22] = a.wrapping_mul(b).wrapping_add(7).wrapping_sub(a) as i64 + (o - o) as i64;
            out[24 * i + 23] = ((a as u64).reverse_bits() >> 8) as i64 + ((a as i64).swap_bytes() >> 8);
        }
    }

    /// Everything with an exact result on floats.
    graph Floats(x: &[f32; n], y: &[f32; n], out: &mut [f32; 20 * n], tests: &out [u32; n], n: usize) {
        kernel for i in 0..n {
            let a = x[i];
            let b = y[i];
            out[20 * i] = a + b;
            out[20 * i + 1] = a - b;
            out[20 * i + 2] = a * b;
            out[20 * i + 3] = a / b;
            out[20 * i + 4] = a % b;
            out[20 * i + 5] = a.abs().sqrt();
            out[20 * i + 6] = a.min(b);
            out[20 * i + 7] = a.max(b);
            out[20 * i + 8] = a.floor();
            out[20 * i + 9] = a.ceil();
            out[20 * i + 10] = a.trunc();
            out[20 * i + 11] = a.round();
            out[20 * i + 12] = a.signum();
            out[20 * i + 13] = a.mul_add(b, a);
            out[20 * i + 14] = a.recip();
            out[20 * i + 15] = a.copysign(b);
            out[20 * i + 16] = a.to_degrees() + b.to_radians();
            out[20 * i + 17] = a.rem_euclid(b);
            out[20 * i + 18] = a.clamp(-1.0, 2.5);
            out[20 * i + 19] = a * b + a;
            let finite = if a.is_finite() { 1 } else { 0 };
            tests[i] = finite + (a * b).is_nan() as u32 * 2 + (a * b).is_infinite() as u32 * 4
                + a.is_sign_negative() as u32 * 8 + ((a < b) as u32) * 16 + ((a == b) as u32) * 32;
        }
    }
}

#[test]
fn integers_have_rusts_results() {
    same(|device| {
        let mut random = Random(5);
        let mut numbers: Vec<i32> = (0..5000).map(|_| random.next() as i32 >> (random.next() & 31)).collect();
        numbers.extend([0, 1, -1, i32::MIN, i32::MAX, 2, -2, 256]);
        let n = numbers.len();
        let mut others = numbers.clone();
        others.rotate_left(17);
        let (x, y) = (device.buffer_from(&numbers)?, device.buffer_from(&others)?);
        let mut out = device.zeros::<i64>(24 * n)?;
        let mut graph = IntegersArgs { x: &x, y: &y, out: &mut out, n }.build(device)?;
        graph.launch()?;
        graph.out().to_vec()
    });
}

#[test]
fn floats_have_rusts_results() {
    same(|device| {
        let mut random = Random(6);
        let mut numbers: Vec<f32> = (0..20_000).map(|_| random.single()).collect();
        numbers.extend((0..20_000).map(|_| (random.unit() - 0.5) * 64.0));
        numbers.extend([0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 8_388_609.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
        numbers.extend([0.499_999_97, f32::MIN_POSITIVE, 1e-45, f32::MAX]);
        let n = numbers.len();
        let mut others = numbers.clone();
        others.rotate_left(31);
        let (x, y) = (device.buffer_from(&numbers)?, device.buffer_from(&others)?);
        let (mut out, mut tests) = (device.zeros::<f32>(20 * n)?, device.zeros::<u32>(n)?);
        let mut graph = FloatsArgs { x: &x, y: &y, out: &mut out, tests: &mut tests, n }.build(device)?;
        graph.launch()?;
        Ok((bits(graph.out().to_vec()?), graph.tests().to_vec()?))
    });
}

cuda_graph! {
    graph Sums(x: &[f32; n], h: &[f16; n], from: usize, s: &out [f32; 6], t: &out [bf16; 1]) {
        s[0] = (from..n).map(|i| x[i]).sum();
        s[1] = (from..n).map(|i| x[i] * x[i]).sum();
        s[2] = (from..n).map(|i| x[i]).min();
        s[3] = (from..n).map(|i| x[i]).max();
        s[4] = (from..n).map(|i| 1.0 + x[i] * 0.001).product();
        s[5] = 100.0;
        s[5] += (from..n).map(|i| x[n - 1 - i]).sum();
        t[0] = (from..n).map(|i| h[i]).sum();
    }

    graph Exact(x: &[u64; n], a: &[i32; h * w], s: &out [u64; 2], t: &out [i32; 2], h: usize, w: usize) {
        s[0] = (0..n).map(|i| x[i]).sum();
        s[1] = (0..n).map(|i| x[i] % 1009).max();
        t[0] = (0..h, 0..w).map(|(i, j)| a[i * w + j] * (j as i32)).sum();
        t[1] = (0..h, 0..w).map(|(i, j)| a[i * w + j] + i as i32).min();
    }
}

#[test]
fn float_reductions_are_the_same_bit_by_bit() {
    same(|device| {
        let mut all = Vec::new();
        for n in [1, 5, 1023, 1024, 1025, 4096, 4097, 100_003, (1 << 20) + 7] {
            let values = singles(n as u64, n);
            let halves: Vec<f16> = values.iter().map(|value| f16::from_f32(*value)).collect();
            let (x, h) = (device.buffer_from(&values)?, device.buffer_from(&halves)?);
            let (mut s, mut t) = (device.zeros::<f32>(6)?, device.zeros::<bf16>(1)?);
            for from in [0, 1, 3] {
                let mut graph = SumsArgs { x: &x, h: &h, from: from.min(n), s: &mut s, t: &mut t }.build(device)?;
                graph.launch()?;
                // Counters are as they were: the second launch gives the same.
                graph.launch()?;
                all.push((n, from, bits(graph.s().to_vec()?), graph.t().to_vec()?[0].to_bits()));
            }
        }
        Ok(all)
    });
}

#[test]
fn integer_reductions_are_exact() {
    let Some(device) = device() else { return };
    for (n, h, w) in [(0_usize, 0, 7), (1, 1, 1), (1025, 33, 65), (1_000_003, 1001, 515)] {
        let values: Vec<u64> = (0..n as u64).map(|k| k * k).collect();
        let table: Vec<i32> = (0..(h * w) as i32).map(|k| k % 1000 - 500).collect();
        let (x, a) = (device.buffer_from(&values).unwrap(), device.buffer_from(&table).unwrap());
        let (mut s, mut t) = (device.zeros::<u64>(2).unwrap(), device.zeros::<i32>(2).unwrap());
        let mut graph = ExactArgs { x: &x, a: &a, s: &mut s, t: &mut t, h, w }.build(&device).unwrap();
        graph.launch().unwrap();
        let greatest = values.iter().map(|value| value % 1009).max().unwrap_or(0);
        assert_eq!(graph.s().to_vec().unwrap(), [values.iter().sum(), greatest], "{n}");
        let weighted = table.iter().enumerate().fold(0_i32, |sum, (k, v)| sum.wrapping_add(v * (k % w) as i32));
        let least = table.iter().enumerate().map(|(k, v)| v + (k / w) as i32).min().unwrap_or(i32::MAX);
        assert_eq!(graph.t().to_vec().unwrap(), [weighted, least], "{h} × {w}");
    }
}

cuda_graph! {
    graph Gather(x: &[f32; m], at: &[i64; n], y: &out [f32; n]) {
        kernel for i in 0..n { y[i] = x[at[i]] + 1.0; }
    }

    /// In a body.
    graph Again(x: &[f32; m], at: &[u32; n], y: &mut [f32; n], passes: &mut [u32; 1]) {
        while passes[0] < 3 limit 10 {
            kernel for i in 0..n { y[i] = x[at[i]] * 2.0; }
            passes[0] += 1;
        }
    }
}

fn fault<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Fault(text)) => text,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn an_index_out_of_bounds_is_reported_where_somebody_waits() {
    let Some(cuda) = device() else { return };
    for device in [&*cuda, &Device::cpu()] {
        let x = device.buffer_from(&[0.5_f32; 16]).unwrap();
        let at = device.buffer_from(&[0_i64, 15, 17, 3]).unwrap();
        let mut y = device.zeros::<f32>(4).unwrap();
        let mut graph = GatherArgs { x: &x, at, y: &mut y }.build(device).unwrap();
        let text = fault(graph.launch().and_then(|()| graph.synchronize()));
        assert!(text.starts_with("index 17 is out of bounds: `x` has 16 elements ("), "{text}");
        assert!(text.contains("computes.rs:") && text.contains("kernel for"), "{text}");
        graph.synchronize().unwrap();
        assert!(fault(graph.run_eager()).starts_with("index 17"));
        graph.at_mut().unwrap().write_from(&[0, 1, -1, 2]).unwrap();
        let text = fault(graph.launch().and_then(|()| graph.y().to_vec().map(|_| ())));
        assert!(text.starts_with("index -1 is out of bounds"), "{text}");
        graph.at_mut().unwrap().write_from(&[0, 1, 2, 3]).unwrap();
        graph.launch().unwrap();
        assert_eq!(graph.y().to_vec().unwrap(), [1.5; 4]);
    }
}

#[test]
fn a_fault_in_a_body_ends_nothing_and_is_reported() {
    let Some(device) = device() else { return };
    let (x, at) = (device.buffer_from(&[1.0_f32; 4]).unwrap(), device.buffer_from(&[3_u32, 9, 0]).unwrap());
    let (mut y, mut passes) = (device.zeros::<f32>(3).unwrap(), device.zeros::<u32>(1).unwrap());
    let mut graph = AgainArgs { x: &x, at: &at, y: &mut y, passes: &mut passes }.build(&device).unwrap();
    graph.launch().unwrap();
    assert!(fault(graph.synchronize()).starts_with("index 9 is out of bounds: `x` has 4 elements"));
    assert_eq!(graph.passes().to_vec().unwrap(), [3], "the loop went on");
    assert_eq!(graph.y().to_vec().unwrap(), [2.0, 0.0, 2.0], "what is not there reads as zero");
}
