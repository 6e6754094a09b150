//! Transients that stay in registers, on a device: random graphs against plain Rust, and what they take.

use graph_ir::testing::bodies::bytes;
use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};
use half::{bf16, f16};
use tests::chains::{Chain, run};

use crate::{device, is_watched};

/// `CUDA_GRAPH_CHAINS=2000` tries so many.
#[test]
fn random_chains() {
    let Some(device) = device() else { return };
    let few = if is_watched() { 8 } else { 60 };
    let seeds = std::env::var("CUDA_GRAPH_CHAINS").ok().and_then(|text| text.parse().ok()).unwrap_or(few);
    let mut kept = 0;
    for seed in 0..seeds {
        kept += run(&device, &Chain::new(&bytes(seed, 200))).unwrap();
    }
    assert!(kept > seeds, "{kept} of {seeds} graphs");
    let unkept = device.clone().planned(Planning::default().without(Pass::Registers));
    for seed in 0..seeds / 8 {
        assert_eq!(run(&unkept, &Chain::new(&bytes(seed, 200))).unwrap(), 0);
    }
}

cuda_graph! {
    /// The squares stay in registers of the launch that sums them.
    graph Norm(x: &[f32; n], s: &out [f32; 1], n: usize) {
        let squares: [f32; n];
        kernel for i in 0..n { squares[i] = x[i] * x[i]; }
        s[0] = (0..n).map(|i| squares[i] + squares[i]).sum();
    }

    /// In each pass `t` and `u` are computed anew; one launch may run all passes.
    graph Repeated(x: &mut [f32; n], left: &mut [u32; 1], n: usize) {
        let t: [f32; n];
        while left[0] > 0 {
            let u: [f32; n];
            kernel for i in 0..n { u[i] = 0.5 * x[i]; }
            kernel for i in 0..n { t[i] = u[i] + 1.0; }
            kernel for i in 0..n { x[i] = t[i] + u[i]; }
            left[0] -= 1;
        }
    }

    /// The same element is stored and loaded in one launch: as a half it is rounded in between.
    graph Rounded(x: &[f32; n], h: &out [f16; n], y: &out [f32; n], b: &out [bf16; n], z: &out [f32; n], n: usize) {
        kernel for i in 0..n { h[i] = x[i]; }
        kernel for i in 0..n { y[i] = h[i] * 3.0; }
        kernel for i in 0..n { b[i] = x[i]; }
        kernel for i in 0..n { z[i] = b[i] * 3.0; }
    }
}

#[test]
fn sums_of_what_stays_in_registers() {
    let Some(device) = device() else { return };
    for n in [1, 1000, 1 << 20] {
        let values: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
        let expected: f32 = values.iter().map(|x| 2.0 * x * x).sum::<f32>();
        let (x, s) = (device.buffer_from(&values).unwrap(), device.zeros(1).unwrap());
        let mut graph = NormArgs { x, s, n }.build(&device).unwrap();
        assert_eq!(graph.memory().transients, 0, "{}", graph.plan());
        for launch in 0..4 {
            graph.s_mut().unwrap().write_from(&[-1.0]).unwrap();
            if launch == 2 { graph.run_eager() } else { graph.launch() }.unwrap();
            assert_eq!(graph.s().to_vec().unwrap(), [expected], "launch {launch}");
        }
        assert_eq!(graph.memory().spare, (n as u64 * 4).next_multiple_of(256));
    }
}

#[test]
fn passes_compute_it_anew() {
    let Some(device) = device() else { return };
    for planning in [Planning::default(), Planning::default().without(Pass::ResidentLoops)] {
        let n = 1000;
        let values: Vec<f32> = (0..n).map(|i| (i % 97) as f32).collect();
        let (x, left) = (device.buffer_from(&values).unwrap(), device.buffer_from(&[3_u32]).unwrap());
        let mut graph = RepeatedArgs { x, left, n }.build(&device.clone().planned(planning)).unwrap();
        assert_eq!(graph.memory().transients, 0, "{}", graph.plan());
        graph.launch().unwrap();
        let expected: Vec<f32> = values.iter().map(|x| x + 3.0).collect();
        assert_eq!(graph.x().to_vec().unwrap(), expected, "each pass adds one");
    }
}

#[test]
fn halves_are_rounded_between_a_store_and_a_load() {
    let Some(device) = device() else { return };
    let n = 1031;
    let values: Vec<f32> = (0..n).map(|i| 1.0 + i as f32 / 8192.0).collect();
    let (x, nothing) = (device.buffer_from(&values).unwrap(), vec![f32::NAN; n]);
    let [y, z] = [&nothing; 2].map(|nothing| device.buffer_from(nothing).unwrap());
    let arguments = RoundedArgs { x, h: device.zeros(n).unwrap(), y, b: device.zeros(n).unwrap(), z, n };
    let mut graph = arguments.build(&device).unwrap();
    assert!(graph.plan().to_string().contains("one launch with"), "{}", graph.plan());
    graph.launch().unwrap();
    let halves: Vec<f16> = values.iter().map(|x| f16::from_f32(*x)).collect();
    assert_eq!(graph.h().to_vec().unwrap(), halves);
    assert_eq!(graph.y().to_vec().unwrap(), halves.iter().map(|h| h.to_f32() * 3.0).collect::<Vec<_>>());
    let brains: Vec<bf16> = values.iter().map(|x| bf16::from_f32(*x)).collect();
    assert_eq!(graph.b().to_vec().unwrap(), brains);
    assert_eq!(graph.z().to_vec().unwrap(), brains.iter().map(|b| b.to_f32() * 3.0).collect::<Vec<_>>());
}
