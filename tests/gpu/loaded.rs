//! Functions that the program has loaded itself.

use graph_runtime::cudarc::driver::{CudaContext, CudaFunction};
use graph_runtime::cudarc::nvrtc::Ptx;
use graph_runtime::prelude::*;
use tests::launcher::TWICE;

cuda_graph! {
    graph Loaded(x: &mut [f32; n], by: f32, twice: &CudaFunction) {
        unsafe twice<<<n.div_ceil(32), 32>>>(&mut x, by, n as u32);
        'half: unsafe twice<<<1, (32, 1, 1), 1024>>>(&mut x[..n / 2], 1.0_f32, (n / 2) as u32);
    }

    graph Again(x: &mut [f32; n], passes: u32, twice: CudaFunction) {
        let left: [u32; 1];
        left[0] = passes;
        'passes: while left[0] > 0 {
            left[0] -= 1;
            unsafe twice<<<1, 32>>>(&mut x, 0.0_f32, n as u32);
        }
    }

    graph Wrong(x: &mut [f32; n], twice: &CudaFunction, block: u32, narrow: bool) {
        if narrow {
            'two: unsafe twice<<<1, block>>>(&mut x, 1.0_f32);
        } else {
            'wide: unsafe twice<<<1, block>>>(&mut x, 1.0, n as u32);
        }
    }

    graph Large(x: &mut [f32; n], twice: &CudaFunction, block: u32) {
        'large: unsafe twice<<<1, block>>>(&mut x, 1.0_f32, n as u32);
    }
}

fn twice() -> CudaFunction {
    let module = CudaContext::new(0).and_then(|context| context.load_module(Ptx::from_src(TWICE))).unwrap();
    module.load_function("twice").unwrap()
}

#[test]
fn it_runs_as_a_kernel_does_and_outlives_its_module_handle() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0])?;
    let mut graph = LoadedArgs { x: &mut x, by: 0.5, twice: twice() }.build(&device)?;
    graph.launch()?;
    // 2 x + 0.5, then 2 x + 1 in the first half.
    assert_eq!(graph.x().to_vec()?, [6.0, 10.0, 6.5, 8.5]);
    graph.set_by(0.0)?;
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [25.0, 41.0, 13.0, 17.0]);
    drop(graph);
    let mut graph = AgainArgs { x: &mut x, passes: 3, twice: twice() }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [200.0, 328.0, 104.0, 136.0]);
    assert_eq!(graph.iterations(Again::PASSES)?, 3);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_by_name() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<f32>(4)?;
    let function = twice();
    let told = |narrow, x: &mut Buffer<f32>| {
        let build = WrongArgs { x, twice: &function, block: 32, narrow }.build(&device);
        build.map(drop).map_err(|error| error.to_string()).err().unwrap_or_default()
    };
    let text = told(true, &mut x);
    // Drivers before 12.4 cannot tell the parameters.
    if !text.is_empty() {
        assert!(text.starts_with("node `two` ("), "{text}");
        assert!(text.ends_with("failed: the function has 3 parameters, and is given 2"), "{text}");
        let text = told(false, &mut x);
        assert!(text.contains("failed: parameter 1 of the function has 4 bytes, and is given 8"), "{text}");
    }
    let build = LargeArgs { x: &mut x, twice: &function, block: 2048 }.build(&device);
    let text = build.map(drop).unwrap_err().to_string();
    assert!(text.contains("node `large` (") && text.contains("the block [2048, 1, 1] has 2048 threads"), "{text}");
    Ok(())
}
