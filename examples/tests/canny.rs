//! The graph against `OpenCV`, bit by bit, on the CPU device.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

#[expect(dead_code, reason = "the blur is compared beside the kernels' bodies")]
mod references;

use examples::canny::{Canny, CannyArgs};
use graph_runtime::{Device, Result};
use references::Case;

const POISON: u8 = 0xa5;

/// The edges and the passes of the loop after `launches` launches.
fn run(device: &Device, case: &Case, launches: u32) -> Result<(Vec<u8>, u64)> {
    let image = device.buffer_from(&case.image())?;
    let (w, h) = (case.width as usize, case.height as usize);
    let mut edges = device.buffer_from(&vec![POISON; w * h])?;
    let (low, high) = (case.low, case.high);
    let mut graph = CannyArgs { image: &image, edges: &mut edges, low, high, w, h }.build(device)?;
    for _ in 0..launches {
        graph.launch()?;
    }
    let passes = graph.iterations(Canny::HYSTERESIS)?;
    Ok((graph.edges().to_vec()?, passes))
}

fn assert_as_opencv(device: &Device, case: &Case, launches: u32) {
    let (edges, passes) = run(device, case, launches).unwrap();
    assert!(edges == case.edges(), "{} {}..{}: other edges", case.name, case.low, case.high);
    assert_eq!(passes, case.passes, "{} {}..{}", case.name, case.low, case.high);
}

#[test]
fn the_edges_are_those_of_opencv() {
    for case in references::cases() {
        assert_as_opencv(&Device::cpu(), &case, 1);
    }
}

#[test]
fn the_edges_do_not_depend_on_the_order() {
    for case in references::cases().iter().filter(|case| case.width < 200) {
        for seed in 0..4 {
            assert_as_opencv(&Device::cpu().shuffled(seed), case, 1);
        }
    }
}

#[test]
fn the_edges_do_not_depend_on_the_launches_before() {
    for case in references::cases().iter().filter(|case| case.width < 200) {
        assert_as_opencv(&Device::cpu(), case, 3);
    }
}

#[test]
fn node_by_node_gives_the_same_edges() {
    let device = Device::cpu();
    for case in references::cases().iter().filter(|case| case.width < 200) {
        let image = device.buffer_from(&case.image()).unwrap();
        let mut edges = device.buffer_from(&vec![POISON; case.edges().len()]).unwrap();
        let (low, high, w, h) = (case.low, case.high, case.width as usize, case.height as usize);
        let mut graph = CannyArgs { image: &image, edges: &mut edges, low, high, w, h }.build(&device).unwrap();
        graph.run_eager().unwrap();
        assert!(graph.edges().to_vec().unwrap() == case.edges(), "{}", case.name);
    }
}

#[test]
fn thresholds_can_be_changed_between_launches() {
    let device = Device::cpu();
    let cases: Vec<_> = references::cases().into_iter().filter(|case| case.name == "camera").collect();
    let [first, second] = &cases[..] else { panic!("two cases of `camera`") };
    let image = device.buffer_from(&first.image()).unwrap();
    let (w, h) = (first.width as usize, first.height as usize);
    let mut edges = device.zeros::<u8>(w * h).unwrap();
    let arguments = CannyArgs { image: &image, edges: &mut edges, low: first.low, high: first.high, w, h };
    let mut graph = arguments.build(&device).unwrap();
    graph.launch().unwrap();
    assert!(graph.edges().to_vec().unwrap() == first.edges());
    graph.set_low(second.low).unwrap();
    graph.set_high(second.high).unwrap();
    graph.launch().unwrap();
    assert!(graph.edges().to_vec().unwrap() == second.edges());
}

/// Skipped without a CUDA device, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#[test]
fn the_edges_on_a_gpu_are_those_of_opencv() {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => return println!("skipped: {error}"),
    };
    for case in references::cases() {
        assert_as_opencv(&device, &case, 2);
    }
}
