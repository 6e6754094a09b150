//! Random bodies of kernels in the block on the CPU, against an interpreter.

use graph_runtime::prelude::*;
use tests::bodies::{bytes_of, run_data, run_written, written};

#[test]
fn what_rustc_makes_of_a_body_is_what_it_means() {
    for device in [Device::cpu(), Device::cpu().shuffled(7)] {
        for number in 0..written() {
            run_written(&device, number).unwrap_or_else(|error| panic!("body {number}: {error}"));
        }
    }
}

#[test]
fn any_body_can_be_planned() {
    for seed in 0..300 {
        let bytes = bytes_of(seed);
        run_data(&Device::cpu(), seed, &bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
