//! Every pipeline on the CPU: in parallel, and in shuffled orders, in which a missed hazard shows.
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

mod bodies;
mod checked;
mod compared;
mod dry;
mod events;
mod explain;
mod explicit;
mod inside;
mod lanes;
mod loaded;
mod mailbox;
mod planning;
mod registers;
mod repeated;
mod residents;
mod shaped;
mod unread;
mod written;

use graph_runtime::prelude::*;
use tests::pipelines::ALL;

fn run_all(device: &Device, how: &str) {
    for (name, pipeline) in ALL {
        if let Err(error) = pipeline(device) {
            panic!("{name}, {how}: {error}");
        }
    }
}

#[test]
fn in_parallel() {
    run_all(&Device::cpu(), "in parallel");
}

#[test]
fn in_shuffled_orders() {
    for seed in 0..20 {
        run_all(&Device::cpu().shuffled(seed), &format!("shuffled by {seed}"));
    }
}

#[test]
fn on_a_device_that_finishes_late() {
    run_all(&Device::cpu().deferred(), "deferred");
}
