//! What the macro cannot read is compared when the kernel is loaded: compiled images, and parameters of two meanings.

use graph_runtime::Result;
use graph_runtime::prelude::*;

/// `triple(const float *x, float *y, unsigned n)`, assembled for compute capability 9.0, with a parameter too few.
#[cuda_module("kernels/scale.sm_90.cubin")]
unsafe mod short {
    pub fn triple(x: &[f32; n], n: u64);
}

/// With a count of another size.
#[cuda_module("kernels/scale.sm_90.cubin")]
unsafe mod wide {
    pub fn triple(x: &[f32; n], y: Out<[f32; n]>, n: u64);
}

/// The last parameter is a struct of two numbers of 4 bytes, at byte 12.
#[cuda_module("kernels/odd.cu")]
unsafe mod odd {
    pub fn paired(x: &mut [u32; 1], n: u32, pair: u64);
}

cuda_graph! {
    graph Short(x: &[f32; n]) { short::triple<<<1, 32>>>(&x, n as u64); }
    graph Wide(x: &[f32; n], y: &out [f32; n]) { wide::triple<<<1, 32>>>(&x, &out y, n as u64); }
    graph Paired(x: &mut [u32; 1]) { odd::paired<<<1, 1>>>(&mut x, 1, 2); }
}

fn assert_says<T>(result: Result<T>, parts: &[&str]) {
    let text = result.map(drop).unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn a_compiled_image_is_compared_when_it_is_loaded() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let (x, mut y) = (device.zeros::<f32>(4)?, device.zeros::<f32>(4)?);
    let short = ShortArgs { x: &x }.build(&device);
    assert_says(
        short,
        &[
            "kernel `triple` is declared with 2 parameters, and the one in `kernels/scale.sm_90.cubin` has 3 parameters, of 8, 8, 4 bytes",
            "[CG0217]",
            "declared in module `short` (",
            "gpu/declarations.rs:",
        ],
    );
    let wide = WideArgs { x: &x, y: &mut y }.build(&device);
    assert_says(
        wide,
        &["parameter `n` of kernel `triple` is `u64` of 8 bytes, and has 4 in", "declare `n` with the type"],
    );
    Ok(())
}

#[test]
fn a_parameter_where_its_type_cannot_lie() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(1)?;
    let built = PairedArgs { x: &mut x }.build(&device);
    assert_says(
        built,
        &["parameter `pair` of kernel `paired` is `u64`, which no parameter at byte 12", "a multiple of 8 [CG0217]"],
    );
    Ok(())
}
