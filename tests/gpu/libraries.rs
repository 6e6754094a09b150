//! What captures of CUDA's libraries refuse on the device.

use graph_runtime::prelude::*;
use graph_runtime::{Blas, Fft, Op, Solver, Triangle};

cuda_graph! {
    graph Product(a: &[f32; 6], b: &[f32; 6], c: &out [f32; 4], blas: &Blas, sizes: [usize; 3]) {
        let ws: [u8; blas.workspace_bytes()];
        'gemm: capture(&a, &b, &out c, &out ws, |stream, a, b, c, ws| {
            blas.on(stream, ws).gemm(sizes, [Op::N, Op::N], 1.0, a, b, 0.0, c)
        });
    }

    graph Factor(a: &mut [f64; 16], solver: &Solver, bytes: usize) {
        let ws: [u8; bytes];
        let info: [i32; 1];
        'potrf: capture(&mut a, &out ws, &out info, |stream, a, ws, info| {
            solver.potrf(stream, 4, Triangle::Upper, a, ws, info)
        });
        assert!(info[0] == 0);
    }

    graph Wave(x: &[f32; n], y: &out [f32; n], fft: &Fft) {
        let ws: [u8; fft.workspace_bytes()];
        'fft: capture(&x, &out y, &out ws, |stream, x, y, ws| fft.forward(stream, x, y, ws));
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused_by_name() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let (a, b) = (device.buffer_from(&[1.0_f32; 6])?, device.buffer_from(&[2.0_f32; 6])?);
    let mut c = device.zeros::<f32>(4)?;
    let blas = Blas::new(&device)?;
    let build = ProductArgs { a: &a, b: &b, c: &mut c, blas: &blas, sizes: [2, 2, 4] }.build(&device);
    let told = build.map(drop).unwrap_err().to_string();
    assert!(told.starts_with("node `gemm` ("), "{told}");
    assert!(told.ends_with("failed: cuBLAS is given 6 elements as `a`, and its sizes say 8"), "{told}");
    let mut graph = ProductArgs { a: &a, b: &b, c: &mut c, blas: &blas, sizes: [2, 2, 3] }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.c().to_vec()?, [6.0; 4]);
    Ok(())
}

#[test]
fn workspaces_and_plans_that_do_not_fit_are_refused() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let solver = Solver::new(&device)?;
    let mut a = device.buffer_from(&[1.0_f64; 16])?;
    if solver.potrf_bytes(4) > 256 {
        let told =
            FactorArgs { a: &mut a, solver: &solver, bytes: 1 }.build(&device).map(drop).unwrap_err().to_string();
        assert!(told.contains("failed: cuSOLVER needs a workspace of "), "{told}");
    }
    let fft = Fft::single(&device, &[8], 1)?;
    let x = device.zeros::<f32>(15)?;
    let mut y = device.zeros::<f32>(15)?;
    let told = WaveArgs { x: &x, y: &mut y, fft: &fft }.build(&device).map(drop).unwrap_err().to_string();
    assert!(told.ends_with("failed: cuFFT is given 60 bytes as `x`, and its plan says 64"), "{told}");
    Ok(())
}

/// A plan's tables live as long as the graph that they were captured into.
#[test]
fn a_graph_keeps_what_its_calls_need() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[1.0_f32, 0.0, 2.0, 0.0, 3.0, 0.0])?;
    let mut y = device.zeros::<f32>(6)?;
    let fft = std::sync::Arc::new(Fft::single(&device, &[3], 1)?);
    let mut graph = WaveArgs { x: &x, y: &mut y, fft: std::sync::Arc::clone(&fft) }.build(&device)?;
    drop(fft);
    for _ in 0..3 {
        graph.launch()?;
    }
    let found = graph.y().to_vec()?;
    // 1 + 2 + 3, and 1 + 2 w + 3 w² = -3/2 + √3/2 i for w = exp(-2πi / 3).
    let (re, im) = (-1.5, 0.75_f32.sqrt());
    let expected = [6.0, 0.0, re, im, re, -im];
    assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5), "{found:?}");
    Ok(())
}

#[test]
fn a_library_of_another_device_is_refused() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let blas = Blas::new(&Device::cpu())?;
    let (a, b) = (device.buffer_from(&[1.0_f32; 6])?, device.buffer_from(&[2.0_f32; 6])?);
    let mut c = device.zeros::<f32>(4)?;
    let build = ProductArgs { a: &a, b: &b, c: &mut c, blas: &blas, sizes: [2, 2, 3] }.build(&device);
    let told = build.map(drop).unwrap_err().to_string();
    assert!(told.ends_with("cuBLAS was opened on a device that is no CUDA device"), "{told}");
    Ok(())
}
