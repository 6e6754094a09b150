//! Many launches in the place of each one of every example: the values are those of a single launch, and no more memory is held.
//!
//! A program launches as it always does; what it launches on launches again and again, and lets the last launch begin as the first one
//! did. Ten thousand of each on a GPU. On the CPU that would take hours, so there are a hundred, and eight of those that take long.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests may panic, and say what they looked at"
)]

#[expect(dead_code, reason = "the blur is compared beside the kernels' bodies")]
mod references;

use std::sync::{Arc, PoisonError};

use examples::canny::{Canny, CannyArgs};
use examples::migration::{Problem, Solution, declared, pass, whole, written};
use examples::programs::reduce::{Log, ReduceArgs, SumArgs};
use examples::programs::{ALL, Check, Program, Report, uniform};
use graph_runtime::{Device, DeviceKind};
use tests::again::Repeated;
use tests::sanitizer::is_watched;

/// A step of the migration.
type Solve = fn(&Device, &Problem) -> graph_runtime::Result<Solution>;

/// What takes about a second on the CPU.
const SLOW: &[&str] = &["cg", "dlrm", "spectral", "written"];

/// How many launches there are at least.
fn launches(device: &Device, name: &str) -> u32 {
    match device.kind() {
        DeviceKind::Cuda(_) => 10_000,
        _ if SLOW.contains(&name) => 8,
        _ => 100,
    }
}

/// Runs `work` with that many launches in all, shared out among those that it makes; says when it is done.
fn repeatedly(device: &Device, name: &str, work: impl Fn(&Device)) {
    let launches = launches(device, name);
    let once = Arc::new(Repeated::new(1));
    work(&device.clone().launching(Arc::<Repeated>::clone(&once)));
    assert!(once.ran() > 0, "{name} launches nothing");
    let held = device.held_memory();
    work(&device.clone().launching(Arc::new(Repeated::new(launches.div_ceil(once.ran())))));
    assert_eq!(device.held_memory(), held, "{name}");
    println!("{name}: {launches} launches");
}

/// Its checks compare with its reference.
fn run(program: &Program, device: &Device) {
    let mut report = Report::default();
    (program.run)(device, &mut report).unwrap_or_else(|error| panic!("{}: {error}", program.name));
    let wrong: Vec<&Check> = report.checks.iter().filter(|check| !check.holds()).collect();
    assert!(!report.checks.is_empty() && wrong.is_empty(), "{}: {wrong:?}", program.name);
}

/// All but `reduce`, which keeps a log of its launches: [`told_at_every_launch`] has it.
fn every_program(device: &Device) {
    for program in ALL.iter().filter(|program| program.name != "reduce") {
        repeatedly(device, program.name, |device| run(program, device));
    }
}

/// The graphs of `reduce`: their callbacks are told the sum at every launch, once.
fn told_at_every_launch(device: &Device) {
    const LAUNCHES: usize = 10_000;
    let numbers = uniform(12, 5000);
    // Multiples of 2^-24: the sum is exact in any order.
    let total: f64 = numbers.iter().copied().map(f64::from).sum();
    let log = Arc::new(Log::default());
    let held = device.held_memory();
    let h = device.pinned_from(&numbers).unwrap();
    let mut own = ReduceArgs { h: &h, blocks: 16, log: Arc::clone(&log) }.build(device).unwrap();
    let mut written = SumArgs { h: &h, log: Arc::clone(&log) }.build(device).unwrap();
    for _ in 0..LAUNCHES {
        own.launch().unwrap();
        written.launch().unwrap();
    }
    own.synchronize().unwrap();
    written.synchronize().unwrap();
    let told = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert_eq!(told.len(), 2 * LAUNCHES);
    assert!(told.iter().all(|told| told.to_bits() == total.to_bits()), "{total}");
    drop((own, written));
    drop(h);
    assert_eq!(device.held_memory(), held);
    println!("reduce: {LAUNCHES} launches of both graphs");
}

/// The smaller pictures, against `OpenCV`, which share the launches.
fn canny(device: &Device) {
    let pictures: Vec<_> = references::cases().into_iter().filter(|case| case.width < 200).collect();
    let pictures: Vec<_> = pictures.into_iter().map(|case| (case.image(), case.edges(), case)).collect();
    repeatedly(device, "canny", |device| {
        for (picture, expected, case) in &pictures {
            let image = device.buffer_from(picture).unwrap();
            let mut edges = device.buffer_from(&vec![0xa5; expected.len()]).unwrap();
            let (low, high, w, h) = (case.low, case.high, case.width as usize, case.height as usize);
            let mut graph = CannyArgs { image: &image, edges: &mut edges, low, high, w, h }.build(device).unwrap();
            graph.launch().unwrap();
            assert_eq!(graph.iterations(Canny::HYSTERESIS).unwrap(), case.passes, "{}", case.name);
            assert!(graph.edges().to_vec().unwrap() == *expected, "{}: other edges", case.name);
        }
    });
}

/// Every step of the migration that has graphs, against the closed form.
fn migration(device: &Device) {
    const SIZE: u8 = 15;
    let problem = Problem { b: vec![1.0 / 1024.0; usize::from(SIZE)], tolerance: 1e-12, limit: 5000 };
    let [one, size] = [1.0, f32::from(SIZE)];
    let expected: Vec<f32> = (0..SIZE).map(f32::from).map(|i| (i + one) * (size - i) / 2.0 / 1024.0).collect();
    let steps: [(&str, Solve); 4] =
        [("declared", declared::solve), ("pass", pass::solve), ("whole", whole::solve), ("written", written::solve)];
    for (name, solve) in steps {
        repeatedly(device, name, |device| {
            let found = solve(device, &problem).unwrap().x;
            // The residual's tolerance bounds the error: 1e-6 over the smallest eigenvalue, about 0.038.
            let near = found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 2.7e-5);
            assert!(found.len() == expected.len() && near, "{name}: {found:?}");
        });
    }
}

#[test]
fn every_example_many_times_on_the_cpu() {
    let device = Device::cpu();
    every_program(&device);
    canny(&device);
    migration(&device);
}

#[test]
fn a_callback_is_told_ten_thousand_times_on_the_cpu() {
    told_at_every_launch(&Device::cpu());
}

/// Skipped without a CUDA device, unless `CUDA_GRAPH_REQUIRE_CUDA` is set; and where a sanitizer looks at each access.
#[test]
fn every_example_ten_thousand_times_on_a_gpu() {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => return println!("skipped: {error}"),
    };
    if is_watched() {
        return;
    }
    told_at_every_launch(&device);
    every_program(&device);
    canny(&device);
    migration(&device);
}
