//! Every pipeline with each pass left out, and on few lanes: the results are the same.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::prelude::*;
use graph_runtime::{Pass, Planning};
use tests::pipelines::ALL;

/// All that fail, so that a pass is looked at whole.
fn run_all(device: &Device, how: &str) {
    let run = |pipeline: &fn(&Device) -> Result<()>| match catch_unwind(AssertUnwindSafe(|| pipeline(device))) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("a panic".to_owned()),
    };
    let failed: Vec<_> =
        ALL.iter().filter_map(|(name, pipeline)| Some(format!("{name}: {}", run(pipeline)?))).collect();
    assert!(failed.is_empty(), "{how}:\n{}", failed.join("\n"));
}

#[test]
fn without_each_pass() {
    for (seed, pass) in (0..).zip(Pass::ALL) {
        let device = Device::cpu().shuffled(seed).planned(Planning::default().without(pass));
        run_all(&device, &format!("without {pass}"));
    }
}

#[test]
fn as_written() {
    run_all(&Device::cpu().shuffled(5).planned(Planning::as_written()), "as written");
}

#[test]
fn on_few_lanes() {
    for lanes in 1..4 {
        let planning = Planning::default().lanes(lanes);
        run_all(&Device::cpu().shuffled(u64::from(lanes)).planned(planning), &format!("shuffled on {lanes} lanes"));
        run_all(&Device::cpu().planned(planning), &format!("on {lanes} lanes"));
        let plain = planning.without(Pass::Fusion).without(Pass::Reduction);
        run_all(&Device::cpu().shuffled(u64::from(lanes)).planned(plain), &format!("by hand on {lanes} lanes"));
    }
}
