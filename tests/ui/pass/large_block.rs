// A block of many statements becomes several functions; what each statement names is there all the same.
use std::sync::{Arc, Mutex};

use graph_runtime::prelude::*;

#[derive(Default)]
pub struct Log(Mutex<Vec<f32>>);

impl Log {
    pub fn add(&self, value: f32) {
        self.0.lock().unwrap().push(value);
    }
    pub fn size(&self) -> usize {
        4
    }
}

macro_rules! large {
    ($($number:literal)*) => {
        cuda_graph! {
            graph Large<T: Element + DeviceValue>(
                x: &mut [f32; n], y: &mut [f32; n], z: &mut [T; n], s: &mut [f32; 1], h: &mut host [f32; log.size()], w: [&[f32]],
                names: [u32], by: f32, value: T, wide: bool, log: &Log,
            ) {
                let half = n / 2;
                let quarter: usize = n / 4;
                let (first, second) = (names[0], names.len());
                // Names with types.
                $( kernel for i in 0..n { x[i] += $number; } )*
                // A name whose type nobody writes.
                $( kernel for i in 0..half { x[i] += $number; } )*
                $( kernel for i in 0..quarter { x[i] += $number; } )*
                // Names that live as long as the statements that use them.
                $( { let m = n - 1; kernel for i in 0..m { y[i] += $number; } } )*
                $( { let t: [f32; quarter] = by * $number; kernel for i in 0..quarter { x[i] += t[i]; } } )*
                for p in 0..3 {
                    let u = p;
                    $( kernel for i in 0..n { y[i] += $number * u as f32; } )*
                    copy(&x[..1], &out y[n - 1..n]);
                }
                $( s[0] += w[1][0] * $number; )*
                fill(&out z, value);
                if wide { $( kernel for i in 0..n { x[i] += $number; } )* } else { $( fill(&out x, $number); )* }
                $( host(&mut h, |h| { h[0] += $number + first as f32; h[1] = second as f32; log.add(h[0]); }); )*
            }
        }
    };
}

large! { 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 }

/// The sum of the numbers.
const SUM: f32 = 210.0;

pub fn main() -> graph_runtime::Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.zeros::<f32>(8)?, device.zeros::<f32>(8)?);
    let (w, log) = ([device.buffer_from(&[1.0_f32])?, device.buffer_from(&[3.0_f32])?], Arc::new(Log::default()));
    let graph = LargeArgs {
        x: &mut x,
        y: &mut y,
        z: device.zeros::<u16>(8)?,
        s: device.zeros::<f32>(1)?,
        h: device.pinned_zeros::<f32>(4)?,
        w: &w,
        names: vec![5, 6, 7],
        by: 0.5,
        value: 9_u16,
        wide: true,
        log: Arc::clone(&log),
    };
    let mut graph = graph.build(&device)?;
    graph.launch()?;
    let quarter = 4.0 * SUM + 0.5 * SUM;
    assert_eq!(graph.x().to_vec()?, [[quarter; 2], [3.0 * SUM; 2], [2.0 * SUM; 2], [2.0 * SUM; 2]].concat());
    // The last of `y` is the first of `x`, before the last statements add to it.
    assert_eq!(graph.y().to_vec()?, [[4.0 * SUM; 7].as_slice(), &[quarter - SUM]].concat());
    assert_eq!((graph.z().to_vec()?, graph.s().to_vec()?), (vec![9; 8], vec![3.0 * SUM]));
    assert_eq!(graph.h().to_vec()?, [SUM + 100.0, 3.0, 0.0, 0.0]);
    let mut added = 0.0;
    let logged: Vec<f32> = (1..=20).map(|number| { added += number as f32 + 5.0; added }).collect();
    assert_eq!(*log.0.lock().unwrap(), logged);
    Ok(())
}
