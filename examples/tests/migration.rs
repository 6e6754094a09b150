//! Every step of the migration against the closed form and against the step before.

#![expect(clippy::unwrap_used, clippy::cast_precision_loss, reason = "tests may panic, on small numbers")]

use examples::migration::{Problem, Solution, declared, pass, whole, written};
use graph_runtime::Device;

const SIZE: usize = 31;

fn problem() -> Problem {
    Problem { b: vec![1.0 / 1024.0; SIZE], tolerance: 1e-12, limit: 5000 }
}

/// Of `2 x[i] - x[i - 1] - x[i + 1] = c` with zeros outside: `c (i + 1) (n - i) / 2`.
fn closed_form() -> Vec<f32> {
    (0..SIZE).map(|i| (i + 1) as f32 * (SIZE - i) as f32 / 2.0 / 1024.0).collect()
}

/// The residual's tolerance bounds the error: the smallest eigenvalue is about 0.0096, so 1e-6 / 0.0096.
fn assert_solves(solution: &Solution) {
    for (found, expected) in solution.x.iter().zip(closed_form()) {
        assert!((found - expected).abs() < 1.1e-4, "{found} where {expected} is expected");
    }
    assert!((100..5000).contains(&solution.passes), "{} passes", solution.passes);
}

fn assert_steps_agree(device: &Device) -> Solution {
    let problem = problem();
    let declared = declared::solve(device, &problem).unwrap();
    assert_solves(&declared);
    assert_eq!(pass::solve(device, &problem).unwrap(), declared);
    assert_eq!(whole::solve(device, &problem).unwrap(), declared);
    let written = written::solve(device, &problem).unwrap();
    assert_solves(&written);
    // The sum is added up in another order, so the last pass may be one earlier or later.
    assert!(written.passes.abs_diff(declared.passes) <= 1, "{} and {}", written.passes, declared.passes);
    declared
}

#[test]
fn the_steps_agree_on_the_cpu() {
    assert_steps_agree(&Device::cpu());
    assert_steps_agree(&Device::cpu().shuffled(1));
}

/// Skipped without a CUDA device, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#[test]
fn the_steps_agree_with_the_streams_on_a_gpu() {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => return println!("skipped: {error}"),
    };
    let streams = examples::migration::streams::solve(&problem()).unwrap();
    assert_solves(&streams);
    assert_eq!(assert_steps_agree(&device), streams);
}
