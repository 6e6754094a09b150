//! The pipelines that the stand-in can build.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::prelude::*;
use tests::pipelines::wide::wide;
use tests::pipelines::{ALL, Pipeline};
use tests::run::watched;

/// Those that need what it does not have.
const APART: &[(&str, &str)] = &[
    ("instances", "templates"),
    ("namespaces", "C++ names"),
    ("fixed_block", "C++ names"),
    ("requirements", "C++ names"),
];

/// Those in which a launch is to find something wrong: nothing is found where nothing runs, and they end there.
const END_ON_DEVICE: &[&str] = &["callbacks", "failing_callbacks", "outside", "strides_of_the_host", "inside_indices"];

/// By name.
pub(crate) fn pipelines() -> impl Iterator<Item = &'static (&'static str, Pipeline)> {
    const WIDE: &(&str, Pipeline) = &("wide", wide);
    ALL.iter().chain([WIDE]).filter(|(name, _)| !APART.iter().any(|(apart, _)| apart == name))
}

/// Whether it is to end early.
pub(crate) fn ends_on_device(name: &str) -> bool {
    END_ON_DEVICE.contains(&name)
}

/// Runs one without looking at anything; the outer error is a panic.
pub(crate) fn run(device: &Device, pipeline: Pipeline) -> std::thread::Result<Result<()>> {
    watched(Box::new(|_| {}), || catch_unwind(AssertUnwindSafe(|| pipeline(device))))
}
