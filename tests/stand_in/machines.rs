//! Odd machines: a slice of a device, and no compiler.

use graph_runtime::prelude::*;
use stand_in_driver::{Config, StandIn, Work};
use tests::kernels::basic;

use crate::child::{child, configured, device, lacking, lawful};
use crate::shape::{exec, graph};

/// `CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT`
const PROCESSORS: u32 = 16;
/// Of one multiprocessor of an H200.
const THREADS: u32 = 2048;

cuda_graph! {
    /// All passes are one launch, whose blocks are on the device at once.
    graph Relax(x: &mut [f32; n], y: &mut [f32; n], left: &mut [u32; 1], n: usize) {
        while left[0] > 0 limit 1000 {
            kernel for i in 0..n { y[i] = 0.5 * x[i]; }
            kernel for i in 0..n { x[i] = y[i]; }
            left[0] -= 1;
        }
    }

    graph Written(x: &mut [u32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }

    graph InTheBlock(x: &mut [u32; n], n: usize) {
        kernel for i in 0..n { x[i] += 1; }
    }
}

/// The blocks and threads of the loop's launch.
fn launched(stand_in: &StandIn, processors: i32) -> (u32, u32) {
    let config = Config { attributes: [(PROCESSORS, processors)].into(), ..Config::default() };
    let device = configured(stand_in, &config);
    let n = 131_072;
    let [x, y] = [0, 1].map(|_| device.zeros::<f32>(n).unwrap());
    let mut built = RelaxArgs { x, y, left: device.zeros(1).unwrap(), n }.build(&device).unwrap();
    built.launch().unwrap();
    let report = lawful(stand_in);
    let [node] = &graph(&report, exec(&report).graph).nodes[..] else { panic!("several nodes: {report:#?}") };
    let Work::Kernel { grid, block, .. } = &node.work else { panic!("{node:?}") };
    assert_eq!(node.attributes.get(&2), Some(&vec![1]), "cooperative");
    (grid.iter().product(), block.iter().product())
}

/// What MIG gives a process is a device with fewer multiprocessors. The stand-in refuses cooperative launches that do not fit.
#[test]
fn a_slice_of_a_device_gets_as_many_blocks_as_it_holds() {
    child(|stand_in| {
        let (blocks, threads) = launched(stand_in, 14);
        let held = 14 * THREADS / threads;
        assert!((14..=held).contains(&blocks), "{blocks} blocks of {threads} threads, {held} fit");
    });
}

#[test]
fn a_whole_device_gets_more() {
    child(|stand_in| {
        let (blocks, threads) = launched(stand_in, 132);
        assert!(blocks * threads > 14 * THREADS, "{blocks} blocks of {threads} threads");
    });
}

#[test]
fn without_a_compiler_kernels_in_the_block_run_and_files_are_refused_with_the_cure() {
    lacking(&["nvrtcCompileProgram"], |stand_in| {
        let device = device(stand_in, 13000);
        let mut x = device.zeros::<u32>(100).unwrap();
        let told = WrittenArgs { x: &mut x }.build(&device).map(drop).unwrap_err().to_string();
        assert!(told.starts_with("kernel file `kernels/basic.cu` (module `basic`, "), "{told}");
        assert!(told.contains("the compiler library NVRTC that was found lacks `nvrtcCompileProgram`"), "{told}");
        assert!(told.contains("\nhelp: install the CUDA toolkit or the pip package `nvidia-cuda-nvrtc`"), "{told}");
        InTheBlockArgs { x: &mut x, n: 100 }.build(&device).unwrap().launch().unwrap();
        lawful(stand_in);
    });
}
