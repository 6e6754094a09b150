//! Many launches on the CPU: as on a GPU, but fewer.

use graph_runtime::prelude::*;
use tests::repeated::{carried, every_pipeline};

#[test]
fn every_pipeline_two_hundred_times() {
    every_pipeline(&Device::cpu(), 200);
}

#[test]
fn a_thousand_launches_carry_on() {
    carried(&Device::cpu(), 1000).unwrap();
    carried(&Device::cpu().deferred(), 1000).unwrap();
}
