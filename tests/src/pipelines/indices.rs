//! Indices of kernels in the block at the ends of their types, and strides that the host chooses.

use graph_runtime::Error;
use graph_runtime::prelude::*;

use crate::run::run;

cuda_graph! {
    /// All bytes, also the last one.
    graph Bytes(y: &out [u8; 256], sums: &out [u32; 3], last: u8) {
        fill(&out y, 0);
        kernel for i in 0..=last { y[i] = 255 - i; }
        kernel for i in 0..3usize {
            let mut sum = 0;
            for k in 250..=last { if k == 252 { continue; } sum += k as u32; }
            sums[i] = sum;
        }
    }

    /// Rows that are wider than what is written of them.
    graph Pitched(x: &[i32; (h, w)], y: &mut [i32; m], h: usize, w: usize, m: usize, pitch: usize) {
        kernel for (i, j) in (0..h, 0..w) { y[i * pitch + j] = x[(i, j)]; }
    }

    /// Each index is a byte, and so is what it is multiplied by.
    graph Narrow(y: &mut [u32; 512], n: u8, step: u8) {
        kernel for i in 0..n { y[i * step] = i as u32 + 1; }
    }

    /// What is only read may wrap around.
    graph Around(x: &[u32; 256], y: &mut [u32; 256], last: u8) {
        kernel for i in 0..=last { y[i] = x[i + 100]; }
    }

    /// Turned round in place: the two halves do not meet.
    graph Reversed(x: &mut [u32; n]) {
        kernel for i in 0..n / 2 {
            let first = x[i];
            x[i] = x[n - 1 - i];
            x[n - 1 - i] = first;
        }
    }

    /// Whether what is read is written elsewhere, only numbers say.
    graph Ahead(x: &mut [u32; n], count: usize, ahead: usize) {
        kernel for i in 0..count { x[i] = x[i + ahead] + 1; }
    }

    graph Narrowed(y: &mut [u32; 512], n: u8) {
        kernel for i in 0..n { let k = i * 16; y[k as usize] = 1; }
    }
}

fn refused(result: Result<()>, words: &[&str]) {
    let Err(error) = result else { panic!("accepted, expected {words:?}") };
    let text = error.to_string();
    assert!(matches!(error, Error::Refused(_)) && words.iter().all(|word| text.contains(word)), "{text}");
}

/// Values that are written out by hand.
pub fn ends_of_types(device: &Device) -> Result<()> {
    let (mut y, mut sums) = (device.zeros::<u8>(256)?, device.zeros::<u32>(3)?);
    let mut graph = BytesArgs { y: &mut y, sums: &mut sums, last: 255 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, (0..=255).rev().collect::<Vec<u8>>());
    assert_eq!(graph.sums().to_vec()?, [250 + 251 + 253 + 254 + 255; 3]);
    graph.set_last(251)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?[250..], [5, 4, 0, 0, 0, 0]);
    assert_eq!(graph.sums().to_vec()?, [250 + 251; 3]);
    drop(graph);
    let x = device.buffer_from(&(0..256).collect::<Vec<u32>>())?;
    let mut y = device.zeros::<u32>(256)?;
    let mut graph = AroundArgs { x: &x, y: &mut y, last: 255 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, (0..256_u32).map(|i| (i + 100) % 256).collect::<Vec<_>>());
    Ok(())
}

/// The build knows what the text leaves open.
pub fn strides_of_the_host(device: &Device) -> Result<()> {
    let (x, mut y) = (device.buffer_from(&[1, 2, 3, 4, 5, 6])?, device.buffer_from(&[0_i32; 11])?);
    let mut graph = PitchedArgs { x: &x, y: &mut y, h: 2, w: 3, m: 11, pitch: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0]);
    refused(graph.set_pitch(2).map(drop), &["CG0701", "2 * i + j", "`i` from 0 to 1", "`y`"]);
    refused(graph.set_pitch(0).map(drop), &["CG0701"]);
    graph.set_pitch(8)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [1, 2, 3, 0, 4, 5, 6, 0, 4, 5, 6]);
    graph.set_pitch(9)?;
    let outside = run(&mut graph).and_then(|()| graph.synchronize()).unwrap_err();
    assert!(outside.to_string().contains("index 11 is out of bounds: `y` has 11 elements"), "{outside}");
    Ok(())
}

/// A race that only eight bits have.
pub fn narrow_indices(device: &Device) -> Result<()> {
    let mut y = device.zeros::<u32>(512)?;
    let mut graph = NarrowArgs { y: &mut y, n: 16, step: 16 }.build(device)?;
    run(&mut graph)?;
    let y = graph.y().to_vec()?;
    assert!((0..512).all(|at| y[at] == if at % 16 == 0 && at < 256 { at as u32 / 16 + 1 } else { 0 }));
    refused(graph.set_n(17).map(drop), &["CG0701", "from 0 to 256", "8 bits"]);
    refused(graph.set_step(0).map(drop), &["CG0701"]);
    drop(graph);
    let mut y = device.zeros::<u32>(512)?;
    NarrowedArgs { y: &mut y, n: 16 }.build(device)?;
    refused(NarrowedArgs { y: &mut y, n: 20 }.build(device).map(drop), &["CG0701", "from 0 to 304", "8 bits"]);
    Ok(())
}

cuda_graph! {
    /// One element of each kind of place.
    graph Outside(x: &[i32; 4], v: &[i32; (2, 3)], at: &[u32; 2], y: &mut [i32; 2], k: usize) {
        y[0] = x[k];
        kernel for i in 0..2usize { y[i] += x[i + k] + v[(at[i], 1)]; }
    }
}

/// What is outside is named, wherever it stands.
pub fn outside(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1, 2, 3, 4])?;
    let v = device.buffer_from(&[10, 20, 30, 40, 50, 60])?;
    let (at, mut y) = (device.buffer_from(&[1_u32, 0])?, device.zeros::<i32>(2)?);
    let mut graph = OutsideArgs { x: &x, v: &v, at: &at, y: &mut y, k: 2 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [3 + 3 + 50, 4 + 20]);
    refused(graph.set_k(3).map(drop), &["CG0205", "`x`"]);
    refused(graph.set_k(4).map(drop), &["CG0205", "`x`"]);
    drop(graph);
    let far = device.buffer_from(&[0_u32, 2])?;
    let mut graph = OutsideArgs { x: &x, v: &v, at: &far, y: &mut y, k: 0 }.build(device)?;
    let fault = run(&mut graph).and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(fault.contains("index (2, 1) is out of bounds: `v` has 2 × 3 elements"), "{fault}");
    Ok(())
}

/// Races that are none for these numbers.
pub fn left_to_numbers(device: &Device) -> Result<()> {
    for n in [1_u32, 2, 7, 64] {
        let mut x = device.buffer_from(&(0..n).collect::<Vec<_>>())?;
        let mut reversed = ReversedArgs { x: &mut x }.build(device)?;
        run(&mut reversed)?;
        assert_eq!(reversed.x().to_vec()?, (0..n).rev().collect::<Vec<_>>());
    }
    let mut x = device.buffer_from(&[10_u32, 20, 30, 40, 50, 60])?;
    let mut ahead = AheadArgs { x: &mut x, count: 3, ahead: 3 }.build(device)?;
    run(&mut ahead)?;
    assert_eq!(ahead.x().to_vec()?, [41, 51, 61, 40, 50, 60]);
    refused(ahead.set_ahead(2), &["CG0701", "may be touched while another index of this kernel writes it"]);
    ahead.set_ahead(0)?;
    run(&mut ahead)?;
    assert_eq!(ahead.x().to_vec()?, [42, 52, 62, 40, 50, 60]);
    Ok(())
}
