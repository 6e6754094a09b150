//! Loaded functions where there is no GPU.

use graph_runtime::LoadedFunction;
use graph_runtime::cudarc::driver::sys::CUfunction;
use graph_runtime::prelude::*;

/// Stands for a function of other bindings.
#[derive(Clone)]
struct Loaded;

// SAFETY: there is none; nothing is launched on the CPU.
unsafe impl LoadedFunction for Loaded {
    fn raw(&self) -> CUfunction {
        std::ptr::null_mut()
    }
}

cuda_graph! {
    graph Scale(x: &mut [f32; n], scale: &Loaded) {
        unsafe scale<<<n.div_ceil(32), 32>>>(&mut x, 0.5_f32, n as u32);
    }
}

#[test]
fn the_cpu_says_that_it_has_none() -> Result<()> {
    let mut x = Device::cpu().buffer_from(&[1.0_f32])?;
    let built = ScaleArgs { x: &mut x, scale: &Loaded }.build(&Device::cpu());
    let text = built.map(drop).map_err(|error| error.to_string()).err().unwrap_or_default();
    assert!(text.starts_with("graph `Scale` cannot run on the CPU: node `scale` ("), "{text}");
    assert!(text.contains("is a function that was loaded for a GPU [CG0804]\nhelp: declare the kernel in"), "{text}");
    Ok(())
}

#[test]
fn a_dry_device_passes_it_over() -> Result<()> {
    let device = Device::dry();
    let mut x = device.buffer_from(&[1.0_f32])?;
    let mut graph = ScaleArgs { x: &mut x, scale: &Loaded }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1.0]);
    Ok(())
}
