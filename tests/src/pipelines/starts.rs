//! Many launches that wait for nothing, of every kind: one kernel in front of them, which has nothing to do with what they do.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    /// Nothing of a round waits for anything: kernels, fills, numbers, copies, and a loop and a branch on the device. Then all are added.
    pub graph Starts(x: [&[u32; n]], y: [&out [u32; n]], ended: [&mut [u32; 1]], go: &[u32; 1], taken: &mut [u32; n], sum: &out [u32; n]) {
        for i in 0..y.len() {
            if i % 4 == 0 { kernel for k in 0..n { y[i][k] = 3 * x[i][k] + 1; } }
            if i % 4 == 1 { fill(&out y[i], 5); }
            if i % 4 == 2 { copy(&x[i], &out y[i]); }
            if i % 4 == 3 { basic::index_2d<<<(n.div_ceil(8) as u32, 1), (8, 1)>>>(&out y[i], n as u32, 1); }
        }
        for i in 0..ended.len() { while ended[i][0] < 3 { ended[i][0] += 1; } }
        if go[0] > 0 { kernel for k in 0..n { taken[k] += 1; } }
        fill(&out sum, 0);
        for i in 0..y.len() { kernel for k in 0..n { sum[k] += y[i][k]; } }
    }
}

/// What nobody has written yet.
const POISON: u32 = 0xdead_beef;

/// All that wait for nothing end, and the sum is that of all.
pub fn starts(device: &Device) -> Result<()> {
    const LENGTH: usize = 70;
    for count in [3_u32, 12, 60] {
        let element = |i: u32, k: usize| 100 * i + k as u32;
        let list = |i: u32| (0..LENGTH).map(|k| element(i, k)).collect::<Vec<_>>();
        let x: Vec<_> = (0..count).map(|i| device.buffer_from(&list(i))).collect::<Result<_>>()?;
        let poisoned = || device.buffer_from(&[POISON; LENGTH]);
        let mut y: Vec<_> = (0..count).map(|_| poisoned()).collect::<Result<_>>()?;
        let mut ended: Vec<_> = (0..count / 3).map(|i| device.buffer_from(&[i % 5])).collect::<Result<_>>()?;
        let (go, mut taken, mut sum) =
            (device.buffer_from(&[1_u32])?, device.buffer_from(&[7_u32; LENGTH])?, poisoned()?);
        let arguments = StartsArgs { x: &x, y: &mut y, ended: &mut ended, go: &go, taken: &mut taken, sum: &mut sum };
        let mut graph = arguments.build(device)?;
        run(&mut graph)?;
        let expected = |i: u32, k: usize| match i % 4 {
            0 => 3 * element(i, k) + 1,
            1 => 5,
            2 => element(i, k),
            _ => k as u32,
        };
        for i in 0..count {
            let wanted: Vec<u32> = (0..LENGTH).map(|k| expected(i, k)).collect();
            assert_eq!(graph.view_of::<u32>(&format!("y[{i}]"))?.to_vec()?, wanted, "{i} of {count}");
        }
        for i in 0..count / 3 {
            assert_eq!(graph.view_of::<u32>(&format!("ended[{i}]"))?.to_vec()?, [(i % 5).max(3)]);
        }
        assert_eq!(graph.taken().to_vec()?, [8; LENGTH]);
        let wanted: Vec<u32> = (0..LENGTH).map(|k| (0..count).map(|i| expected(i, k)).sum()).collect();
        assert_eq!(graph.sum().to_vec()?, wanted, "{count}");
    }
    Ok(())
}
