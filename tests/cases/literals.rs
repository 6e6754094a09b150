//! Literals and values of every type: as arguments, fills, in conditions, in patterns.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;

/// Needs a name: nested brackets are a list of buffers.
type Pair = [f32; 2];

cuda_graph! {
    /// Suffixes, underscores, exponents, signs, radixes.
    graph Written(x: &out [f64; 12], y: &out [f64; 12], z: &out [f64; 12]) {
        odd::scalars<<<1, 1>>>(&out x, true, 0xff, -128, 0o17_7777, -0x8000, 4_294_967_295, -2147483648,
            18446744073709551615, -9_223_372_036_854_775_808, 0b1_0, 1e-3, 1_000.5e+2);
        odd::scalars<<<1, 1>>>(&out y, false, 7u8, 7_i8, 0xFFu16, -1i16, 1__000_u32, 0i32, 1u64, -1_i64, 3usize, 2.5f32, -0.0f64);
        odd::scalars<<<1, 1>>>(&out z, !true, b'a', (5), (65_533_i32) as u16, i16::MAX, u32::MAX, { -4 }, u64::MAX / 2, i64::MIN, usize::MIN,
            f32::MAX, f64::EPSILON);
    }

    /// The same by host values.
    graph Values(x: &out [f64; 12], a: bool, b: u8, c: i8, d: u16, e: i16, f: u32, g: i32, h: u64, i: i64, j: usize, k: f32, l: f64) {
        odd::scalars<<<1, 1>>>(&out x, a, b, c, d, e, f, g, h, i, j, k, l);
    }

    /// Host `let`s take the type that the kernel declares.
    graph Inferred(x: &out [f64; 12]) {
        let a = false; let b = 200; let c = -100; let d = 60_000; let e = -30_000; let f = 4_000_000_000; let g = -5; let h = 1 << 40;
        let i = -(1 << 40); let j = 9; let k = 0.1; let l = 0.1;
        odd::scalars<<<1, 1>>>(&out x, a, b, c, d, e, f, g, h, i, j, k, l);
    }

    graph FillsOf(a: &out [i8; 2], b: &out [i16; 2], c: &out [i64; 2], d: &out [f32; 2], e: &out [u64; 2], f: &out [Pair; 2], g: &out [usize; 2]) {
        fill(&out a, -1);
        fill(&out b, -0x7f_ff);
        fill(&out c, -9223372036854775808i64);
        fill(&out d, 1e30f32);
        fill(&out e, 0xffff_ffff_ffff_ffff);
        fill(&out f, [0.5, -0.5]);
        fill(&out g, 10usize);
    }

    /// `f32::MIN`, `-x`, infinities and NaN as host values in device expressions.
    graph InExpressions(x: &[f32; 1], y: &out [u32; 8], bytes: &[u8; 2], wide: &[u64; 1], narrow: &[i8; 1]) {
        y[0] = if x[0] > f32::MIN { 1 } else { 0 };
        y[1] = if x[0] == f32::INFINITY { 1u32 } else { 0_u32 };
        y[2] = if bytes[0] == b'a' { 1 } else if bytes[1] != 0xff { 2 } else { 3 };
        y[3] = (bytes[0] + 200) as u32;
        y[4] = (wide[0] >> 60) as u32 & 0xF;
        y[5] = (narrow[0] as i32).abs() as u32;
        y[6] = (-narrow[0]) as u8 as u32;
        y[7] = (-1e3f32 * x[0]) as i32 as u32;
    }

    graph Bytes(x: &[u8; 1], y: &mut [u32; 1]) {
        match x[0] { 0 => { y[0] = 0; } b'a'..=b'z' => { y[0] = 1; } 254..=255 => { y[0] = 2; } ..=9 => { y[0] = 3; } 0x80.. => { y[0] = 4; } _ => { y[0] = 5; } }
    }

    graph SignedBytes(x: &[i8; 1], y: &mut [u32; 1]) {
        match x[0] { -128 => { y[0] = 0; } -127..=-1 => { y[0] = 1; } 127 => { y[0] = 2; } 0..127 => { y[0] = 3; } }
    }

    graph Wide(x: &[u64; 1], y: &mut [u32; 1]) {
        match x[0] { 18446744073709551615 => { y[0] = 0; } 0x8000_0000_0000_0000.. => { y[0] = 1; } 0 | 2 | 4 => { y[0] = 2; } | 1u64 => { y[0] = 3; } _ => {} }
    }

    graph SignedWide(x: &[i64; 1], y: &mut [u32; 1]) {
        match x[0] { -9223372036854775808 => { y[0] = 0; } ..0 => { y[0] = 1; } 9223372036854775807 => { y[0] = 2; } 0.. => { y[0] = 3; } }
    }

    graph Shorts(x: &[i16; 1], u: &[u16; 1], y: &mut [u32; 2]) {
        match x[0] { -32768 => { y[0] = 0; } ..=-2 => { y[0] = 1; } 32767 => { y[0] = 2; } _ => { y[0] = 3; } }
        match (u[0] as i32 - 1) { -1 => { y[1] = 0; } 65534 => { y[1] = 1; } _ => { y[1] = 2; } }
    }
}

#[test]
fn literals_as_arguments() {
    on_each(|device| {
        let mut graph =
            WrittenArgs { x: device.zeros(12)?, y: device.zeros(12)?, z: device.zeros(12)? }.build(device)?;
        graph.launch()?;
        let k = f64::from(1e-3_f32);
        let (h, i) = (18_446_744_073_709_551_615_u64 as f64, i64::MIN as f64);
        let first = [1.0, 255.0, -128.0, 65535.0, -32768.0, 4_294_967_295.0, -2_147_483_648.0, h, i, 2.0, k, 100_050.0];
        assert_eq!(graph.x().to_vec()?, first);
        let second = graph.y().to_vec()?;
        assert_eq!(second, [0.0, 7.0, 7.0, 255.0, -1.0, 1000.0, 0.0, 1.0, -1.0, 3.0, 2.5, 0.0]);
        assert!(second[11].is_sign_negative());
        let (h, k) = ((u64::MAX / 2) as f64, f64::from(f32::MAX));
        let third = [0.0, 97.0, 5.0, 65533.0, 32767.0, 4_294_967_295.0, -4.0, h, i, 0.0, k, f64::EPSILON];
        assert_eq!(graph.z().to_vec()?, third);
        Ok(())
    });
}

#[test]
fn values_as_arguments() {
    on_each(|device| {
        let x = device.zeros(12)?;
        let arguments = ValuesArgs {
            x,
            a: true,
            b: 255,
            c: -128,
            d: 65535,
            e: -32768,
            f: u32::MAX,
            g: i32::MIN,
            h: u64::MAX,
            i: i64::MIN,
            j: 77,
            k: f32::MIN_POSITIVE,
            l: f64::NAN,
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        let values = graph.x().to_vec()?;
        assert_eq!(values[..7], [1.0, 255.0, -128.0, 65535.0, -32768.0, 4_294_967_295.0, -2_147_483_648.0]);
        assert_eq!(values[7..11], [u64::MAX as f64, i64::MIN as f64, 77.0, f64::from(f32::MIN_POSITIVE)]);
        assert!(values[11].is_nan());
        graph.set_a(false)?;
        graph.set_b(1)?;
        graph.set_l(2.0)?;
        graph.launch()?;
        let values = graph.x().to_vec()?;
        assert_eq!((values[0], values[1], values[11]), (0.0, 1.0, 2.0));
        let mut graph = InferredArgs { x: device.zeros(12)? }.build(device)?;
        graph.launch()?;
        let (h, k) = (1_099_511_627_776.0, f64::from(0.1_f32));
        let expected = [0.0, 200.0, -100.0, 60000.0, -30000.0, 4e9, -5.0, h, -h, 9.0, k, 0.1];
        assert_eq!(graph.x().to_vec()?, expected);
        Ok(())
    });
}

#[test]
fn fills_of_every_type() {
    on_each(|device| {
        let arguments = FillsOfArgs {
            a: device.zeros(2)?,
            b: device.zeros(2)?,
            c: device.zeros(2)?,
            d: device.zeros(2)?,
            e: device.zeros(2)?,
            f: device.zeros(2)?,
            g: device.zeros(2)?,
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.a().to_vec()?, [-1; 2]);
        assert_eq!(graph.b().to_vec()?, [-32767; 2]);
        assert_eq!(graph.c().to_vec()?, [i64::MIN; 2]);
        assert_eq!(graph.d().to_vec()?, [1e30; 2]);
        assert_eq!(graph.e().to_vec()?, [u64::MAX; 2]);
        assert_eq!(graph.f().to_vec()?, [[0.5, -0.5]; 2]);
        assert_eq!(graph.g().to_vec()?, [10; 2]);
        Ok(())
    });
}

#[test]
fn literals_in_expressions() {
    on_each(|device| {
        let (x, bytes) = (device.buffer_from(&[f32::INFINITY])?, device.buffer_from(&[b'a', 0xff])?);
        let (wide, narrow) = (device.buffer_from(&[u64::MAX - 1])?, device.buffer_from(&[-128_i8])?);
        let arguments = InExpressionsArgs { x: &x, y: device.zeros(8)?, bytes: &bytes, wide: &wide, narrow: &narrow };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [1, 1, 1, 41, 15, 128, 128, i32::MIN as u32]);
        Ok(())
    });
}

#[test]
fn patterns_at_the_ends_of_each_type() {
    let y = |device: &Device| device.buffer_from(&[99_u32]);
    on_each(|device| {
        for (value, expected) in
            [(0_u8, 0), (1, 3), (9, 3), (10, 5), (96, 5), (97, 1), (122, 1), (123, 5), (128, 4), (253, 4), (255, 2)]
        {
            let x = device.buffer_from(&[value])?;
            let mut graph = BytesArgs { x: &x, y: y(device)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        }
        for (value, expected) in [(-128_i8, 0), (-127, 1), (-1, 1), (0, 3), (126, 3), (127, 2)] {
            let x = device.buffer_from(&[value])?;
            let mut graph = SignedBytesArgs { x: &x, y: y(device)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        }
        for (value, expected) in
            [(u64::MAX, 0), (u64::MAX - 1, 1), (1 << 63, 1), ((1 << 63) - 1, 99), (0, 2), (4, 2), (1, 3)]
        {
            let x = device.buffer_from(&[value])?;
            let mut graph = WideArgs { x: &x, y: y(device)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        }
        for (value, expected) in [(i64::MIN, 0), (i64::MIN + 1, 1), (-1, 1), (0, 3), (i64::MAX - 1, 3), (i64::MAX, 2)] {
            let x = device.buffer_from(&[value])?;
            let mut graph = SignedWideArgs { x: &x, y: y(device)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        }
        for (value, unsigned, expected) in
            [(i16::MIN, 0_u16, [0, 0]), (-2, 65535, [1, 1]), (-1, 1, [3, 2]), (i16::MAX, 65534, [2, 2])]
        {
            let (x, u) = (device.buffer_from(&[value])?, device.buffer_from(&[unsigned])?);
            let mut graph = ShortsArgs { x: &x, u: &u, y: device.zeros(2)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, expected, "{value}, {unsigned}");
        }
        Ok(())
    });
}
