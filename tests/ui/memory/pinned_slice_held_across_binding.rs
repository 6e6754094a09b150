// What the host looks at cannot be bound to a graph that writes it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Down(x: &[f32; n], seen: &out host [f32; n]) {
        copy(&x, &out seen);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let (x, mut seen) = (device.zeros::<f32>(4)?, device.pinned_zeros::<f32>(4)?);
    let before = seen.as_slice()?;
    DownArgs { x: &x, seen: &mut seen }.build(&device)?.launch()?;
    println!("{}", before[0]);
    Ok(())
}
