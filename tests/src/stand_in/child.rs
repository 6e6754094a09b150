//! Tests in processes of their own, which load the stand-in in the driver's place.

use std::env;
use std::path::Path;
use std::process::Command;

use graph_runtime::cudarc::driver::CudaContext;
use graph_runtime::prelude::*;
use stand_in_driver::{Config, Folder, Report, StandIn};

/// Set in a process that runs one test.
const HERE: &str = "CUDA_GRAPH_STAND_IN";

/// Runs a test in a process of its own. `test` is written where the test stands: its type has the test's name.
pub fn child<F: FnOnce(&StandIn)>(test: F) {
    lacking(&[], test);
}

/// The same with a driver that lacks these functions.
pub fn lacking<F: FnOnce(&StandIn)>(functions: &[&str], test: F) {
    if given().is_some() {
        return test(&StandIn::attach().unwrap());
    }
    let folder = Folder::lacking(functions).unwrap();
    let told = again(&folder, &test, "").unwrap_or_else(|wrong| panic!("{wrong}"));
    println!("{told}");
}

/// Runs the test in which `here` is written once more, in a process that is [`given`] this text: what it prints, or how it fails.
pub fn again<F>(folder: &Folder, here: &F, text: &str) -> Result<String, String> {
    again_with(folder, here, text, Path::new(""))
}

/// The same with a folder in which compiled kernels are kept.
pub fn again_with<F>(folder: &Folder, _here: &F, text: &str, cache: &Path) -> Result<String, String> {
    let name = std::any::type_name::<F>().split_once("::").map_or("", |(_, path)| path);
    let name = name.trim_end_matches("::{{closure}}");
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([name, "--exact", "--nocapture"]).env(HERE, text).env("LD_LIBRARY_PATH", folder.path());
    // The stand-in is the profiler too.
    command.env("NVTX_INJECTION64_PATH", folder.path().join("libcuda.so"));
    let output = command.env("CUDA_GRAPH_CACHE", cache).env_remove("CUDA_GRAPH_DEVICE").output().unwrap();
    let [told, wrong] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let passed = output.status.success() && told.contains("1 passed");
    if passed {
        Ok(told)
    } else {
        Err(format!("{name} {text} in its own process, {}:\n{told}\n{wrong}", output.status))
    }
}

/// What [`again`] has given this process, if that has started it.
pub fn given() -> Option<String> {
    env::var(HERE).ok()
}

/// The device of a driver of this version.
pub fn device(stand_in: &StandIn, version: i32) -> Device {
    configured(stand_in, &Config { version, ..Config::default() })
}

/// The device of a driver that is as this says.
pub fn configured(stand_in: &StandIn, config: &Config) -> Device {
    stand_in.configure(config).unwrap();
    Device::cuda(0).unwrap()
}

/// Everything that was recorded, none of which breaks a rule.
pub fn lawful(stand_in: &StandIn) -> Report {
    let report = stand_in.report().unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    report
}

/// Waits for everything, and lets the device give back what it kept for as long.
pub fn settle(device: &Device) {
    CudaContext::new(0).and_then(|context| context.synchronize()).unwrap();
    drop(device.zeros::<u8>(1).unwrap());
}

/// The kinds of what is there.
pub fn live(stand_in: &StandIn) -> Vec<String> {
    lawful(stand_in).live.into_iter().map(|live| live.kind).collect()
}
