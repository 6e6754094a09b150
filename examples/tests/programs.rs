//! Every program's results, on the CPU in any order, and on a GPU if there is one.

#![expect(clippy::panic, reason = "tests may panic")]

use examples::programs::{ALL, Report};
use graph_runtime::Device;

fn assert_all_hold(device: &Device) {
    for program in ALL {
        let mut report = Report::default();
        (program.run)(device, &mut report).unwrap_or_else(|error| panic!("{}: {error}", program.name));
        assert!(!report.checks.is_empty(), "{} checks nothing", program.name);
        let wrong: Vec<_> = report.checks.iter().filter(|check| !check.holds()).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", program.name);
    }
}

#[test]
fn on_the_cpu() {
    assert_all_hold(&Device::cpu());
}

#[test]
fn on_the_cpu_in_other_orders() {
    for seed in 0..2 {
        assert_all_hold(&Device::cpu().shuffled(seed));
    }
}

/// Skipped without a CUDA device, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#[test]
fn on_a_gpu() {
    match Device::cuda(0) {
        Ok(device) => assert_all_hold(&device),
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => println!("skipped: {error}"),
    }
}

#[test]
fn inputs_are_those_of_the_scripts() {
    // What `inputs.uniform(3, 4)` of `references/programs/inputs.py` prints.
    let printed =
        [0.258_269_131_183_624_27, 0.184_694_588_184_356_7, 0.025_577_664_375_305_176, 0.377_248_108_386_993_4];
    let found: Vec<f64> = examples::programs::uniform(3, 4).into_iter().map(f64::from).collect();
    assert_eq!(found, printed);
}
