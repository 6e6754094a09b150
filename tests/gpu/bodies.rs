//! Random bodies of kernels in the block on a device, against an interpreter bit by bit: the first launch and another.
//!
//! `CUDA_GRAPH_BODIES=5000` tries so many bodies, and `CUDA_GRAPH_BODY=17` one of them.

use graph_runtime::prelude::*;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use tests::bodies::{bytes_of, run_data, run_written, written};

use crate::device;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn bodies_that_the_macro_has_seen() {
    let Some(device) = device() else { return };
    for number in 0..written() {
        run_written(&device, number).unwrap_or_else(|error| panic!("body {number}: {error}"));
    }
}

#[test]
fn bodies_of_seeds() {
    let Some(device) = device() else { return };
    let seeds = match number("CUDA_GRAPH_BODY") {
        Some(seed) => seed..seed + 1,
        None => 0..number("CUDA_GRAPH_BODIES").unwrap_or(150),
    };
    let mut failed = Vec::new();
    for seed in seeds {
        if let Some(fault) = fault(&device, seed, &bytes_of(seed)) {
            println!("{fault}");
            failed.push(seed);
        }
    }
    assert!(failed.is_empty(), "these seeds failed, as printed above: {failed:?}");
}

/// What is wrong with a body; the whole story is in it.
fn fault(device: &Device, seed: u64, bytes: &[u8]) -> Option<String> {
    let run = std::panic::AssertUnwindSafe(|| run_data(device, seed, bytes));
    match std::panic::catch_unwind(run) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("seed {seed}: {error}")),
        Err(panic) => Some(panic.downcast_ref::<String>().cloned().unwrap_or_default()),
    }
}

/// Bytes that shrink: what is printed is the smallest body that fails.
#[test]
fn bodies_that_shrink() {
    let Some(device) = device() else { return };
    let cases = number("CUDA_GRAPH_BODIES").unwrap_or(60) as u32;
    let config =
        ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let bytes = proptest::collection::vec(any::<u8>(), 20..800);
    let result = runner.run(&bytes, |bytes| match fault(&device, 0, &bytes) {
        None => Ok(()),
        Some(fault) => Err(proptest::test_runner::TestCaseError::fail(fault)),
    });
    if let Err(TestError::Fail(reason, bytes)) = result {
        panic!("{reason}\nbytes: {bytes:?}");
    }
}
