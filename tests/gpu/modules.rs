//! Kernel files of every kind: CUDA C++ with headers of its own and of the toolkit, PTX, a compiled image.

use graph_runtime::prelude::*;

/// `half.cu` includes `<cuda_fp16.h>` and a header beside it, which includes another.
#[cuda_module("kernels/half.cu", options("-use_fast_math"))]
unsafe mod half_precision {
    pub fn halve(x: &[u16; n], y: Out<[u16; n]>, n: u32);
}

#[cuda_module("kernels/offset.cu")]
unsafe mod offset {
    pub fn shift(x: &[f32; n], y: Out<[f32; n]>, n: u32);
}

#[cuda_module("kernels/scale.ptx")]
unsafe mod ptx {
    pub fn triple(x: &[f32; n], y: Out<[f32; n]>, n: u32);
}

/// `scale.ptx`, assembled for compute capability 9.0.
#[cuda_module("kernels/scale.sm_90.cubin")]
unsafe mod cubin {
    pub fn triple(x: &[f32; n], y: Out<[f32; n]>, n: u32);
}

cuda_graph! {
    graph Halve(x: &[u16; n], y: &out [u16; n]) {
        half_precision::halve<<<n.div_ceil(64), 64>>>(&x, &out y, n as u32);
    }

    graph Shift(x: &[f32; n], y: &out [f32; n]) {
        offset::shift<<<n.div_ceil(64), 64>>>(&x, &out y, n as u32);
    }

    graph Nine(x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        ptx::triple<<<n.div_ceil(64), 64>>>(&x, &out t, n as u32);
        ptx::triple<<<n.div_ceil(64), 64>>>(&t, &out y, n as u32);
    }

    graph Three(x: &[f32; n], y: &out [f32; n]) {
        cubin::triple<<<n.div_ceil(64), 64>>>(&x, &out y, n as u32);
    }
}

/// Bits of half-precision numbers: 1, 2, -4 become 1, 1.5, -1.5.
#[test]
fn the_header_for_half_precision_is_found_or_its_absence_explained() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[0x3c00_u16, 0x4000, 0xc400])?;
    let mut y = device.buffer_from(&[0xffff_u16; 3])?;
    match (HalveArgs { x: &x, y: &mut y }.build(&device)) {
        Ok(mut graph) => {
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [0x3c00, 0x3e00, 0xbe00]);
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("cuda_fp16.h") && text.contains("help:"), "{text}");
            println!("without the toolkit's headers: {text}");
        }
    }
    Ok(())
}

#[test]
fn headers_beside_a_kernel_file_are_embedded() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[1.0_f32, -2.0])?;
    let mut y = device.buffer_from(&[f32::NAN; 2])?;
    let mut graph = ShiftArgs { x: &x, y: &mut y }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [1.5, -1.5]);
    Ok(())
}

#[test]
fn ptx_is_loaded_as_it_is() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[1.0_f32, -2.0, 0.5])?;
    let mut y = device.buffer_from(&[f32::NAN; 3])?;
    let mut graph = NineArgs { x: &x, y: &mut y }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [9.0, -18.0, 4.5]);
    Ok(())
}

/// On another device the driver's refusal names the file.
#[test]
fn a_compiled_image_is_loaded_where_it_fits() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[1.0_f32, -2.0, 0.5])?;
    let mut y = device.buffer_from(&[f32::NAN; 3])?;
    match (ThreeArgs { x: &x, y: &mut y }.build(&device)) {
        Ok(mut graph) => {
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [3.0, -6.0, 1.5]);
        }
        Err(error) => assert!(error.to_string().contains("scale.sm_90.cubin"), "{error}"),
    }
    Ok(())
}
