//! The dry device: everything but the kernels.

use graph_runtime::prelude::*;

/// Without bodies for the CPU.
#[cuda_module("kernels/basic.cu")]
unsafe mod bare {
    pub fn increment(x: &mut [u32; n], n: u32);
}

cuda_graph! {
    #[allow(endless_loop)]
    graph Copies(x: &[u32; n], y: &mut [u32; n], go: &[u32; 1]) {
        copy(&x, &out y);
        bare::increment<<<n.div_ceil(256), 256>>>(&mut y, n as u32);
        while go[0] != 0 limit 5 {
            y[0] = 7;
            bare::increment<<<1, 256>>>(&mut y, n as u32);
        }
    }
}

#[test]
fn a_graph_is_built_and_launched_without_its_kernels_and_conditionals() {
    let device = Device::dry();
    assert_eq!((device.kind(), device.kind().to_string()), (DeviceKind::Dry, "the dry device".to_owned()));
    let (x, go) = (device.buffer_from(&[3_u32, 4, 5]).unwrap(), device.buffer_from(&[1_u32]).unwrap());
    let mut y = device.zeros::<u32>(3).unwrap();
    let mut graph = CopiesArgs { x: &x, y: &mut y, go: &go }.build(&device).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.y().to_vec().unwrap(), [3, 4, 5]);
    graph.run_eager().unwrap();
    assert_eq!(graph.y().to_vec().unwrap(), [3, 4, 5]);
}

#[test]
fn lengths_are_checked_and_the_cpu_misses_the_bodies() {
    for (device, expected) in [(Device::dry(), "CG0203"), (Device::cpu(), "CG0203")] {
        let (x, go) = (device.buffer_from(&[3_u32, 4, 5]).unwrap(), device.buffer_from(&[1_u32]).unwrap());
        let mut y = device.zeros::<u32>(2).unwrap();
        let error = CopiesArgs { x: &x, y: &mut y, go: &go }.build(&device).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let device = Device::cpu();
    let (x, go) = (device.buffer_from(&[3_u32]).unwrap(), device.buffer_from(&[1_u32]).unwrap());
    let mut y = device.zeros::<u32>(1).unwrap();
    let error = CopiesArgs { x: &x, y: &mut y, go: &go }.build(&device).unwrap_err().to_string();
    assert!(error.contains("no CPU body"), "{error}");
}
