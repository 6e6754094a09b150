// CG0202: one handle for two parameters that only read; two graphs write what they share.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Sum(a: &[f32; n], b: &[f32; n], c: &out [f32; n]) {
        kernel for i in 0..n { c[i] = a[i] + b[i]; }
    }

    graph Grow(x: &mut [f32; n]) {
        kernel for i in 0..n { x[i] += 1.0; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x: Shared<f32> = device.buffer_from(&[1.0_f32, 2.0])?.into();
    let mut first = GrowArgs { x: &x }.build(&device)?;
    let mut second = GrowArgs { x: x.clone() }.build(&device)?;
    let mut sum = SumArgs { a: &x, b: x.clone(), c: device.zeros::<f32>(2)? }.build(&device)?;
    first.launch()?;
    second.launch()?;
    sum.launch()?;
    assert_eq!(sum.c().to_vec()?, [6.0, 8.0]);
    assert_eq!(x.to_vec()?, [3.0, 4.0]);
    Ok(())
}
